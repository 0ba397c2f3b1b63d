/** Reads plans of runs, deliveries and exclusions from the worker's configuration. */
import { ApplicationFailure } from '@temporalio/common';
import { nonRetryable, withRemedy } from '../src/base/failures/application-failure.ts';
import type { FailureType } from '../src/base/failures/failure-descriptions.ts';
import type { DeliveryPlan, ExclusionPlan, ResolvedRun, RunPlan, StartedRun } from '../src/config/run-plan.ts';
import { toProcessName } from '../src/base/host/process-name.ts';
import type { OrderDelivery } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';

/** Another installation may have started it on the same task queue. */
const ownWorker = () => `worker ${toProcessName()}`;

type Configured = Pick<ActivityDependencies, 'configuration'>;

/** @throws RunNotConfigured, non-retryable */
export function findConfiguredRun({ configuration }: Configured, runName: string): ResolvedRun {
  const run = configuration.findRun(runName);
  if (run !== null) return run;
  throw nonRetryable('RunNotConfigured', `the configuration of ${ownWorker()} has no run named ${runName}`);
}

/**
 * The plan of a run that has not placed its order yet.
 * @throws ConfigurationDiffers, non-retryable, when the configuration has changed since the run started
 */
export function planOrder(configured: Configured, { runName, digest: started }: StartedRun): RunPlan {
  const { plan, digest: now } = findConfiguredRun(configured, runName);
  if (started !== now) throw configurationDiffers(`run ${runName}`, { expected: started, now });
  return plan;
}

/**
 * The current delivery settings of an order.
 * @throws RunNotConfigured, retryable: the order exists, and the run may be configured again
 */
export function planDelivery({ configuration }: Configured, { orderId, runName }: OrderDelivery): DeliveryPlan {
  const run = configuration.findRun(runName);
  if (run !== null) return run.plan.delivery;
  const type = 'RunNotConfigured' satisfies FailureType;
  const problem = `the configuration of ${ownWorker()} has no run named ${runName}, which delivers order ${orderId}`;
  throw ApplicationFailure.create({ type, message: withRemedy(type, problem) });
}

/** @throws ExclusionNotConfigured, non-retryable */
export function planExclusion({ configuration }: Configured, { name }: { readonly name: string }): ExclusionPlan {
  const exclusion = configuration.findExclusion(name);
  if (exclusion !== null) return exclusion;
  throw nonRetryable('ExclusionNotConfigured', `the configuration of ${ownWorker()} has no exclusion named ${name}`);
}

/** @throws InputRefused, non-retryable, for an existing blacklist, which is never changed */
export function planOwnExclusion(configured: Configured, { name }: { readonly name: string }): ExclusionPlan {
  const exclusion = planExclusion(configured, { name });
  if (exclusion.existing === undefined) return exclusion;
  throw nonRetryable('InputRefused', `exclusions.${name} attaches an existing blacklist, which has no sync`);
}

export function configurationDiffers(what: string, { expected, now }: { expected: string; now: string }) {
  const [read, found] = [expected, now].map((text) => text.slice(0, 12));
  return nonRetryable(
    'ConfigurationDiffers',
    `${ownWorker()} has configuration ${found} of ${what}, and ${read} was expected. Nothing was ordered`,
  );
}

/** Installations that share a task queue carry out each other's runs. */
export function startedElsewhere(what: string, { by, own }: { by: string; own: string }) {
  return nonRetryable(
    'ConfigurationDiffers',
    `${ownWorker()} belongs to installation ${own}, and installation ${by} started ${what}. Nothing was ordered`,
  );
}
