/** The tables with personal data: how a forgotten person is found in each, and what remains. A new table is one more entry. */
import { jsonNamesForgotten } from './redaction/redact-slot.ts';
import type { ErasablePlace, ExpiryContext, ForgetContext } from './erasure-context.ts';
import {
  expireReplacedSlots,
  expireValueChanges,
  expireWrittenValues,
  forgetReplacedSlots,
  forgetValueChanges,
  forgetWrittenValues,
} from './erase-slot-copies.ts';
import { sweepCompanyIndex } from './company-index.ts';
import { expireDraftTable, forgetInDrafts } from './erase-drafts.ts';
import { eraseOrderSlots, forgetInSlots } from './erase-slots.ts';
import { findOld } from './retention-marks.ts';
import { forgetCompanyKeys } from './erase-company-keys.ts';
import { expireReplies, forgetReplies, forgetSuppressedNames, forgetSuppressions } from './erase-replies.ts';
import { forgetExcludedRows } from './excluded-rows.ts';
import { expireWebsites, forgetWebsites } from './erase-websites.ts';
import { forgetRejectedRows } from './rejected-rows.ts';
import { expireFrozenEntries } from './expire-frozen-entries.ts';
import { batchRows, pagesOf } from './query-batches.ts';

export const erasableTables: readonly ErasablePlace[] = [
  {
    name: 'slots.json, slots.external_id, company_index, outcomes.match_key, records, written_records',
    holds: 'published companies and people; the keys under which they are known in HubSpot',
    remains: 'digest, position, status, reason codes and times of the slot; outcomes with the ids of HubSpot',
    forget: forgetInSlots,
    expire: eraseOrderSlots,
  },
  {
    name: 'records.key',
    holds: 'domains under which companies are known in HubSpot, also those of expired orders',
    remains: 'nothing',
    forget: forgetCompanyKeys,
    expire: () => Promise.resolve(0),
  },
  {
    name: 'written_records.values_json',
    holds: 'the values that were written to HubSpot; those of forgotten people are deleted with their slots',
    remains: 'digests of the values',
    forget: forgetWrittenValues,
    expire: expireWrittenValues,
  },
  {
    name: 'value_changes.changes_json',
    holds: 'values of HubSpot before and after an order changed them',
    remains: 'nothing',
    forget: forgetValueChanges,
    expire: expireValueChanges,
  },
  {
    name: 'replaced_slots.json',
    holds: 'versions of slots that `ingest --accept-changes` has replaced',
    remains: 'digest and time',
    forget: forgetReplacedSlots,
    expire: expireReplacedSlots,
  },
  {
    name: 'draft_rows.json, draft_rows.own_json',
    holds: 'submitted companies, with all cells of your file',
    remains: 'position and number of the row',
    forget: forgetInDrafts,
    expire: (context) => expireDraftTable(context, 'draftRows'),
  },
  {
    name: 'excluded_rows.json',
    holds: 'companies of a source that match an exclusion and were not submitted',
    remains: 'number of the row, and the id of the matching entry',
    forget: forgetExcludedRows,
    expire: (context) => expireDraftTable(context, 'excludedRows'),
  },
  {
    name: 'rejected_rows.json',
    holds: 'rows of a source that break the contract, with all their cells; the CSV file that lists them is erased too',
    remains: 'number of the row, and the reasons',
    forget: forgetRejectedRows,
    expire: (context) => expireDraftTable(context, 'rejectedRows'),
  },
  {
    name: 'websites.markdown',
    holds: 'texts of the websites of delivered companies; their files are erased too',
    remains: 'when a text was fetched and erased',
    forget: forgetWebsites,
    expire: expireWebsites,
  },
  {
    name: 'frozen_entries.json, frozen_members',
    holds: 'entries of blacklists as they were when an order was placed',
    remains: 'digest of the blacklist; the other entries',
    forget: forgetFrozenEntries,
    expire: expireFrozenEntries,
  },
  {
    name: 'company_index.domain, company_index.name',
    holds: 'domains and names of the companies in excluded rows and entries of blacklists, which are erased with these',
    remains: 'nothing',
    forget: sweepCompanyIndex,
    expire: sweepCompanyIndex,
  },
  {
    name: 'exclusions_wanted.json, exclusions_found.json, exclusions_existing',
    holds: 'entries of a sync in progress; those of a killed one stay until the next sync',
    remains: 'nothing',
    forget: forgetStaging,
    expire: expireStaging,
  },
  {
    name: 'replies.body, replies.classification, replies.campaign_id',
    holds: 'replies to campaigns as they were received',
    remains: 'webhook id, classification, times, and the ids of the contact, note and task in HubSpot',
    forget: forgetReplies,
    expire: expireReplies,
  },
  {
    name: 'suppressions.value, suppressions.reason, suppressions.added_by, suppressions.removed_reason, suppressions.removed_by',
    holds:
      'addresses of suppressed people, and texts that name them; retention keeps them, since they must not be contacted again',
    remains: 'a keyed digest, so that the person stays suppressed',
    forget: forgetSuppressions,
    expire: () => Promise.resolve(0),
  },
  {
    name: 'suppressed_names',
    holds: 'names and cities of suppressed companies; retention keeps them, since these must not be ordered again',
    remains: 'nothing',
    forget: forgetSuppressedNames,
    expire: () => Promise.resolve(0),
  },
];

