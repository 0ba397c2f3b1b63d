/** Freezes the blacklists of an order, and compares what the order returns with them. */
import { join } from 'node:path';
import { activityInfo } from '@temporalio/activity';
import { z } from 'zod';
import { assertKnownBlacklist } from '../src/companies/exclusions/exclusion-blacklist.ts';
import {
  findLeaks,
  type ComparedBlacklist,
  type JudgedBlacklist,
  type Leak,
  writeLeakEvidence,
} from '../src/companies/exclusions/find-leaks.ts';
import type { OrderBlacklist } from '../src/ledger/blacklist-store.ts';
import { isNotFound } from '../src/service/client/prospecting-error.ts';
import { freezeBlacklist, type FreezeStep } from '../src/companies/exclusions/freeze-blacklist.ts';
import type { FileReport } from '../src/delivery/files/order-spreadsheet.ts';
import type { LeakFigures } from '../src/proof/report/order-report.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { activityContext } from './activity-heartbeat.ts';
import {
  checked,
  deliverySchema,
  digestSchema,
  entryIdSchema,
  orderIdSchema,
  workflowKeySchema,
  type OrderDelivery,
} from './checked-input.ts';
import { planDelivery } from './configured-run.ts';

const freezeSchema = z.object({ runKey: workflowKeySchema, blacklistIds: z.array(entryIdSchema) });
const attachSchema = z.object({
  orderId: orderIdSchema,
  frozen: z.array(z.object({ blacklistId: entryIdSchema, digest: digestSchema })),
});

export interface LeakReport {
  /** null: no run of this ledger placed the order, so what its blacklists held is unknown. */
  readonly leaks: LeakFigures | null;
  readonly file: FileReport | null;
}

export function createLeakActivities(dependencies: ActivityDependencies) {
  const { ledger, now } = dependencies;
  return {
    /**
     * Keeps the entries of the blacklists, before the order is placed: entries that are added later do not bind the order. Removes
     * copies that arrived after the sync from blacklists of exclusions.
     */
    freezeBlacklists: checked(freezeSchema, async ({ runKey, blacklistIds }) => {
      const frozen: ComparedBlacklist[] = [];
      for (const blacklistId of blacklistIds) {
        const isAttached = await ledger.attachedBlacklists.isKnown(blacklistId);
        if (!isAttached) await assertKnownBlacklist(ledger, blacklistId);
        const prefix = `freeze/${runKey}/${blacklistId}`;
        const copies = isAttached ? 'keep' : 'remove';
        const digest = await freezeInOwnStaging(dependencies, { blacklistId, copies }, prefix);
        frozen.push({ blacklistId, digest });
      }
      return frozen;
    }),

    attachBlacklists: checked(attachSchema, async ({ orderId, frozen }) => {
      const orderedAt = now().toISOString();
      await ledger.exclusionSnapshots.attach(
        frozen.map(({ blacklistId, digest }) => ({ orderId, blacklistId, digest, orderedAt })),
      );
    }),

    /** Compares every returned company with the frozen blacklists, and with their entries now. */
    checkLeaks: checked(deliverySchema, async (delivery): Promise<LeakReport> => {
      const { orderId } = delivery;
      const attached = await ledger.exclusionSnapshots.ofOrder(orderId);
      const [first] = attached;
      if (first === undefined) return { leaks: null, file: null };
      const blacklists = await readJudged(dependencies, attached);
      const file = await ledger.erasures.untilUnchanged(orderId, async () => {
        const leaks = await findLeaks(dependencies, { orderId, blacklists }, activityContext());
        await ledger.leaks.replace(
          orderId,
          leaks.map(({ position, verdict, tier, entry }) => ({ position, verdict, tier, entryId: entry.id })),
        );
        return saveEvidence(dependencies, delivery, { leaks, orderedAt: first.orderedAt });
      });
      const { LEAK, LATE, WEAK } = await ledger.leaks.tally(orderId);
      return { leaks: { leak: LEAK, late: LATE, weak: WEAK }, file };
    }),
  };
}

/** Adds the snapshots after the publication, which are made once, if the service matches at that time. */
async function readJudged(
  dependencies: ActivityDependencies,
  attached: readonly OrderBlacklist[],
): Promise<JudgedBlacklist[]> {
  const { configuration } = dependencies;
  if (configuration.blacklistsMatched === 'at_order')
    return attached.map(({ blacklistId, digest }) => ({ blacklistId, digest }));
  const judged: JudgedBlacklist[] = [];
  for (const { orderId, blacklistId, digest, matchedDigest } of attached) {
    const matched = matchedDigest ?? (await freezeMatched(dependencies, orderId, blacklistId));
    judged.push({ blacklistId, digest, matchedDigest: matched });
  }
  return judged;
}

/** null for a blacklist that was deleted: whether before or after the match is unknown. */
async function freezeMatched(
  dependencies: ActivityDependencies,
  orderId: string,
  blacklistId: string,
): Promise<string | null> {
  try {
    const digest = await freezeInOwnStaging(
      dependencies,
      { blacklistId, copies: 'keep' },
      `matched/${orderId}/${blacklistId}`,
    );
    await dependencies.ledger.exclusionSnapshots.saveMatched(orderId, blacklistId, digest);
    return digest;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/** Each attempt has its own staging: an attempt that timed out can still be running. */
async function freezeInOwnStaging(
  dependencies: ActivityDependencies,
  blacklist: Omit<FreezeStep, 'stagingId'>,
  prefix: string,
): Promise<string> {
  const { exclusions } = dependencies.ledger;
  const { activityId, attempt, workflowExecution } = activityInfo();
  const toStagingId = (number: number) => `${prefix}/${workflowExecution?.runId}/${activityId}/${number}`;
  const stagingId = toStagingId(attempt);
  try {
    const digest = await freezeBlacklist(dependencies, { ...blacklist, stagingId }, activityContext());
    // Stagings of attempts whose worker died. Only now: until the snapshot exists, one of them may still be saving its own.
    for (let number = 1; number < attempt; number += 1) await exclusions.clearExisting(toStagingId(number));
    return digest;
  } finally {
    await exclusions.clearExisting(stagingId);
  }
}

/** An earlier evidence file is replaced even when no leaks remain. */
async function saveEvidence(
  { configuration, ledger, now }: ActivityDependencies,
  { orderId, runName }: OrderDelivery,
  { leaks, orderedAt }: { leaks: readonly Leak[]; orderedAt: string },
): Promise<FileReport | null> {
  const hasFile = (await ledger.files.list(orderId)).some(({ kind }) => kind === 'leaks');
  if (leaks.length === 0 && !hasFile) return null;
  const { evidenceDirectory, spreadsheets } = planDelivery({ configuration }, { orderId, runName });
  const path = join(evidenceDirectory, `${orderId}.exclusion-leaks.csv`);
  const written = await writeLeakEvidence(
    { path, form: spreadsheets?.csv },
    leaks,
    orderedAt,
    activityContext().signal,
  );
  const { rows, ...file } = written;
  const writtenAt = now().toISOString();
  await ledger.files.save({ orderId, kind: 'leaks', rows, ...file, writtenAt, content: null });
  return { path, kind: 'leaks', rows };
}
