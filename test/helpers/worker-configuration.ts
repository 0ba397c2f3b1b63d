import path from 'node:path';
import type { PollingConfig } from '../../src/config/polling-settings.ts';
import type { ExclusionPlan, RunPlan, StartedRun, WorkerConfiguration } from '../../src/config/run-plan.ts';
import { toCrmPlan, type CrmPlan } from '../../src/delivery/mapping/crm-plan.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { defaultReplyPolicy, type ReplyPolicy } from '../../src/config/reply-policy.ts';

export const crmPlan = toCrmPlan(defaultMapping, defaultContactPolicy);

/** The configuration of a worker, which a test can change while the worker runs. Certificates go to `folder`. */
export function createWorkerConfiguration(polling: PollingConfig, folder: string) {
  const runs = new Map<string, RunPlan>();
  const exclusions = new Map<string, ExclusionPlan>();
  const current = { polling, crm: crmPlan, replies: defaultReplyPolicy };
  const configuration: WorkerConfiguration = {
    get polling() {
      return current.polling;
    },
    get crm() {
      return current.crm;
    },
    certificates: { key: null, directory: path.join(folder, 'certificates'), otherDirectory: folder },
    blacklistsMatched: 'at_publication',
    get replies() {
      return current.replies;
    },
    findRun(runName) {
      const plan = runs.get(runName);
      return plan === undefined ? null : { plan, digest: plan.digest };
    },
    findExclusion: (name) => exclusions.get(name) ?? null,
    listRuns: () => [...runs.values()],
    listExclusions: () => [...exclusions.values()],
  };
  return {
    configuration,
    /** Adds a run with its exclusions, and returns the input of activities for it. */
    configureRun: (plan: RunPlan): StartedRun => {
      runs.set(plan.runName, plan);
      for (const exclusion of plan.exclusions) exclusions.set(exclusion.name, exclusion);
      return { runName: plan.runName, digest: plan.digest };
    },
    /** Adds an exclusion, and returns the input of activities for it. */
    configureExclusion: (exclusion: ExclusionPlan): { name: string } => {
      exclusions.set(exclusion.name, exclusion);
      return { name: exclusion.name };
    },
    configureReplies: (replies: ReplyPolicy): void => {
      current.replies = replies;
    },
    configureMapping: (crm: CrmPlan): void => {
      current.crm = crm;
    },
    configurePolling: (changes: Partial<PollingConfig>): void => {
      current.polling = { ...current.polling, ...changes };
    },
    removeRun: (runName: string): void => {
      runs.delete(runName);
    },
  };
}
