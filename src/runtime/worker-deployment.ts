import type { WorkerDeploymentOptions } from '@temporalio/worker';
import type { Environment } from '../host/cache-folder.ts';
import { InvalidSettingError } from '../text/explained-error.ts';

const behaviors = ['PINNED', 'AUTO_UPGRADE'] as const;

/** Worker Versioning, from the environment variables that Temporal's Worker Controller sets; null when they are not set. */
export function toDeployment(env: Readonly<Environment>): WorkerDeploymentOptions | null {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: buildId } = env;
  const behaviorName = env['TEMPORAL_VERSIONING_BEHAVIOR'] || 'PINNED';
  const defaultVersioningBehavior = behaviors.find((behavior) => behavior === behaviorName);
  if (defaultVersioningBehavior === undefined)
    throw new InvalidSettingError(`TEMPORAL_VERSIONING_BEHAVIOR must be one of ${behaviors.join(', ')}`);
  if (!deploymentName && !buildId) return null;
  if (!deploymentName || !buildId) {
    throw new InvalidSettingError(
      'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID belong together: set both for Worker Versioning, or neither',
    );
  }
  if (deploymentName.includes('.'))
    throw new InvalidSettingError(
      'TEMPORAL_DEPLOYMENT_NAME must not contain a dot: Temporal separates name and build id with it',
    );
  return { version: { deploymentName, buildId }, useWorkerVersioning: true, defaultVersioningBehavior };
}
