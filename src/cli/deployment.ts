import type { WorkerDeploymentOptions } from '@temporalio/worker';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

const behaviors = ['PINNED', 'AUTO_UPGRADE'] as const;

/** Worker Versioning, by the variables that Temporal's Worker Controller sets; null unless they are set. */
export function toDeployment(env: Terminal['env']): WorkerDeploymentOptions | null {
  const { TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: buildId } = env;
  const wanted = env['TEMPORAL_VERSIONING_BEHAVIOR'] || 'PINNED';
  const defaultVersioningBehavior = behaviors.find((behavior) => behavior === wanted);
  if (defaultVersioningBehavior === undefined)
    throw refuse(`TEMPORAL_VERSIONING_BEHAVIOR is one of ${behaviors.join(', ')}`);
  if (!deploymentName && !buildId) return null;
  if (!deploymentName || !buildId) {
    throw refuse(
      'TEMPORAL_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID go together: set both for Worker Versioning, or none',
    );
  }
  if (deploymentName.includes('.'))
    throw refuse('TEMPORAL_DEPLOYMENT_NAME must not hold a dot: Temporal parts name and build id by it');
  return { version: { deploymentName, buildId }, useWorkerVersioning: true, defaultVersioningBehavior };
}

function refuse(text: string): CommandError {
  return new CommandError(text, exitCodes.usage);
}
