/** Which values of CRM records are ours still: for properties with the policy `only-if-ours`. */
import { createHash } from 'node:crypto';
import { toPlace, type WrittenValue } from '../ledger/written-values.ts';
import type { Properties } from '../mapping/crm-properties.ts';
import { comparableText } from '../mapping/property-text.ts';
import type { RecordType } from './find-by-key.ts';
import type { Tools } from './projection.ts';
import type { Want } from './want.ts';

/** Reads what we wrote last to the records of the wants; answers for a value that stands there now. */
export async function readOwnValues({ ledger }: Tools, type: RecordType, wants: readonly Want[]) {
  const ids = wants.flatMap(({ match: { record }, wanted }) =>
    record === null || Object.keys(wanted.onlyIfOurs).length === 0 ? [] : [record.id],
  );
  const written = ids.length === 0 ? new Map<string, readonly string[]>() : await ledger.writtenValues.read(type, ids);
  return (recordId: string, property: string, value: string): boolean =>
    written.get(toPlace({ recordId, property }))?.includes(toDigest(value)) === true;
}

/** The values of `properties` that are written only while they are ours, as the ledger notes them. */
export function toWrittenValues(recordId: string, { wanted }: Want, properties: Properties): WrittenValue[] {
  return Object.entries(properties).flatMap(([property, value]) =>
    property in wanted.onlyIfOurs ? [{ recordId, property, digest: toDigest(value) }] : [],
  );
}

function toDigest(value: string): string {
  return createHash('sha256').update(comparableText(value)).digest('hex').slice(0, 32);
}
