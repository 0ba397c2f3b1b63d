/** What becomes of rows that another writer came before, or of which the answer says nothing. */
import type { HubSpotError } from '../hubspot/hubspot-error.ts';
import { ADDITIONAL_EMAILS, secondaryEmails, toComparable, type CrmRecord } from '../hubspot/hubspot-record.ts';
import { findByKey, keyProperties, type RecordType } from './find-by-key.ts';
import { matched, sharing, undecided } from './match.ts';
import type { Tools } from './projection.ts';
import { isOfEarlierRow } from './slot-batch.ts';
import type { Want, Written } from './want.ts';

/** Values by which HubSpot tells records apart. */
const identity = { companies: [keyProperties.companies], contacts: [keyProperties.contacts, 'email'] } as const;
/** What is looked at to tell whose record it is. */
const shown = { companies: identity.companies, contacts: [...identity.contacts, ADDITIONAL_EMAILS] } as const;

interface Doubt {
  readonly want: Want;
  readonly error: HubSpotError;
}

/** What never lags says of a doubt. */
interface Found {
  /** The record that holds what the row was refused for. */
  readonly owner: CrmRecord | null;
  /** The record that was to be written, as it is now; null when it is merged, archived, or was none. */
  readonly current: CrmRecord | null;
}

/**
 * Reads such rows back by what never lags, the key and the id that HubSpot names, and writes them once more.
 * @param written is brought up to date for them
 * @param orderId tells a record that another row of the order has, which is left to that one
 * @returns the wants that were written again, as they stand now
 */
export async function lookAgain(
  tools: Tools,
  type: RecordType,
  orderId: string,
  written: Map<Want, Written>,
  send: (wants: readonly Want[]) => Promise<Map<Want, Written>>,
): Promise<Map<Want, Want>> {
  const doubts = [...written].flatMap(([want, result]): Doubt[] =>
    result.kind === 'refused' && want.key !== null && isDoubtful(result.error) ? [{ want, error: result.error }] : [],
  );
  if (doubts.length === 0) return new Map();
  const find = await readDoubts(tools, type, doubts);
  const taken = new Set([...written.values()].flatMap((result) => ('id' in result && result.id ? [result.id] : [])));
  const again = new Map<Want, Want>();
  for (const doubt of doubts) {
    const repeated = toRepetition(type, doubt, find(doubt));
    if (repeated === null) continue;
    again.set(doubt.want, repeated);
    const { record } = repeated.match;
    if (record === null || record.id === doubt.want.match.record?.id) continue;
    if (taken.has(record.id) || isOfEarlierRow(record, repeated.of, orderId)) {
      written.set(doubt.want, { kind: 'taken', id: record.id });
    } else taken.add(record.id);
  }
  const open = [...again].filter(
    ([want, { match }]) => match.problem === null && written.get(want)?.kind === 'refused',
  );
  const results = await send(open.map(([, repeated]) => repeated));
  for (const [want, repeated] of open) {
    const result = results.get(repeated);
    if (result === undefined) continue;
    const isOurs = repeated.isArrived === true && 'id' in result && result.id !== null;
    written.set(want, isOurs ? { kind: 'created', id: result.id, isNew: false } : result);
  }
  return again;
}

async function readDoubts({ hubspot, ...tools }: Tools, type: RecordType, doubts: readonly Doubt[]) {
  const properties = [...new Set(doubts.flatMap(({ want }) => [...shown[type], ...namesOf(want)]))];
  const keys = doubts.flatMap(({ want }) => want.key ?? []);
  const byKey = await findByKey({ hubspot, ...tools }, type, keys, properties);
  const ids = doubts.flatMap(({ want, error }) => [error.existingId ?? [], want.match.record?.id ?? []].flat());
  const byId = await hubspot.objects.read(type, { ids, properties, signal: tools.signal });
  return ({ want, error }: Doubt): Found => ({
    owner: byKey.get(want.key ?? '') ?? byId.get(error.existingId ?? '') ?? null,
    current: byId.get(want.match.record?.id ?? '') ?? null,
  });
}

/** The want as it is to be written now; null where nothing is known that would better it. */
function toRepetition(type: RecordType, { want, error }: Doubt, { owner, current }: Found): Want | null {
  const { record, rule } = want.match;
  if (record === null) {
    if (owner === null) return null;
    const rule = toRung(type, want, owner);
    // It holds another unique value of the row's, and may be anybody: the row stays refused, and names it.
    if (rule === null) return { ...want, match: undecided('none', 'value_of_another_record', [owner.id]) };
    // The record is there although nobody said so: this pass made it.
    return { ...want, match: matched(rule, owner), isArrived: error.code === 'ROW_NOT_ANSWERED' };
  }
  if (current === null) {
    // Merged or archived since it was read: what it became has our key. No other record stands for a submitted one.
    if (owner === null || rule === 'external_id') return null;
    return { ...want, match: { ...matched('key', owner), candidates: [record.id, owner.id] } };
  }
  const match = { ...want.match, record: current };
  if (!isConflict(error)) return { ...want, match };
  // The record stays as it is known; what tells records apart belongs to the other one.
  const { property } = error;
  const held = property === undefined ? identity[type] : [property];
  return { ...want, match: sharing(match, (owner ?? current).id, held) };
}

/** By what a record is the one that was to be created: our key, or an address of the person; null where it is neither. */
function toRung(type: RecordType, want: Want, owner: CrmRecord): 'key' | 'secondary_email' | null {
  const { properties } = owner;
  if (properties[keyProperties[type]] === want.key) return 'key';
  if (type === 'companies') return null;
  const { always, fillEmpty, onlyIfOurs } = want.wanted;
  const email = always['email'] ?? fillEmpty['email'] ?? onlyIfOurs['email'];
  const addresses = [toComparable(properties['email'] ?? ''), ...secondaryEmails(owner)];
  return email !== undefined && addresses.includes(toComparable(email)) ? 'secondary_email' : null;
}

function isDoubtful(error: HubSpotError): boolean {
  return isConflict(error) || isGone(error) || error.code === 'ROW_NOT_ANSWERED';
}

function isConflict({ status, code, existingId }: HubSpotError): boolean {
  return status === 409 || existingId !== undefined || code === 'UNIQUE_VALUE_CONFLICT';
}

/** The record was merged or archived after it had been read. */
export function isGone({ category, status }: HubSpotError): boolean {
  return category === 'OBJECT_NOT_FOUND' || status === 404;
}

function namesOf({ wanted }: Want): string[] {
  return [wanted.always, wanted.fillEmpty, wanted.onlyIfOurs, wanted.stamp].flatMap((part) => Object.keys(part));
}
