/** Learns at which path an order's results have each field. Fails before anything is written when an essential field is missing. */
import { setImmediate } from 'node:timers/promises';
import { createUnknownReader, slotSchema } from '../src/service/contract/index.ts';
import { orderScope, resultsOperation, serviceScope } from '../src/ledger/shape-store.ts';
import type { Ledger } from '../src/ledger/ledger.ts';
import { toPublishedSlot } from '../src/ledger/stored-slot.ts';
import type { ReadingReport } from '../src/proof/report/order-report.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';

import { detectShape } from '../src/service/reading/detect-shape.ts';
import { mostSamples } from '../src/service/reading/detect-prospects.ts';
import { findMissingFields, type MissingField } from '../src/service/reading/missing-fields.ts';
import {
  nothingCounted,
  type OrderShape,
  driftBetween,
  noFieldSettings,
  type FieldSettings,
  type Shape,
} from '../src/service/reading/shape.ts';
import { createSlotReader, createUnreadReader } from '../src/service/reading/read-slot.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { recordProgress } from './activity-heartbeat.ts';
import { mostWords, otherWords } from '../src/base/text/bound-text.ts';
import { erasedKey } from '../src/base/json/erased-mark.ts';
import { isRecord } from '../src/base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

export interface LearntResults {
  readonly reading: ReadingReport;
  /** Unknown enum values and fields, with the number of slots that have them. */
  readonly unknown: Record<string, number>;
}

export async function learnResultShape(
  { ledger, prospecting, now, fields: settings = noFieldSettings }: ActivityDependencies,
  orderId: string,
): Promise<LearntResults> {
  const scope = serviceScope(prospecting.baseUrl);
  const before = (await ledger.shapes.results(scope))?.shape ?? null;
  const samples = await sampleSlots(ledger, orderId);
  const shape = detectShape({ slots: samples, settings, previous: before });
  const { order, unknown } = await examine(ledger, orderId, shape);
  const stored = {
    scope: orderScope(orderId),
    operation: resultsOperation,
    json: JSON.stringify(order),
    learntAt: now().toISOString(),
  };
  await ledger.shapes.save(stored);
  const features = (await ledger.orders.get(orderId))?.features ?? null;
  const contactsOrdered = features === null ? null : features.includes('CONTACTS');
  const missing = findMissingFields({ order, settings, contactsOrdered, samples });
  if (missing.length > 0) throw toFailure(orderId, missing, settings);
  // An order without companies would overwrite the known shape.
  if (order.counts.enriched > 0) await ledger.shapes.save({ ...stored, scope });
  const drift =
    before === null || order.counts.enriched === 0 ? [] : driftBetween(before, shape).filter(({ was }) => was !== null);
  return { reading: toReport(order, drift), unknown };
}

/** The first ENRICHED slots; other slots, whose companies may be incomplete, only when there are none. */
async function sampleSlots(ledger: Ledger, orderId: string): Promise<Json[]> {
  const enriched: Json[] = [];
  const others: Json[] = [];
  for await (const slots of ledger.slots.stream(orderId)) {
    for (const stored of slots) {
      const list = stored.status === 'ENRICHED' ? enriched : others;
      if (list.length >= mostSamples) continue;
      const slot = toPublishedSlot(stored);
      if (isRecord(slot)) list.push(slot);
    }
    recordProgress(0);
    if (enriched.length >= mostSamples) break;
  }
  return enriched.length > 0 ? enriched : others;
}

const readUnknown = createUnknownReader(slotSchema.omit({ company: true }));

/** Reads every slot once: indexes its company, and counts filled, unusable and unread fields. */
async function examine(
  ledger: Ledger,
  orderId: string,
  shape: Shape,
): Promise<{ order: OrderShape; unknown: Record<string, number> }> {
  const readSlot = createSlotReader(shape);
  const readUnread = createUnreadReader(shape);
  const unusable = new Map<string, number>();
  const unread = new Map<string, number>();
  const words = new Map<string, number>();
  const counts = { ...nothingCounted };
  for await (const slots of ledger.slots.stream(orderId)) {
    const companies: Parameters<typeof ledger.companyIndex.saveSlots>[0][number][] = [];
    for (const stored of slots) {
      // Large slots would block the event loop.
      await setImmediate();
      const raw = toPublishedSlot(stored);
      const slot = readSlot(raw, (field) => add(unusable, field));
      companies.push({ ref: orderId, position: stored.position, company: slot.company });
      for (const name of readUnread(raw)) add(unread, name);
      for (const name of new Set(readUnknown(withoutCompany(raw)))) add(words, name);
      if (slot.status !== 'ENRICHED' || slot.company === null) continue;
      const { domain, website_url: website, id, name, prospects } = slot.company;
      counts.enriched += 1;
      counts.identified += Number(Boolean(domain || website || id));
      counts.named += Number(Boolean(name));
      counts.withPeople += Number((prospects ?? []).length > 0);
      for (const { email, full_name: fullName } of prospects ?? []) {
        counts.people += 1;
        counts.withEmail += Number(Boolean(email));
        counts.withName += Number(Boolean(fullName));
      }
    }
    await ledger.companyIndex.saveSlots(companies);
    recordProgress(slots.at(-1)?.position ?? 0);
  }
  const order = { shape, counts, unusable: Object.fromEntries(unusable), unread: Object.fromEntries(unread) };
  const unknown = new Map(words);
  for (const [name, count] of unread) unknown.set(name, (unknown.get(name) ?? 0) + count);
  return { order, unknown: Object.fromEntries(unknown) };
}

/** The envelope of a slot as the service sent it, without the mark of an erasure. */
function withoutCompany(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const { company: _company, [erasedKey]: _mark, ...envelope } = raw;
  return envelope;
}

function add(counts: Map<string, number>, name: string): void {
  const kept = counts.has(name) || counts.size < mostWords ? name : otherWords;
  counts.set(kept, (counts.get(kept) ?? 0) + 1);
}

function toReport({ shape, unusable }: OrderShape, drift: ReadingReport['drift']): ReadingReport {
  const fields = (['company', 'prospect'] as const).flatMap((record) =>
    Object.entries(shape[record]).flatMap(([field, { path, by }]) => {
      const own = field === 'prospects' ? 'company.prospects' : field;
      // Fields under their specified name, and absent ones, are not reported.
      return path === null || path === own || by === 'specification' ? [] : [{ field: `${record}.${field}`, path, by }];
    }),
  );
  return { fields, unusable, drift };
}

function toFailure(orderId: string, missing: readonly MissingField[], settings: FieldSettings) {
  const parts = missing.map(({ what, settings: names, choices }) => {
    const wrong = names.filter((name) => isSet(settings, name));
    const seen = choices.length === 0 ? 'no other field found' : `seen: ${choices.join(', ')}`;
    const invalid = wrong.length === 0 ? '' : `; nothing found at ${wrong.join(', ')}`;
    return `it does not recognise ${what}. Set ${names.join(' or ')} (${seen}${invalid}), or null if the service has no such field`;
  });
  return nonRetryable(
    'ShapeUnresolved',
    `order ${orderId} is published and collected, but nothing was written: ${parts.join('; ')}`,
  );
}

function isSet(settings: FieldSettings, name: string): boolean {
  const [record, field] = name.split('.').slice(-2);
  const values: Readonly<Record<string, string | null | undefined>> =
    record === 'company' ? settings.company : settings.prospect;
  return typeof values[field ?? ''] === 'string';
}
