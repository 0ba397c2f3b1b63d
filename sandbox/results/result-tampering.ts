/** Changes of a published result set between two readings, which the real service never makes. The stored set stays as it is. */
import { z } from 'zod';
import { slotSchema } from '../../src/service/contract/index.ts';
import { Refusal } from '../service-refusal.ts';
import type { PublishedSet } from './published-set.ts';

const position = z.int().min(0);
/** Names joined by dots. Lists are passed through: `company.prospects.email` is the address of each prospect. */
const path = z.string().regex(/^[A-Za-z]\w*(?:\.[A-Za-z0-9]\w*)*$/, 'must be names joined by dots');
const name = z.string().regex(/^[A-Za-z]\w*$/, 'must be a name');
const counts = ['requested_count', 'fully_enriched_count', 'annotated_count'] as const;
const jsonTypes = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;

/** `position` counts from 0 in the set as the changes before have left it. A value that is not given removes the field. */
export const tamperingSchema = z.discriminatedUnion('kind', [
  /** The slots change places; each keeps its input_position. */
  z.strictObject({ kind: z.literal('swap_slots'), position, with: position }),
  /** The slots keep their places and input_positions, and exchange everything else. */
  z.strictObject({ kind: z.literal('swap_contents'), position, with: position }),
  z.strictObject({ kind: z.literal('drop_slot'), position }),
  /** The slot is listed twice, one after the other. */
  z.strictObject({ kind: z.literal('repeat_slot'), position }),
  /** Removes the people of a slot, all but the first `keep`. */
  z.strictObject({ kind: z.literal('withdraw_people'), position, keep: z.int().min(0).optional() }),
  z.strictObject({ kind: z.literal('set_value'), position, path, value: z.unknown().optional() }),
  z.strictObject({ kind: z.literal('set_count'), field: z.enum(counts), value: z.int().min(0) }),
  /** In every slot. */
  z.strictObject({ kind: z.literal('rename_field'), path, name }),
  z.strictObject({ kind: z.literal('retype_field'), path, type: z.enum(jsonTypes) }),
  z.strictObject({ kind: z.literal('set_order_field'), field: name, value: z.unknown().optional() }),
]);
export type Tampering = z.infer<typeof tamperingSchema>;

/** The set after a change. Changes of names, types and of the order belong to answers; the set does not have them. */
export function tamperSet(set: PublishedSet, change: Tampering): PublishedSet {
  if (change.kind === 'set_count') return { ...set, summary: { ...set.summary, [change.field]: change.value } };
  if (!('position' in change)) return set;
  const { position: at } = change;
  requireSlot(set, at);
  if ('with' in change) {
    requireSlot(set, change.with);
    const partner = new Map([
      [at, change.with],
      [change.with, at],
    ]);
    const slotAt = (place: number) => set.slotAt(partner.get(place) ?? place);
    if (change.kind === 'swap_slots') return { ...set, slotAt };
    const keptPosition = (place: number) => set.slotAt(place).input_position;
    return { ...set, slotAt: (place) => ({ ...slotAt(place), input_position: keptPosition(place) }) };
  }
  if (change.kind === 'drop_slot')
    return { ...set, total: set.total - 1, slotAt: (place) => set.slotAt(place < at ? place : place + 1) };
  if (change.kind === 'repeat_slot')
    return { ...set, total: set.total + 1, slotAt: (place) => set.slotAt(place <= at ? place : place - 1) };
  const changed = change.kind === 'set_value' ? withValue(set, change) : withoutPeople(set, change);
  return { ...set, slotAt: (place) => (place === at ? changed : set.slotAt(place)) };
}

function requireSlot({ total }: PublishedSet, at: number): void {
  if (at < total) return;
  throw invalid(`position: there are ${total} slots, and ${at} is none of them`);
}

function withoutPeople(set: PublishedSet, { position: at, keep = 0 }: { position: number; keep?: number | undefined }) {
  const slot = set.slotAt(at);
  const { company } = slot;
  return { ...slot, company: company && { ...company, prospects: company.prospects?.slice(0, keep) ?? [] } };
}

function withValue(set: PublishedSet, { position: at, path: place, value }: Extract<Tampering, { kind: 'set_value' }>) {
  const slot = structuredClone(set.slotAt(at));
  changeFields(slot, place, (holder, key) => {
    if (value === undefined) delete holder[key];
    else holder[key] = value;
  });
  const changed = slotSchema.safeParse(slot);
  if (changed.success) return changed.data;
  throw invalid(`value: a slot cannot have it at ${place}; retype_field changes the type of a field`);
}

function invalid(problem: string): Refusal {
  return new Refusal(422, { code: 'INVALID_REQUEST', message: 'The request is invalid.', problems: [problem] });
}

type Holder = Record<string, unknown>;

/** Calls `change` for each object that can hold the last name of the path. Changes `value`. */
export function changeFields(value: unknown, place: string, change: (holder: Holder, key: string) => void): void {
  visit(value, place.split('.'));

  function visit(found: unknown, [key, ...inner]: readonly string[]): void {
    if (key === undefined) return;
    if (Array.isArray(found)) for (const item of found) visit(item, [key, ...inner]);
    else if (!isHolder(found)) return;
    else if (inner.length === 0) change(found, key);
    else if (Object.hasOwn(found, key)) visit(found[key], inner);
  }
}

export function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
