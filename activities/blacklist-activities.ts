/** Attaches blacklists: finds existing ones, and assigns them to the prospect search of a profile. */
import { z } from 'zod';
import { prospectSearchIdOf } from '../src/service/contract/index.ts';
import { findExistingBlacklist, toExistingReport } from '../src/companies/exclusions/existing-blacklist.ts';
import { assignToSearch, readWantedAssignments } from '../src/companies/exclusions/search-assignments.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { digest } from '../src/base/json/canonical-json.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { checked, exclusionSchema, runSchema } from './checked-input.ts';
import { planExclusion, planOrder } from './configured-run.ts';

export function createBlacklistActivities(dependencies: ActivityDependencies) {
  const { configuration, ledger } = dependencies;
  return {
    /** Finds an existing blacklist by its name or id. Changes nothing in the service. */
    findExisting: checked(z.object({ exclusion: exclusionSchema }), async ({ exclusion }) => {
      const plan = planExclusion(dependencies, exclusion);
      // The plan was changed in the meantime: only a sync opens the blacklist of an exclusion that is not `existing`.
      if (plan.existing === undefined)
        throw nonRetryable('InputRefused', `exclusions.${plan.name} has no existing blacklist`);
      const blacklist = await findExistingBlacklist(dependencies, plan, cancellationSignal());
      const attached = { exclusion: plan.name, reference: plan.blacklist, blacklistId: blacklist.id };
      await ledger.attachedBlacklists.save(attached);
      return toExistingReport(plan, blacklist);
    }),

    /** Assigns the blacklists of all runs with the profile of this run; keeps the assignments of others. */
    assignBlacklists: checked(z.object({ run: runSchema }), async ({ run }) => {
      const { profile } = planOrder(dependencies, run);
      const profileId = (await ledger.profiles.get(digest(profile)))?.profileId;
      if (profileId == null)
        throw nonRetryable('ProfileNotPrepared', `the profile of run ${run.runName} is not in the ledger`);
      const blacklistIds = await readWantedAssignments(ledger, configuration.listRuns(), profile);
      const prospectSearchId = prospectSearchIdOf({ profile_id: profileId });
      return assignToSearch(dependencies, { prospectSearchId, blacklistIds }, cancellationSignal());
    }),
  };
}
