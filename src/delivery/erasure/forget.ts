/** Forgets a person or a company: everywhere in the ledger and in files, and for later results. HubSpot and the service are not changed. */
import type { FoundCrmRecord } from '../../ledger/erasure-context.ts';
import type { ErasedRows } from '../../ledger/erasures.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createErasureFailures, type FailedPlace } from '../../ledger/erasure-failures.ts';
import { addressKey } from '../../ledger/identity.ts';
import { toIdentifierTest, type Identifier } from '../../ledger/redaction/identifiers.ts';
import { listFiles, type ErasedFiles, type ErasureContext } from './erase-files.ts';
import { eraseAllFiles } from './erase-all-files.ts';

export interface ForgetPreview {
  readonly identifiers: readonly Identifier[];
  readonly orders: number;
  /** Records that were written for them. They stay in HubSpot. */
  readonly records: readonly FoundCrmRecord[];
  /** Time of an earlier `forget` of the same person or company; null if there was none. */
  readonly forgottenAt: string | null;
  /** The domain has an entry in the suppressions, which stays: orders need it. Entries of people are among `tables`. */
  readonly isInSuppressions: boolean;
  readonly tables: readonly ErasedRows[];
  /** Paths. */
  readonly files: readonly string[];
  /** Places that could not be read. */
  readonly failed: readonly FailedPlace[];
}

export interface Erasure {
  readonly tables: readonly ErasedRows[];
  readonly files: ErasedFiles;
  /** False: another process still reads the write-ahead log of SQLite, which holds former contents until it ends. */
  readonly compacted: boolean;
  /** The other places were erased, and the next erasure continues. */
  readonly failed: readonly FailedPlace[];
}

/** The file of SQLite could not be rewritten. */
export const compactionPlace = 'ledger.db, rewritten without erased rows';

export interface ForgetOptions extends ErasureContext {
  /** Identifiers that the stored body of a reply suppresses, for a refusal that is not processed yet. */
  readonly readRefusal: (body: string | null) => Identifier[];
}

export async function previewForget(ledger: Ledger, given: Identifier): Promise<ForgetPreview> {
  const failures = createErasureFailures();
  const { attempt, failed } = failures;
  const identifiers = await ledger.erasures.findIdentifiers(given);
  const { orderIds, tables, records } = await ledger.erasures.previewForget(identifiers, failures);
  const files = await attempt('files of orders', [], () => listFiles(ledger, orderIds));
  const rejects = await attempt('files of rejected rows', [], () =>
    ledger.rejectedRows.filesNaming(toIdentifierTest(identifiers)),
  );
  const known = await attempt('records', [], () => readKnownRecords(ledger, identifiers));
  const forgottenAt = await ledger.tombstones.forgottenAt(given);
  const isInSuppressions = await attempt('suppressions', false, () => ledger.suppressions.hasDomain(given));
  return {
    identifiers,
    orders: orderIds.length,
    tables,
    records: distinctRecords([...records, ...known]),
    forgottenAt,
    isInSuppressions,
    files: [...files, ...rejects],
    failed,
  };
}

/** The tombstones come first: when the process dies after them, the next `forget` of anybody completes the erasure. */
export async function forget(
  ledger: Ledger,
  identifiers: readonly Identifier[],
  { readRefusal, ...context }: ForgetOptions,
): Promise<Erasure> {
  const failures = createErasureFailures(context.signal);
  const at = context.now().toISOString();
  await ledger.tombstones.add(identifiers, at);
  const tables = await ledger.erasures.forget(at, failures, readRefusal);
  await ledger.erasures.finish(at, context.now().toISOString());
  const files = await eraseAllFiles(ledger, context, failures);
  const compacted = await failures.attempt(compactionPlace, false, () => ledger.erasures.compact());
  return { tables, files, compacted, failed: failures.failed };
}

/** Finds records by the keys of contacts, which stay when retention removes the results. */
async function readKnownRecords({ records }: Ledger, identifiers: readonly Identifier[]): Promise<FoundCrmRecord[]> {
  const emails = identifiers.flatMap(({ kind, value }) => (kind === 'email' ? [value] : []));
  const contacts = await records.ids('contacts', emails.map(addressKey));
  return [...contacts.values()].map((id) => ({ object: 'contacts', id }));
}

function distinctRecords(records: readonly FoundCrmRecord[]): FoundCrmRecord[] {
  return [...new Map(records.map((record) => [`${record.object} ${record.id}`, record])).values()];
}
