/** Which values of CRM records are ours still: for properties with the policy `only-if-ours`. */
import { createHash } from 'node:crypto';
import { toPlace, type WrittenValue } from '../ledger/written-values.ts';
import type { Properties } from '../mapping/crm-properties.ts';
import { comparableText } from '../mapping/property-text.ts';
import type { RecordType } from './find-by-key.ts';
import type { Tools } from './projection.ts';
import type { Want } from './want.ts';
import { ownValue } from '../json/own-value.ts';

/** Reads what we wrote last to the records of the wants; answers for a value that stands there now. */
export async function readOwnValues({ ledger }: Tools, type: RecordType, wants: readonly Want[]) {
  const places = wants.flatMap((want) => (Object.keys(want.wanted.onlyIfOurs).length === 0 ? [] : placesOf(want)));
  const written =
    places.length === 0 ? new Map<string, readonly string[]>() : await ledger.writtenValues.read(type, places);
  return (want: Want, property: string, value: string): boolean => {
    const noted = placesOf(want).map((recordId) => written.get(toPlace({ recordId, property })));
    return noted.find((digests) => digests !== undefined)?.includes(toDigest(value)) === true;
  };
}

/** Where values of a record are noted that has no id yet, by our own key. */
export function placeOfKey(key: string): string {
  return `key ${key}`;
}

/** What of `properties` is written only while it is ours, with what stands there, as the ledger notes it before the write. */
export function toWrittenValues(place: string, { wanted, match }: Want, properties: Properties): WrittenValue[] {
  return Object.entries(properties).flatMap(([property, value]) => {
    const standing = ownValue(match.record?.properties ?? {}, property) ?? '';
    const previous = standing === '' ? null : toDigest(standing);
    return Object.hasOwn(wanted.onlyIfOurs, property)
      ? [{ recordId: place, property, digest: toDigest(value), previous }]
      : [];
  });
}

/** What was noted of the record itself counts before what was noted when it was to be created. */
function placesOf({ match: { record }, key }: Want): string[] {
  return [...(record === null ? [] : [record.id]), ...(key === null ? [] : [placeOfKey(key)])];
}

function toDigest(value: string): string {
  return createHash('sha256').update(comparableText(value)).digest('hex').slice(0, 32);
}
