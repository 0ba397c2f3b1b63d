/** What becomes of rows that another writer came before, or of which the answer says nothing. */
import type { HubSpotError } from '../hubspot/error.ts';
import type { CrmRecord } from '../hubspot/record.ts';
import { findByKey, keyProperties, type RecordType } from './find-by-key.ts';
import { matched } from './match.ts';
import type { Tools } from './projection.ts';
import { without, type Want, type Written } from './want.ts';

/** Values by which HubSpot tells records apart. */
const identity = { companies: [keyProperties.companies], contacts: [keyProperties.contacts, 'email'] } as const;

interface Doubt {
  readonly want: Want;
  readonly error: HubSpotError;
}

/**
 * Reads such rows back by what never lags, the key and the id that HubSpot names, and writes them once more.
 * @param written is brought up to date for them
 * @returns the wants that were written again, as they stand now
 */
export async function lookAgain(
  tools: Tools,
  type: RecordType,
  written: Map<Want, Written>,
  send: (wants: readonly Want[]) => Promise<Map<Want, Written>>,
): Promise<Map<Want, Want>> {
  const doubts = [...written].flatMap(([want, result]): Doubt[] =>
    result.kind === 'refused' && want.key !== null && isDoubtful(result.error) ? [{ want, error: result.error }] : [],
  );
  if (doubts.length === 0) return new Map();
  const owners = await readOwners(tools, type, doubts);
  const again = new Map<Want, Want>();
  for (const doubt of doubts) {
    const repeated = toRepetition(type, doubt, owners(doubt));
    if (repeated !== null) again.set(doubt.want, repeated);
  }
  const results = await send([...again.values()]);
  for (const { want, error } of doubts) {
    const result = results.get(again.get(want) ?? want);
    if (result === undefined) continue;
    // The record is there although nobody said so: this pass made it.
    const isOurs = error.code === 'ROW_NOT_ANSWERED' && want.match.record === null;
    written.set(want, isOurs && 'id' in result && result.id !== null ? { kind: 'created', id: result.id } : result);
  }
  return again;
}

async function readOwners({ hubspot, ...tools }: Tools, type: RecordType, doubts: readonly Doubt[]) {
  const properties = [...new Set(doubts.flatMap(({ want }) => namesOf(want)))];
  const keys = doubts.flatMap(({ want }) => want.key ?? []);
  const byKey = await findByKey({ hubspot, ...tools }, type, keys, properties);
  const ids = doubts.flatMap(({ error }) => error.existingId ?? []);
  const byId = await hubspot.objects.read(type, { ids, properties, signal: tools.signal });
  return ({ want, error }: Doubt): CrmRecord | null =>
    byKey.get(want.key ?? '') ?? byId.get(error.existingId ?? '') ?? null;
}

function toRepetition(type: RecordType, { want }: Doubt, owner: CrmRecord | null): Want | null {
  const { record } = want.match;
  if (record === null) {
    // A record that has the address, though not as its first: another address of the same person.
    const isOwn = owner?.properties[keyProperties[type]] === want.key;
    return owner === null
      ? null
      : { ...want, match: matched(isOwn || type === 'companies' ? 'key' : 'secondary_email', owner) };
  }
  // The record stays as it is known; what tells records apart belongs to the other one.
  const candidates = owner === null ? [record.id] : [record.id, owner.id];
  return without({ ...want, match: { ...want.match, candidates } }, identity[type]);
}

function isDoubtful({ status, code, existingId }: HubSpotError): boolean {
  return status === 409 || existingId !== undefined || code === 'ROW_NOT_ANSWERED' || code === 'UNIQUE_VALUE_CONFLICT';
}

function namesOf({ wanted }: Want): string[] {
  return [wanted.always, wanted.fillEmpty, wanted.onlyIfOurs, wanted.stamp].flatMap((part) => Object.keys(part));
}
