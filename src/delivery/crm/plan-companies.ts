/** Plans the company writes of a batch: groups rows of the same company, matches them, and chooses the values to write. */
import type { Company } from '../../service/contract/index.ts';
import { toCompanyProperties, toUnenrichedProperties } from '../mapping/crm-properties.ts';
import { isErased } from '../../base/json/erased-mark.ts';
import { adoptionDomains, companyKey } from '../../ledger/identity.ts';
import { matchCompanies, type CompanyIdentity } from './match-companies.ts';
import { findDeletedRecords, findMergedRecords, otherCompany, propertyNames, type Match } from './record-match.ts';
import {
  isSettled,
  type BatchSlot,
  type Projection,
  type ProjectionDependencies,
  type RecordOutcome,
  type SlotBatch,
} from './slot-batch.ts';
import type { RecordWrite } from './record-write.ts';

/** A slot, and the values by which its company is matched. */
interface CompanyRow extends CompanyIdentity {
  readonly slot: BatchSlot;
  /** null unless the slot is enriched: other slots are written only to their submitted record. */
  readonly company: Company | null;
}

export interface CompanyPlan {
  readonly writes: readonly RecordWrite[];
  /** Outcomes of rows that are not written. */
  readonly outcomes: readonly RecordOutcome[];
  /** Rows whose company another row of the batch writes. */
  readonly duplicateRows: readonly DuplicateRow[];
}

interface DuplicateRow {
  readonly row: CompanyRow;
  readonly primaryRow: CompanyRow;
}

export async function planCompanies(dependencies: ProjectionDependencies, batch: SlotBatch): Promise<CompanyPlan> {
  const { projection } = batch;
  const rows = batch.slots.filter((slot) => !isSettled(slot, 'company')).map((slot) => toCompanyRow(slot, projection));
  const groups = groupByCompany(rows);
  const primaryRows = groups.map(({ primaryRow }) => primaryRow);
  const duplicateRows = groups.flatMap(({ primaryRow, others }) => others.map((row) => ({ row, primaryRow })));
  const settled = new Map(primaryRows.map((row) => [row, outcomeWithoutMatch(row)]));
  const matchable = primaryRows.filter((row) => settled.get(row) === null);

  const names = propertyNames('companies', projection.plan.mapping);
  const matches = await matchCompanies(dependencies, matchable, names);
  const originals = await findOriginalRecords(dependencies, batch, matchable);
  const owners = assignRecords(matches);
  const unmatchedKeys = [...matches].flatMap(([{ key }, { record }]) => (record === null ? (key ?? []) : []));
  const deleted = await findDeletedRecords(dependencies, 'companies', unmatchedKeys, projection);
  const withOtherKey = [...matches].flatMap(
    ([
      { key },
      {
        problem,
        candidates: [candidate],
      },
    ]): [string, string][] =>
      problem !== otherCompany || key === null || candidate === undefined ? [] : [[key, candidate]],
  );
  const candidates = new Map(withOtherKey);
  const knownIds = await dependencies.ledger.records.ids('companies', [...candidates.keys()]);
  const merged = await findMergedRecords(dependencies, knownIds, candidates);
  const writes: RecordWrite[] = [];
  const unwritten: RecordOutcome[] = [];
  for (const [row, matched] of matches) {
    const match = { ...matched, candidates: [...new Set([...matched.candidates, ...(originals.get(row) ?? [])])] };
    const outcome = outcomeWithoutWrite(row, match, { owners, deleted, merged }, projection);
    if (outcome !== null) unwritten.push(outcome);
    else
      writes.push({ slot: row.slot, item: 'company', key: row.key, match, properties: toProperties(row, projection) });
  }
  const unmatched = [...settled.values()].filter((outcome) => outcome !== null);
  return { writes, outcomes: [...unmatched, ...unwritten], duplicateRows };
}

/** Duplicate rows get the record of their primary row. `recordIds`: by position. */
export function skipDuplicateRows(
  { duplicateRows }: CompanyPlan,
  recordIds: ReadonlyMap<number, string | null>,
): RecordOutcome[] {
  return duplicateRows.map(({ row, primaryRow }) =>
    toOutcome(row, 'skipped', toDuplicateRule(row), recordIds.get(primaryRow.slot.position) ?? null),
  );
}

function toCompanyRow(slot: BatchSlot, { externalIdsAreRecordIds }: Projection): CompanyRow {
  const { status, company: published, external_id: externalId } = slot.slot;
  const company = status === 'ENRICHED' ? published : null;
  return {
    slot,
    company,
    submittedId: externalIdsAreRecordIds && externalId ? externalId : null,
    duplicateRecordIds: company === null ? [] : slot.duplicateRecordIds,
    key: company === null ? null : companyKey(company),
    domains: company === null ? [] : adoptionDomains(company),
  };
}

/** Rows with the same submitted record or the same key are one company; an enriched row is the primary one. */
function groupByCompany(rows: readonly CompanyRow[]) {
  const groups = Map.groupBy(rows, (row) => {
    const { isLeak, isSuppressed, rowMismatch } = row.slot;
    if (isLeak || isSuppressed || rowMismatch !== null || isErased(row.slot.slot['raw'])) return row;
    if (row.submittedId !== null) return `record ${row.submittedId}`;
    return row.key === null ? row : `key ${row.key}`;
  });
  return [...groups.values()].flatMap((group) => {
    const primaryRow = group.find(({ company }) => company !== null) ?? group[0];
    return primaryRow === undefined ? [] : [{ primaryRow, others: group.filter((row) => row !== primaryRow) }];
  });
}

