/** Forgets a person or a company: everywhere in the ledger and in files, and for later results. HubSpot and the service are not changed. */
import type { ErasedRows } from '../ledger/erasures.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { toIdentifierTest, type Identifier } from '../redaction/identifiers.ts';
import { listFiles, type ErasedFiles, type ErasureContext } from './erase-files.ts';
import { eraseAllFiles } from './erase-all-files.ts';

export interface ForgetPreview {
  readonly identifiers: readonly Identifier[];
  readonly orders: number;
  readonly tables: readonly ErasedRows[];
  /** Paths. */
  readonly files: readonly string[];
}

export interface Erasure {
  readonly tables: readonly ErasedRows[];
  readonly files: ErasedFiles;
  /** False: another process still reads the write-ahead log of SQLite, which holds former contents until it ends. */
  readonly compacted: boolean;
}

export async function previewForget(ledger: Ledger, given: Identifier): Promise<ForgetPreview> {
  const identifiers = await ledger.erasures.findIdentifiers(given);
  const { orderIds, tables } = await ledger.erasures.previewForget(identifiers);
  const rejects = await ledger.rejectedRows.filesNaming(toIdentifierTest(identifiers));
  return { identifiers, orders: orderIds.length, tables, files: [...(await listFiles(ledger, orderIds)), ...rejects] };
}

/** The tombstones come first: when the process dies after them, the next `forget` of anybody completes the erasure. */
export async function forget(
  ledger: Ledger,
  identifiers: readonly Identifier[],
  context: ErasureContext,
): Promise<Erasure> {
  const at = context.now().toISOString();
  await ledger.tombstones.add(identifiers, at);
  const tables = await ledger.erasures.forget(at);
  await ledger.erasures.finish(at, context.now().toISOString());
  const files = await eraseAllFiles(ledger, context);
  return { tables, files, compacted: await ledger.erasures.compact() };
}