async function forgetFrozenEntries({ db, test, preview }: ForgetContext): Promise<number> {
  let found = 0;
  const read = (after: string) =>
    db
      .selectFrom('frozenEntries')
      .selectAll()
      .where('entryId', '>', after)
      .orderBy('entryId')
      .limit(batchRows)
      .execute();
  for await (const rows of pagesOf('', ({ entryId }) => entryId, read)) {
    const forgotten = rows.filter(({ json }) => jsonNamesForgotten(json, test)).map(({ entryId }) => entryId);
    found += forgotten.length;
    if (!preview && forgotten.length > 0)
      await db.deleteFrom('frozenEntries').where('entryId', 'in', forgotten).execute();
  }
  return found;
}

/** Also deletes the existing entries of the same company, so that a sync in progress does not remove them from the blacklist. */
async function forgetStaging({ db, test, preview }: ForgetContext): Promise<number> {
  const isForgotten = ({ json }: { json: string | null }) => json !== null && jsonNamesForgotten(json, test);
  const wanted = (
    await db.selectFrom('exclusionsWanted').select(['syncId', 'hash', 'matchKey', 'json']).execute()
  ).filter(isForgotten);
  const foundRows = await db.selectFrom('exclusionsFound').selectAll().execute();
  const found = foundRows.filter(isForgotten);
  if (!preview)
    await db.transaction().execute(async (transaction) => {
      for (const { syncId, hash, matchKey } of wanted) {
        const present = transaction.deleteFrom('exclusionsExisting').where('syncId', '=', syncId);
        await present.where((eb) => eb.or([eb('hash', '=', hash), eb('matchKey', '=', matchKey)])).execute();
        const staged = transaction.deleteFrom('exclusionsWanted').where('syncId', '=', syncId);
        await staged.where('hash', '=', hash).execute();
      }
      for (const { syncId, recordId } of found) {
        const staged = transaction.deleteFrom('exclusionsFound').where('syncId', '=', syncId);
        await staged.where('recordId', '=', recordId).execute();
      }
    });
  return wanted.length + found.length;
}

async function expireStaging(context: ExpiryContext): Promise<number> {
  const { db, preview } = context;
  const tables = ['exclusionsExisting', 'exclusionsWanted', 'exclusionsFound'] as const;
  const syncs = new Set<string>();
  for (const table of tables)
    for (const { syncId } of await db.selectFrom(table).select('syncId').distinct().execute()) syncs.add(syncId);
  const old = await findOld(context, 'staging', [...syncs]);
  let found = 0;
  for (const syncId of old) {
    for (const table of tables) {
      const { count } = await db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('syncId', '=', syncId)
        .executeTakeFirstOrThrow();
      found += count;
      if (!preview) await db.deleteFrom(table).where('syncId', '=', syncId).execute();
    }
  }
  return found;
}