/** The outcome of a row that is not matched, or null. */
function outcomeWithoutMatch(row: CompanyRow): RecordOutcome | null {
  const { slot, company, submittedId, key } = row;
  if (slot.isLeak) return toOutcome(row, 'skipped', 'exclusion_leak');
  if (isErased(slot.slot['raw'])) return toOutcome(row, 'skipped', 'forgotten');
  if (slot.isSuppressed) return toOutcome(row, 'skipped', 'suppressed');
  if (slot.rowMismatch !== null) return toOutcome(row, 'quarantined', slot.rowMismatch);
  if (submittedId !== null) return null;
  if (company === null) return toOutcome(row, 'skipped', 'not_enriched');
  // Without a key, every pass would create the company again.
  return key === null ? toOutcome(row, 'quarantined', 'company_identity_missing') : null;
}

/** A DUPLICATE row means that two submitted records are the same company. @returns the record of the original row, by row */
async function findOriginalRecords(
  { ledger }: ProjectionDependencies,
  { duplicates, projection: { orderId, externalIdsAreRecordIds } }: SlotBatch,
  rows: readonly CompanyRow[],
): Promise<Map<CompanyRow, string[]>> {
  const originals = new Map<CompanyRow, string[]>();
  if (!externalIdsAreRecordIds) return originals;
  const recordIds = new Map<number, string | null>();
  for (const row of rows) {
    const { status, duplicate_of_input_position: original } = row.slot.slot;
    if (status !== 'DUPLICATE' || typeof original !== 'number') continue;
    if (!recordIds.has(original)) {
      const [stored] = await ledger.slots.read(orderId, { from: original, to: original + 1 });
      recordIds.set(original, stored?.externalId ?? duplicates.get(original)?.[0] ?? null);
    }
    const recordId = recordIds.get(original) ?? null;
    if (recordId !== null && recordId !== row.submittedId) originals.set(row, [recordId]);
  }
  return originals;
}

/** The row that writes each record, by record id: an enriched row, or else the row that submitted the record. */
function assignRecords(matches: ReadonlyMap<CompanyRow, Match>): Map<string, CompanyRow> {
  const rank = ({ company, submittedId }: CompanyRow) => (company === null ? 2 : submittedId === null ? 1 : 0);
  const owners = new Map<string, CompanyRow>();
  for (const [row, { record }] of matches) {
    const id = record?.id;
    const owner = id === undefined ? undefined : owners.get(id);
    if (id !== undefined && (owner === undefined || rank(row) < rank(owner))) owners.set(id, row);
  }
  return owners;
}

interface KnownRecords {
  /** The row that writes each record, by record id. */
  readonly owners: ReadonlyMap<string, CompanyRow>;
  /** Ids of records that a person deleted, by key. */
  readonly deleted: ReadonlyMap<string, string>;
  /** Keys of companies whose record a person merged into that of another company. */
  readonly merged: ReadonlySet<string>;
}

/** The outcome of a matched row that is not written, or null. */
function outcomeWithoutWrite(
  row: CompanyRow,
  { rule: matchedBy, record, problem, candidates }: Match,
  { owners, deleted, merged }: KnownRecords,
  { orderId }: Projection,
): RecordOutcome | null {
  const evidence = { matchedBy, candidates };
  // The person decided that both are one company, so that nothing is left to do.
  if (problem === otherCompany && merged.has(row.key ?? ''))
    return { ...toOutcome(row, 'skipped', 'merged_in_hubspot'), ...evidence };
  if (problem !== null) return { ...toOutcome(row, 'quarantined', problem), ...evidence };
  if (record === null) {
    const deletedId = deleted.get(row.key ?? '');
    if (deletedId === undefined) return null;
    return { ...toOutcome(row, 'skipped', 'deleted_in_hubspot'), matchedBy: 'key', candidates: [deletedId] };
  }
  if (owners.get(record.id) === row && !isWrittenByAnotherRow(record.properties, row, orderId)) return null;
  return { ...toOutcome(row, 'skipped', toDuplicateRule(row), record.id), ...evidence };
}

/** One row of an order writes a record, an enriched one or else the first. Otherwise its rows would overwrite each other in every pass. */
function isWrittenByAnotherRow(
  properties: Readonly<Record<string, string | null>>,
  { slot, company }: CompanyRow,
  orderId: string,
): boolean {
  const ownPosition = slot.slot.input_position;
  const position = Number(properties['prospect_sync_position'] ?? ownPosition);
  if (properties['prospect_sync_order_id'] !== orderId || position === ownPosition) return false;
  const isEnriched = properties['prospect_sync_status'] === 'ENRICHED';
  return isEnriched === (company !== null) ? position < ownPosition : isEnriched;
}

function toProperties({ slot: { slot }, company }: CompanyRow, { provenance, plan }: Projection) {
  return company === null
    ? toUnenrichedProperties(slot, provenance, plan.mapping)
    : toCompanyProperties(slot, company, provenance, plan.mapping);
}

function toDuplicateRule({ submittedId }: CompanyRow): 'same_company' | 'same_record' {
  return submittedId === null ? 'same_company' : 'same_record';
}

function toOutcome(
  { slot, key }: CompanyRow,
  outcome: 'skipped' | 'quarantined',
  rule: string,
  recordId: string | null = null,
): RecordOutcome {
  return { position: slot.position, item: 'company', outcome, rule, recordId, matchKey: key };
}
