/** Brings a blacklist to the wanted state: adds before removals, only differences sent, no key on any write. */
import { z } from 'zod';
import { entryInputSchema, limits, type Entry, type EntryInput } from '../src/contract/index.ts';
import {
  checked,
  countSchema,
  digestSchema,
  entryIdSchema,
  exclusionSchema,
  workflowKeySchema,
} from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { planExclusion } from './configured-run.ts';
import {
  assertKnownBlacklist,
  assertOwnBlacklist,
  assertNotEmptied,
  createBlacklist,
  findBlacklist,
  readPresent,
  toPresent,
} from '../src/exclusions/exclusion-blacklist.ts';
import type { Steps } from '../src/exclusions/hubspot-sources.ts';
import { holdRemovals, holdUnweighed, removalPages } from '../src/exclusions/removal-set.ts';
import { deltaStart, driedUp, hashesOf, scanSources, settingsDigest } from '../src/exclusions/scan-sources.ts';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import { removalReasons } from '../src/report/order-report.ts';
import { cancellationSignal, isRetry, recordProgress } from './activity-heartbeat.ts';

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
  driedUp: z.array(z.string().max(300)).readonly(),
});

/** `syncId` names the staging of a sync. */
const syncSchema = z.object({ syncId: workflowKeySchema });
const stepSchema = syncSchema.extend({ exclusion: exclusionSchema });
const readExclusionsSchema = stepSchema.extend({ full: z.boolean() });
const openBlacklistSchema = stepSchema.extend({ kind: kindSchema });
const addExclusionsSchema = syncSchema.extend({ blacklistId: entryIdSchema, kind: kindSchema });
/** `before`: entries of the blacklist before anything was added. */
const weighRemovalsSchema = stepSchema.extend({
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
/** `isHeld`: removals wait. */
const rememberScanSchema = z.object({
  exclusion: exclusionSchema,
  blacklistId: entryIdSchema,
  scan: scanSchema,
  isHeld: z.boolean(),
});

export function createExclusionActivities(clients: ActivityDependencies) {
  const { prospecting, ledger, now } = clients;
  const plan = (exclusion: { readonly name: string }) => planExclusion(clients, exclusion);
  return {
    /** Reads who is to be excluded into the ledger: everything, or what changed where that is allowed and enough. */
    readExclusions: checked(readExclusionsSchema, async ({ syncId, full, ...step }) => {
      const exclusion = plan(step.exclusion);
      await clearStaging(syncId);
      const since = full ? null : await deltaStart(clients, exclusion);
      return scanSources(clients, { syncId, exclusion, since }, steps());
    }),

    /**
     * Finds the blacklist by the ledger's id or by name, makes it when there is none, and reads what it holds. `missing`:
     * wanted entries that it lacks.
     */
    openBlacklist: checked(openBlacklistSchema, async ({ syncId, kind, ...step }) => {
      const exclusion = plan(step.exclusion);
      const found = await findBlacklist(clients, exclusion, cancellationSignal());
      const blacklist = found ?? (await createBlacklist(clients, exclusion, cancellationSignal()));
      await ledger.blacklists.save({ name: exclusion.blacklist, blacklistId: blacklist.id });
      const present = await readPresent(clients, { syncId, blacklistId: blacklist.id, kind }, steps());
      if (kind === 'full') {
        assertNotEmptied(exclusion, { wanted: await ledger.exclusions.wantedCount(syncId), present });
      }
      const last = await ledger.exclusionScans.get(exclusion.name);
      // What changed is enough only for the blacklist that everything was once added to, and that nobody has emptied.
      const isEnough = kind === 'full' || (last?.blacklistId === blacklist.id && present > 0);
      const missing = await ledger.exclusions.additionsCount(syncId);
      return { blacklistId: blacklist.id, present, missing, isEnough };
    }),

    /** A lost answer leaves nobody knowing what was added: every further attempt first reads the blacklist again. */
    addExclusions: checked(addExclusionsSchema, async (step) => {
      await assertKnownBlacklist(ledger, step.blacklistId);
      const hashOf = hashesOf[step.kind];
      if (isRetry()) await readPresent(clients, step, steps());
      let added = 0;
      let after = '';
      for (;;) {
        const rows = await ledger.exclusions.additions(step.syncId, { limit: limits.entriesPerAdd.max, after });
        if (rows.length === 0) return { added };
        after = rows.at(-1)?.hash ?? after;
        const entries = rows.map(({ json }): EntryInput => entryInputSchema.parse(JSON.parse(json)));
        const created = await prospecting.blacklists.addEntries(step.blacklistId, entries, {
          signal: cancellationSignal(),
        });
        if (!isKept(rows, created, hashOf)) await takeBack(step.blacklistId, created);
        await ledger.exclusions.present(
          step.syncId,
          created.map((entry) => toPresent(entry, hashOf)),
        );
        added += created.length;
        recordProgress(added);
      }
    }),

    /** What of the removals has to wait for approval. After a full scan only: another one has not seen who is wanted. */
    weighRemovals: checked(weighRemovalsSchema, async ({ added, scan, ...input }) => {
      const step = { ...input, exclusion: plan(input.exclusion) };
      await assertOwnBlacklist(ledger, step.exclusion, step.blacklistId);
      // Another run may have added the same meanwhile: one of each is then superfluous.
      if (isRetry() || added > 0) await readPresent(clients, { ...step, kind: 'full' }, steps());
      const dry = Object.keys(await driedUp(clients, step.exclusion, scan));
      return holdRemovals(ledger, { ...step, driedUp: dry }, now());
    }),

    /**
     * Removes what is not wanted, but for what has to wait: `pending`, which a repeated attempt may find anew. `removed`
     * counts all attempts.
     */
    removeExclusions: checked(removeExclusionsSchema, async ({ released, approved, ...input }) => {
      const step = { ...input, exclusion: plan(input.exclusion) };
      await assertOwnBlacklist(ledger, step.exclusion, step.blacklistId);
      const { syncId, blacklistId, exclusion } = step;
      const sentId = toSentId(syncId);
      if (isRetry()) {
        await readPresent(clients, { ...step, kind: 'full' }, steps());
        // What an earlier attempt sent and is still there was not removed.
        for await (const present of ledger.exclusions.presentEntries(syncId)) {
          await ledger.exclusions.gone(
            sentId,
            present.map(({ entryId }) => entryId),
          );
        }
      }
      const pending =
        step.pending === null && isRetry() ? await holdUnweighed(ledger, { ...step, released }, now()) : step.pending;
      const removedCount = () => ledger.exclusions.presentCount(sentId);
      let done = 0;
      for await (const page of removalPages(ledger, syncId)) {
        // Nothing wanted does not mean that all is superfluous (openBlacklist refuses that): the sync was closed meanwhile.
        if (!(await ledger.exclusions.isAnyWanted(syncId))) return { removed: await removedCount(), pending };
        const held = new Set(pending === null ? [] : page.released.map(({ entryId }) => entryId));
        const going = page.rows.filter(({ entryId }) => !held.has(entryId));
        const entryIds = going.map(({ entryId }) => entryId);
        if (entryIds.length === 0) continue;
        // Before the request: an attempt that loses its answer, or dies, still counts what it removed.
        await ledger.exclusions.present(sentId, going);
        await prospecting.blacklists.removeEntries(blacklistId, entryIds, { signal: cancellationSignal() });
        await ledger.exclusions.gone(syncId, entryIds);
        recordProgress((done += entryIds.length));
      }
      if (pending === null) await ledger.exclusionRemovals.settle(exclusion.name, approved, now().toISOString());
      return { removed: await removedCount(), pending };
    }),

    /** Remembers the scan, from which the next one goes on: only once all that it found stands in the blacklist. */
    rememberScan: checked(rememberScanSchema, async ({ blacklistId, scan, isHeld, ...step }) => {
      const exclusion = plan(step.exclusion);
      await assertOwnBlacklist(ledger, exclusion, blacklistId);
      const last = await ledger.exclusionScans.get(exclusion.name);
      // A source stays dried up until its removals were approved or it holds something again.
      const kept = isHeld ? await driedUp(clients, exclusion, scan) : {};
      await ledger.exclusionScans.save({
        name: exclusion.name,
        blacklistId,
        settingsDigest: settingsDigest(exclusion),
        lastScanAt: scan.startedAt,
        lastFullAt: scan.kind === 'full' ? scan.startedAt : (last?.lastFullAt ?? scan.startedAt),
        countsJson: scan.kind === 'full' ? JSON.stringify({ ...scan.counts, ...kept }) : (last?.countsJson ?? '{}'),
      });
    }),

    /** Forgets the companies of a sync that is over. */
    closeExclusions: checked(syncSchema, async ({ syncId }) => clearStaging(syncId)),
  };

  /** What cannot be recognised later must not stay, or every run would add it again. */
  async function takeBack(blacklistId: string, created: readonly Entry[]): Promise<never> {
    for (let from = 0; from < created.length; from += limits.entryIdsPerRemove.max) {
      const ids = created.slice(from, from + limits.entryIdsPerRemove.max).map(({ id }) => id);
      await prospecting.blacklists.removeEntries(blacklistId, ids, { signal: cancellationSignal() });
    }
    throw nonRetryable(
      'EntriesChanged',
      `the service stored blacklist entries otherwise than they were sent; these ${created.length} were removed again`,
    );
  }

  /** What is present goes first: without what is wanted, all of it would look superfluous to an attempt that still runs. */
  async function clearStaging(syncId: string): Promise<void> {
    await ledger.exclusions.clearPresent(syncId);
    await ledger.exclusions.clearPresent(toSentId(syncId));
    await ledger.exclusions.clear(syncId);
  }
}

/** Staging of the entries whose removal was sent. */
function toSentId(syncId: string): string {
  return `${syncId}/sent`;
}

function steps(): Steps {
  return { signal: cancellationSignal(), reached: recordProgress };
}

/** True when the service stored every entry, and each as it was sent: others would look superfluous in the next step. */
function isKept(
  sent: readonly { hash: string }[],
  created: readonly Entry[],
  hashOf: (entry: Entry) => string,
): boolean {
  const hashes = new Set(created.map(hashOf));
  return created.length === sent.length && sent.every(({ hash }) => hashes.has(hash));
}
