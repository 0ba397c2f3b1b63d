/** Makes a blacklist equal to the sources of its exclusion: sends only differences, and adds before it removes. */
import { z } from 'zod';
import { limits, type Entry } from '../src/service/contract/index.ts';
import {
  assertKnownBlacklist,
  assertNotEmptied,
  assertOwnBlacklist,
  createBlacklist,
  findBlacklist,
  followSettings,
  stageExisting,
  toExisting,
} from '../src/companies/exclusions/exclusion-blacklist.ts';
import { applySafetyLimit, applySafetyLimitToRetry, readRemovals } from '../src/companies/exclusions/removal-set.ts';
import {
  entryHashes,
  findShrunkSources,
  planDeltaStart,
  toLastScan,
  type ScanKind,
} from '../src/companies/exclusions/scan-plan.ts';
import { scanSources } from '../src/companies/exclusions/scan-sources.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { assertKnownOrganization } from '../src/ledger/known-organization.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import type { ProspectingClient } from '../src/service/client/prospecting-client.ts';
import { removalReasons } from '../src/proof/report/order-report.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { activityContext, cancellationSignal, isRetry, recordProgress } from './activity-heartbeat.ts';
import {
  checked,
  countSchema,
  digestSchema,
  entryIdSchema,
  exclusionSchema,
  workflowKeySchema,
} from './checked-input.ts';
import { planOwnExclusion } from './configured-run.ts';

const kindSchema = z.enum(['full', 'delta']);
const scanSchema = z.object({
  kind: kindSchema,
  startedAt: z.iso.datetime(),
  counts: z.record(z.string().max(300), countSchema.optional()),
});
const pendingSchema = z.object({
  digest: digestSchema,
  entries: countSchema,
  because: z.enum(removalReasons),
  shrunkSources: z.array(z.string().max(300)).readonly(),
});

/** `syncId` names the staging of a sync. */
const syncSchema = z.object({ syncId: workflowKeySchema });
const stepSchema = syncSchema.extend({ exclusion: exclusionSchema });
const readExclusionsSchema = stepSchema.extend({ full: z.boolean() });
const openBlacklistSchema = stepSchema.extend({ kind: kindSchema });
const addExclusionsSchema = syncSchema.extend({ blacklistId: entryIdSchema, kind: kindSchema });
/** `before`: entries of the blacklist before anything was added. */
const evaluateRemovalsSchema = stepSchema.extend({
  blacklistId: entryIdSchema,
  scan: scanSchema,
  added: countSchema,
  before: countSchema,
});
const removeExclusionsSchema = stepSchema.extend({
  blacklistId: entryIdSchema,
  released: countSchema,
  approved: digestSchema.nullable(),
  pending: pendingSchema.nullable(),
});
const rememberScanSchema = z.object({
  exclusion: exclusionSchema,
  blacklistId: entryIdSchema,
  scan: scanSchema,
  removalsWait: z.boolean(),
});

