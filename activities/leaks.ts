/** Blacklists are frozen with an order, and what the order returns is held against them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { activityInfo } from '@temporalio/activity';
import { z } from 'zod';
import type { Entry } from '../src/contract/index.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { entryHash } from '../src/mapping/exclusion-identity.ts';
import { leakColumns, toLeakRow } from '../src/mapping/leak-rows.ts';
import type { FileReport, LeakFigures } from '../src/report/order-report.ts';
import { ProspectingError } from '../src/prospecting/prospecting-error.ts';
import { createLeakCheck, type Leak, type ReturnedCompany } from '../src/reconcile/leaks.ts';
import { writeCsv } from '../src/spreadsheet/csv-writer.ts';
import {
  checked,
  deliverySchema,
  digestSchema,
  entryIdSchema,
  orderIdSchema,
  workflowKeySchema,
  type OrderDelivery,
} from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { planDelivery } from './configured-run.ts';
import { assertKnownBlacklist, toPresent } from './exclusion-blacklist.ts';
import { cancellationSignal, recordProgress } from './activity-heartbeat.ts';

export interface FrozenBlacklist {
  readonly blacklistId: string;
  readonly digest: string;
}

const freezeSchema = z.object({ runKey: workflowKeySchema, blacklistIds: z.array(entryIdSchema) });
const attachSchema = z.object({
  orderId: orderIdSchema,
  frozen: z.array(z.object({ blacklistId: entryIdSchema, digest: digestSchema })),
});

export interface LeakReport {
  /** null: no run of ours placed the order, so that nobody knows what its blacklists held. */
  readonly leaks: LeakFigures | null;
  readonly file: FileReport | null;
}

/** Companies that are held against the blacklists at a time, about 1 KB of memory each; the blacklists are read once a time. */
const companiesAtOnce = 25_000;

/** Of an entry, what matching and evidence need. */
const keptSchema = z.object({
  id: z.string(),
  company_name: z.string(),
  website_url: z.string().nullable(),
  city: z.string().nullable(),
  external_id: z.string().nullable(),
  created_at: z.string(),
});

