/** Brings a blacklist to the wanted state: adds before removals, only differences sent, no key on any write. */
import { limits, type Blacklist } from '../src/contract/index.ts';
import { entryProblems, toEntryFromCrm, toEntryFromCsv } from '../src/mapping/exclusion-entry.ts';
import { digest } from '../src/reconcile/canonical.ts';
import type { PresentExclusion } from '../src/ledger/exclusions.ts';
import type { ExclusionPlan } from '../src/run-plan.ts';
import { entryInputSchema, type Entry, type EntryInput } from '../src/contract/index.ts';
import type { Clients } from './clients.ts';
import { readSource } from './company-source.ts';
import { final } from './failures.ts';
import { cancellation, isRepeated, reached } from './progress.ts';

/** Stands in the description of every blacklist that prospect-sync made: others are not touched. */
const ownershipMark = 'Kept by prospect-sync; entries made by hand are removed.';

export interface SyncStep {
  readonly syncId: string;
  readonly blacklistId: string;
}

export function createExclusionActivities({ prospecting, hubspot, ledger }: Clients) {
  async function readPresent({ syncId, blacklistId }: SyncStep): Promise<number> {
    await ledger.exclusions.clearPresent(syncId);
    let read = 0;
    for await (const entries of prospecting.blacklists.entries(blacklistId, { signal: cancellation() })) {
      await ledger.exclusions.present(
        syncId,
        entries.map((entry) => ({ entryId: entry.id, hash: entryHash(entry) })),
      );
      read += entries.length;
      reached(read);
    }
    return read;
  }

  return {
    /** Reads who is to be excluded into the ledger. */
    async readExclusions({ syncId, exclusion }: { syncId: string; exclusion: ExclusionPlan }) {
      await clearStaging(syncId);
      let unusable = 0;
      let read = 0;
      const pages = readSource(hubspot, exclusion.source, {
        fromCrm: (record) => toEntryFromCrm(record, exclusion.reason),
        fromCsv: (row) => toEntryFromCsv(row, exclusion.reason),
        problems: entryProblems,
      });
      for await (const page of pages) {
        await ledger.exclusions.want(
          syncId,
          page.rows.map((entry) => ({ hash: entryHash(entry), json: JSON.stringify(entry) })),
        );
        unusable += page.unusable;
        read += page.rows.length;
        reached(read);
      }
      return { wanted: await ledger.exclusions.wantedCount(syncId), unusable };
    },

    /** Finds the blacklist by the ledger's id or by name, makes it when there is none, and reads what it holds. */
    async openBlacklist({ syncId, exclusion }: { syncId: string; exclusion: ExclusionPlan }) {
      const blacklist = await findOrCreate(exclusion);
      await ledger.blacklists.save({ name: exclusion.blacklist, blacklistId: blacklist.id });
      const present = await readPresent({ syncId, blacklistId: blacklist.id });
      const wanted = await ledger.exclusions.wantedCount(syncId);
      if (wanted === 0 && present > 0) {
        throw final(
          'ExclusionsEmpty',
          `the sources of exclusions.${exclusion.name} hold no company, but its blacklist has ${present} entries: ` +
            'nothing was removed. Check the sources and the scopes of the CRM token, or delete the blacklist.',
        );
      }
      return { blacklistId: blacklist.id, present };
    },

    /** A lost answer leaves nobody knowing what was added: every further attempt first reads the blacklist again. */
    async addExclusions(step: SyncStep) {
      if (isRepeated()) await readPresent(step);
      let added = 0;
      let after = '';
      for (;;) {
        const rows = await ledger.exclusions.additions(step.syncId, { limit: limits.entriesPerAdd.max, after });
        if (rows.length === 0) return { added };
        after = rows.at(-1)?.hash ?? after;
        const entries = rows.map(({ json }): EntryInput => entryInputSchema.parse(JSON.parse(json)));
        const created = await prospecting.blacklists.addEntries(step.blacklistId, entries, { signal: cancellation() });
        if (!isKept(rows, created)) await takeBack(step.blacklistId, created);
        await ledger.exclusions.present(
          step.syncId,
          created.map((entry) => ({ entryId: entry.id, hash: entryHash(entry) })),
        );
        added += created.length;
        reached(added);
      }
    },

    /** Removes what is not wanted. */
    async removeExclusions({ added, ...step }: SyncStep & { readonly added: number }) {
      // Another run may have added the same meanwhile: one of each is then superfluous.
      if (isRepeated() || added > 0) await readPresent(step);
      let removed = 0;
      let after: PresentExclusion = { hash: '', entryId: '' };
      for (;;) {
        const rows = await ledger.exclusions.removals(step.syncId, { limit: limits.entryIdsPerRemove.max, after });
        // Nothing wanted does not mean that all is superfluous (openBlacklist refuses that): the sync was closed meanwhile.
        if (rows.length === 0 || !(await ledger.exclusions.isAnyWanted(step.syncId))) return { removed };
        after = rows.at(-1) ?? after;
        const entryIds = rows.map(({ entryId }) => entryId);
        await prospecting.blacklists.removeEntries(step.blacklistId, entryIds, { signal: cancellation() });
        await ledger.exclusions.gone(step.syncId, entryIds);
        removed += entryIds.length;
        reached(removed);
      }
    },

    /** Forgets the companies of a sync that is over. */
    async closeExclusions({ syncId }: { syncId: string }) {
      await clearStaging(syncId);
    },
  };

  /** What cannot be recognised later must not stay, or every run would add it again. */
  async function takeBack(blacklistId: string, created: readonly Entry[]): Promise<never> {
    for (let from = 0; from < created.length; from += limits.entryIdsPerRemove.max) {
      const ids = created.slice(from, from + limits.entryIdsPerRemove.max).map(({ id }) => id);
      await prospecting.blacklists.removeEntries(blacklistId, ids, { signal: cancellation() });
    }
    throw final(
      'EntriesChanged',
      `the service stored blacklist entries otherwise than they were sent; these ${created.length} were removed again`,
    );
  }

  /** What is present goes first: without what is wanted, all of it would look superfluous to an attempt that still runs. */
  async function clearStaging(syncId: string): Promise<void> {
    await ledger.exclusions.clearPresent(syncId);
    await ledger.exclusions.clear(syncId);
  }

  async function findOrCreate({ name, blacklist, description, adopt }: ExclusionPlan): Promise<Blacklist> {
    const options = { signal: cancellation() };
    const known = await ledger.blacklists.get(blacklist);
    const listed = await prospecting.blacklists.list(options);
    // Two runs at once, or a lost answer, can leave two of one name: the oldest is the one to go on with.
    const sameName = listed.filter((candidate) => candidate.name === blacklist).toSorted(byAge);
    const found = listed.find(({ id }) => id === known?.blacklistId) ?? sameName.find(isMarked) ?? sameName[0];
    if (found === undefined) {
      // The configured text may take the whole room; the mark must not be what makes it too long.
      const room = limits.blacklistDescription.max - ownershipMark.length - 1;
      const text = description === null ? ownershipMark : `${description.slice(0, room)}\n${ownershipMark}`;
      return prospecting.blacklists.create({ name: blacklist, description: text }, options);
    }
    if (!isMarked(found) && known?.blacklistId !== found.id && !adopt) {
      throw final(
        'BlacklistNotOurs',
        `exclusions.${name}: the service has a blacklist of that name (${found.id}) that prospect-sync did not make. ` +
          `Choose another name, or set exclusions.${name}.adopt: true to let prospect-sync replace its entries.`,
      );
    }
    return found;
  }
}

/** Two entries are the same when everything a client can set is the same. */
function entryHash(entry: EntryInput | Entry): string {
  const { company_name, website_url, city, country, external_id, reason } = entry;
  return digest([
    company_name,
    website_url ?? null,
    city ?? null,
    country ?? null,
    external_id ?? null,
    reason ?? null,
  ]);
}

/** True when the service stored every entry, and each as it was sent: others would look superfluous in the next step. */
function isKept(sent: readonly { hash: string }[], created: readonly Entry[]): boolean {
  const hashes = new Set(created.map(entryHash));
  return created.length === sent.length && sent.every(({ hash }) => hashes.has(hash));
}

function isMarked({ description }: Blacklist): boolean {
  return description?.includes(ownershipMark) === true;
}

function byAge(a: Blacklist, b: Blacklist): number {
  const [older, younger] = [`${a.created_at} ${a.id}`, `${b.created_at} ${b.id}`];
  return older < younger ? -1 : 1;
}