export function createExclusionActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, now } = dependencies;
  const { exclusions } = ledger;
  const plan = (exclusion: { readonly name: string }) => planOwnExclusion(dependencies, exclusion);
  return {
    /** Stages the companies that the sources name: all of them, or the changed ones where that is allowed and enough. */
    readExclusions: checked(readExclusionsSchema, async ({ syncId, full, ...step }) => {
      const exclusion = plan(step.exclusion);
      await assertKnownOrganization(dependencies, cancellationSignal());
      await clearStaging(ledger, syncId);
      const last = await ledger.exclusionScans.get(exclusion.name);
      const blacklistId = (await ledger.blacklists.get(exclusion.blacklist))?.blacklistId;
      const since = full ? null : planDeltaStart(exclusion, { last, blacklistId }, now());
      const { files: _, ...scanned } = await scanSources(dependencies, { syncId, exclusion, since }, activityContext());
      return scanned;
    }),

    /** Finds or creates the blacklist, and stages its entries. `missing`: wanted entries that it lacks. */
    openBlacklist: checked(openBlacklistSchema, async ({ syncId, kind, ...step }) => {
      const exclusion = plan(step.exclusion);
      await assertKnownOrganization(dependencies, cancellationSignal());
      const found = await findBlacklist(dependencies, exclusion, cancellationSignal());
      const renamed =
        found === null ? null : await followSettings(dependencies, exclusion, found, cancellationSignal());
      const { id: blacklistId } = found ?? (await createBlacklist(dependencies, exclusion, cancellationSignal()));
      await ledger.blacklists.save({ name: exclusion.blacklist, blacklistId });
      const present = await stageExisting(dependencies, { syncId, blacklistId, kind }, activityContext());
      if (kind === 'full') {
        assertNotEmptied(exclusion, { wanted: await exclusions.countWanted(syncId), existing: present });
      }
      const last = await ledger.exclusionScans.get(exclusion.name);
      // A delta scan is not enough for another blacklist than that of the last full scan, or for one that was emptied.
      const isEnough = kind === 'full' || (last?.blacklistId === blacklistId && present > 0);
      const missing = await exclusions.countAdditions(syncId);
      return { blacklistId, present, missing, isEnough, ...(renamed && { renamed }) };
    }),

    /** A retry reads the blacklist again: the answer to an earlier request may have been lost. */
    addExclusions: checked(addExclusionsSchema, async (step) => {
      const { syncId, blacklistId, kind } = step;
      await assertKnownBlacklist(ledger, blacklistId);
      if (isRetry()) await stageExisting(dependencies, step, activityContext());
      let added = 0;
      let after = '';
      for (;;) {
        const rows = await exclusions.listAdditions(syncId, { limit: limits.entriesPerAdd.max, after });
        if (rows.length === 0) return { added };
        after = rows.at(-1)?.hash ?? after;
        const entries = rows.map(({ entry }) => entry);
        const signal = cancellationSignal();
        const created = await prospecting.blacklists.addEntries(blacklistId, entries, { signal });
        if (!isStoredAsSent(rows, created, kind)) await removeChangedEntries(prospecting, blacklistId, created);
        await exclusions.addExisting(
          syncId,
          created.map((entry) => toExisting(entry, kind)),
        );
        recordProgress((added += created.length));
      }
    }),

    /** Decides which removals wait for approval. Only after a full scan: a delta scan does not know all wanted entries. */
    evaluateRemovals: checked(evaluateRemovalsSchema, async ({ added, scan, ...input }) => {
      const step = { ...input, exclusion: plan(input.exclusion) };
      await assertOwnBlacklist(ledger, step.exclusion, step.blacklistId);
      // Another run may have added the same entries in the meantime: one copy of each is then superfluous.
      if (isRetry() || added > 0) await stageExisting(dependencies, { ...step, kind: 'full' }, activityContext());
      const shrunk = findShrunkSources(step.exclusion, await ledger.exclusionScans.get(step.exclusion.name), scan);
      return applySafetyLimit(ledger, { ...step, shrunkSources: Object.keys(shrunk) }, now());
    }),

    /**
     * Removes superfluous entries, except those that await approval (`pending`), which a retry may have to determine again. `removed`
     * counts the removals of all attempts.
     */
    removeExclusions: checked(removeExclusionsSchema, async ({ released, approved, ...input }) => {
      const step = { ...input, exclusion: plan(input.exclusion) };
      const { syncId, blacklistId, exclusion } = step;
      await assertOwnBlacklist(ledger, exclusion, blacklistId);
      let { pending } = step;
      if (isRetry()) {
        await stageExisting(dependencies, { ...step, kind: 'full' }, activityContext());
        await forgetFailedRemovals(ledger, syncId);
        pending ??= await applySafetyLimitToRetry(ledger, { ...step, released }, now());
      }
      let done = 0;
      for await (const page of readRemovals(ledger, syncId)) {
        // openBlacklist rejects a scan without wanted entries: the sync was closed in the meantime.
        if (!(await exclusions.hasWanted(syncId))) return { removed: await countSentRemovals(ledger, syncId), pending };
        const waiting = new Set(pending === null ? [] : page.released.map(({ entryId }) => entryId));
        const removals = page.rows.filter(({ entryId }) => !waiting.has(entryId));
        const entryIds = removals.map(({ entryId }) => entryId);
        if (entryIds.length === 0) continue;
        // Before the request: a retry then also counts the removals whose answer was lost.
        await exclusions.addExisting(sentRemovalsId(syncId), removals);
        await prospecting.blacklists.removeEntries(blacklistId, entryIds, { signal: cancellationSignal() });
        await exclusions.markRemoved(syncId, entryIds);
        recordProgress((done += entryIds.length));
      }
      if (pending === null) await ledger.exclusionRemovals.settle(exclusion.name, approved, now().toISOString());
      return { removed: await countSentRemovals(ledger, syncId), pending };
    }),

    /** Saves where the next scan starts. Only after all additions: a failed sync must read the same changes again. */
    rememberScan: checked(rememberScanSchema, async ({ blacklistId, scan, removalsWait, ...step }) => {
      const exclusion = plan(step.exclusion);
      await assertOwnBlacklist(ledger, exclusion, blacklistId);
      const last = await ledger.exclusionScans.get(exclusion.name);
      await ledger.exclusionScans.save(toLastScan(exclusion, { blacklistId, scan, removalsWait }, last));
    }),

    /** Deletes the staged companies of a sync that has ended. */
    closeExclusions: checked(syncSchema, async ({ syncId }) => clearStaging(ledger, syncId)),
  };
}

async function clearStaging({ exclusions }: Ledger, syncId: string): Promise<void> {
  await exclusions.clear(syncId);
  await exclusions.clearExisting(sentRemovalsId(syncId));
}

/** Staging of the entries whose removal was requested. */
function sentRemovalsId(syncId: string): string {
  return `${syncId}/sent`;
}

function countSentRemovals({ exclusions }: Ledger, syncId: string): Promise<number> {
  return exclusions.countExisting(sentRemovalsId(syncId));
}

/** Entries that still exist were not removed by the request of an earlier attempt. */
async function forgetFailedRemovals({ exclusions }: Ledger, syncId: string): Promise<void> {
  for await (const entries of exclusions.existingEntries(syncId)) {
    const entryIds = entries.map(({ entryId }) => entryId);
    await exclusions.markRemoved(sentRemovalsId(syncId), entryIds);
  }
}

/** A changed or missing entry would be added again, and its copy removed, by every following sync. */
function isStoredAsSent(sent: readonly { hash: string }[], created: readonly Entry[], kind: ScanKind): boolean {
  const hashes = new Set(created.map(entryHashes[kind]));
  return created.length === sent.length && sent.every(({ hash }) => hashes.has(hash));
}

async function removeChangedEntries(
  { blacklists }: ProspectingClient,
  blacklistId: string,
  created: readonly Entry[],
): Promise<never> {
  for (let from = 0; from < created.length; from += limits.entryIdsPerRemove.max) {
    const entryIds = created.slice(from, from + limits.entryIdsPerRemove.max).map(({ id }) => id);
    await blacklists.removeEntries(blacklistId, entryIds, { signal: cancellationSignal() });
  }
  throw nonRetryable(
    'EntriesChanged',
    `the service stored blacklist entries with other values than were sent; these ${created.length} were removed again`,
  );
}
