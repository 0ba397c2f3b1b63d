/** Decides whether prospect-sync can work with a service. A negative verdict is not a breach of the specification. */
import { findMissingFields } from '../src/service/reading/missing-fields.ts';
import { detectShape } from '../src/service/reading/detect-shape.ts';
import { nothingCounted, type OrderShape, noFieldSettings } from '../src/service/reading/shape.ts';
import { createSlotReader } from '../src/service/reading/read-slot.ts';
import type { RunState } from './probe/run-state.ts';

export interface Verdict {
  /** null: unknown, because no order was placed or named. */
  readonly works: boolean | null;
  /** Reasons, unless `works` is true. */
  readonly because: readonly string[];
  /** Required settings of prospect-sync.yaml: `service.requests.profile_reference: search_profile_id`. */
  readonly settings: readonly string[];
}

export function toVerdict({ samples, settings, refusals, published, placed }: RunState): Verdict {
  const because = [...refusals];
  const contactsOrdered = placed.enrichment !== undefined || placed.discovery !== undefined ? true : null;
  if (samples.length > 0) {
    const shape = detectShape({ slots: samples, settings: noFieldSettings, previous: null });
    const counts = { ...nothingCounted };
    const readSlot = createSlotReader(shape);
    for (const { status, company } of samples.map((slot) => readSlot(slot))) {
      if (status !== 'ENRICHED' || company === null) continue;
      const people = company.prospects ?? [];
      counts.enriched += 1;
      counts.identified += Number(Boolean(company.domain || company.website_url || company.id));
      counts.named += Number(Boolean(company.name));
      counts.withPeople += Number(people.length > 0);
      counts.people += people.length;
      counts.withEmail += people.filter(({ email }) => Boolean(email)).length;
      counts.withName += people.filter(({ full_name: name }) => Boolean(name)).length;
    }
    const order: OrderShape = { shape, counts, unusable: {}, unread: {} };
    const missing = findMissingFields({ order, settings: noFieldSettings, contactsOrdered, samples });
    because.push(
      ...missing.map(
        ({ what, settings: names, choices }) =>
          `${what} is not recognised in the results: set ${names.join(' or ')} (seen: ${choices.join(', ') || 'nothing'})`,
      ),
    );
    if (because.length === 0 && counts.enriched > 0) return { works: true, because: [], settings };
    if (because.length === 0) return { works: null, because: ['no order returned an enriched company'], settings };
    return { works: false, because, settings };
  }
  if (because.length > 0) return { works: false, because, settings };
  const isPublished = Object.keys(published).length > 0;
  return {
    works: null,
    because: [isPublished ? 'no results were read' : 'no published order was read: --place-orders or --order ID'],
    settings,
  };
}

/** The verdict as lines of text. */
export function describeVerdict({ works, because, settings }: Verdict): string[] {
  const statement =
    works === true
      ? 'prospect-sync can work with this service'
      : works === false
        ? 'prospect-sync cannot work with this service'
        : 'whether prospect-sync can work with this service is not known';
  return [
    `Verdict: ${statement}${settings.length > 0 && works === true ? ', with these settings:' : ''}`,
    ...because.map((text) => `  ${text}`),
    ...settings.map((setting) => `  ${setting}`),
  ];
}