export function createLeakActivities({ prospecting, ledger, now, configuration }: ActivityDependencies) {
  return {
    /** Keeps what the blacklists of an order hold. Before the order is placed: what is added later is not its matter. */
    freezeBlacklists: checked(freezeSchema, async ({ runKey, blacklistIds }) => {
      const frozen: FrozenBlacklist[] = [];
      for (const blacklistId of blacklistIds) {
        await assertKnownBlacklist(ledger, blacklistId);
        frozen.push({ blacklistId, digest: await freezeAlone(blacklistId, `freeze/${runKey}/${blacklistId}`) });
      }
      return frozen;
    }),

    attachBlacklists: checked(attachSchema, async ({ orderId, frozen }) => {
      const orderedAt = now().toISOString();
      await ledger.exclusionSnapshots.attach(
        frozen.map(({ blacklistId, digest }) => ({ orderId, blacklistId, digest, orderedAt })),
      );
    }),

    /** Holds every returned company against the frozen blacklists, and against what stands in them now. */
    checkLeaks: checked(deliverySchema, async ({ orderId, runName }): Promise<LeakReport> => {
      const blacklists = await ledger.exclusionSnapshots.ofOrder(orderId);
      const [first] = blacklists;
      if (first === undefined) return { leaks: null, file: null };
      const leaks: Leak[] = [];
      for await (const companies of returnedCompanies(ledger, orderId)) {
        const check = createLeakCheck(companies);
        for (const { blacklistId, digest } of blacklists) {
          for await (const entries of ledger.exclusionSnapshots.entries(digest)) {
            for (const { json } of entries) check.addOrdered(keptSchema.parse(JSON.parse(json)));
            recordProgress(leaks.length);
          }
          for await (const entries of currentEntries(blacklistId)) {
            for (const entry of entries) check.addCurrent(entry);
            recordProgress(leaks.length);
          }
        }
        leaks.push(...check.leaks());
      }
      await ledger.leaks.replace(
        orderId,
        leaks.map(({ position, verdict, tier, entry }) => ({ position, verdict, tier, entryId: entry.id })),
      );
      const file = await writeEvidence({ orderId, runName }, leaks, first.orderedAt);
      const { LEAK, LATE, WEAK } = await ledger.leaks.tally(orderId);
      return { leaks: { leak: LEAK, late: LATE, weak: WEAK }, file };
    }),
  };

  /** An attempt that was given up may go on for a while: each has a staging of its own. */
  async function freezeAlone(blacklistId: string, prefix: string): Promise<string> {
    const { activityId, attempt, workflowExecution } = activityInfo();
    const stagingOf = (number: number) => `${prefix}/${workflowExecution?.runId}/${activityId}/${number}`;
    try {
      const digest = await freeze(blacklistId, stagingOf(attempt));
      // Those of attempts whose worker died; not before the snapshot is kept, since one may still be saving its own.
      for (let number = 1; number < attempt; number += 1) await ledger.exclusions.clearPresent(stagingOf(number));
      return digest;
    } finally {
      await ledger.exclusions.clearPresent(stagingOf(attempt));
    }
  }

  async function freeze(blacklistId: string, syncId: string): Promise<string> {
    const { exclusions, exclusionSnapshots } = ledger;
    await exclusions.clearPresent(syncId);
    let read = 0;
    for await (const entries of prospecting.blacklists.entries(blacklistId, { signal: cancellationSignal() })) {
      await exclusions.present(
        syncId,
        entries.map((entry) => toPresent(entry, entryHash)),
      );
      await exclusionSnapshots.describe(entries.map(toFrozen));
      recordProgress((read += entries.length));
    }
    const hash = createHash('sha256').update(blacklistId);
    let entries = 0;
    for await (const rows of exclusions.presentEntries(syncId)) {
      for (const row of rows) hash.update(`\n${row.entryId} ${row.hash}`);
      entries += rows.length;
    }
    const digest = hash.digest('hex');
    if (!(await exclusionSnapshots.has(digest))) {
      const snapshot = { digest, entries, frozenAt: now().toISOString() };
      await exclusionSnapshots.save(snapshot, entryIds(syncId));
    }
    return digest;
  }

  async function* entryIds(syncId: string): AsyncGenerator<string[]> {
    for await (const rows of ledger.exclusions.presentEntries(syncId)) {
      yield rows.map(({ entryId }) => entryId);
      recordProgress(rows.length);
    }
  }

  /** A blacklist that was deleted since holds nothing now. */
  async function* currentEntries(blacklistId: string) {
    try {
      yield* prospecting.blacklists.entries(blacklistId, { signal: cancellationSignal() });
    } catch (error) {
      if (!(error instanceof ProspectingError) || error.facts.status !== 404) throw error;
    }
  }

  /** Also when nothing leaks any more where a file told of leaks before. */
  async function writeEvidence({ orderId, runName }: OrderDelivery, leaks: readonly Leak[], orderedAt: string) {
    const isKnown = (await ledger.files.list(orderId)).some(({ kind }) => kind === 'leaks');
    if (leaks.length === 0 && !isKnown) return null;
    const { evidence: directory } = await planDelivery({ configuration, ledger }, { orderId, runName });
    const path = join(directory, `${orderId}.exclusion-leaks.csv`);
    const rows = (async function* () {
      yield leaks.map((leak) => toLeakRow(leak, orderedAt));
    })();
    const { rows: count, ...written } = await writeCsv({
      path,
      columns: leakColumns,
      rows,
      signal: cancellationSignal(),
    });
    const writtenAt = now().toISOString();
    await ledger.files.save({ orderId, kind: 'leaks', rows: count, ...written, writtenAt, contentJson: null });
    return { path, kind: 'leaks', rows: count } as const;
  }
}

async function* returnedCompanies(ledger: Ledger, orderId: string): AsyncGenerator<ReturnedCompany[]> {
  let companies: ReturnedCompany[] = [];
  for await (const slots of ledger.slots.streamParsed(orderId)) {
    for (const { position, slot } of slots) {
      const { company } = slot;
      if (company === null) continue;
      // Without the people: many companies have to fit.
      const { name, website_url, domain, city, source_id } = company;
      companies.push({ position, company: { name, website_url, domain, city, source_id } });
    }
    if (companies.length < companiesAtOnce) continue;
    yield companies;
    companies = [];
  }
  if (companies.length > 0) yield companies;
}

function toFrozen(entry: Entry) {
  return { entryId: entry.id, json: JSON.stringify(keptSchema.parse(entry)) };
}
