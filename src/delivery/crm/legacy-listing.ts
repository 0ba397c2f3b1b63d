/** Reads the legacy listing of a profile as slots, and writes those to HubSpot as the slots of an order are written. */
import { setImmediate } from 'node:timers/promises';
import { digest } from '../../base/json/canonical-json.ts';
import { emptyTally, type OutcomeTally } from '../../ledger/crm-outcomes.ts';
import { companyKey, contactKey } from '../../ledger/identity.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { redactSlot } from '../../ledger/redaction/redact-slot.ts';
import { serviceScope } from '../../ledger/shape-store.ts';
import type { ParsedSlot } from '../../ledger/slots.ts';
import { ProspectingError } from '../../service/client/prospecting-error.ts';
import type { Slot } from '../../service/contract/index.ts';
import { detectShape } from '../../service/reading/detect-shape.ts';
import type { ListingPage } from '../../service/reading/read-listing.ts';
import { createSlotReader, type SlotReader } from '../../service/reading/read-slot.ts';
import type { FieldSettings } from '../../service/reading/shape.ts';
import { projectSlots } from './project-slots.ts';
import { openSlotBatch, type Projection, type ProjectionDependencies } from './slot-batch.ts';

export interface ListingSource {
  readonly ledger: Ledger;
  /** Address of the service, whose field names the ledger knows. */
  readonly baseUrl: string;
  readonly fields: FieldSettings;
  readonly readPage: (offset: number) => Promise<ListingPage>;
}

const mostCompanies = 1_000_000;

/**
 * The companies in pages, each once: as ENRICHED slots without what only a published slot has, and without forgotten people and companies.
 * `position`: place in the listing. A person is at the first company that lists them.
 * @throws {ProspectingError} when paging does not advance or does not end
 */
export async function* readListing({
  ledger,
  baseUrl,
  fields,
  readPage,
}: ListingSource): AsyncGenerator<readonly ParsedSlot[]> {
  const previous = (await ledger.shapes.results(serviceScope(baseUrl)))?.shape ?? null;
  const keepFirst = createFirstOccurrences();
  let readSlot: SlotReader | null = null;
  let pageBefore: string | null = null;
  for (let offset = 0; ;) {
    const { companies, total, hasMore } = await readPage(offset);
    if (companies.length === 0) return;
    const page = digest(companies);
    if (page === pageBefore) throw unusable(`the page at offset ${offset} repeats the page before it`);
    if (offset + companies.length > mostCompanies)
      throw unusable(`it has more than ${mostCompanies} companies, the most that are read`);
    pageBefore = page;
    const received = companies.map((company, index) => toReceivedSlot(company, offset + index));
    readSlot ??= createSlotReader(detectShape({ slots: received, settings: fields, previous }));
    const test = await ledger.tombstones.test();
    const allowed = received.map((slot) =>
      test === null ? slot : (redactSlot(slot, test, { keepExternalId: false })?.slot ?? slot),
    );
    const read = readSlot;
    yield keepFirst(allowed.map((slot) => read(slot)));
    await setImmediate();
    offset += companies.length;
    if (hasMore === false || (hasMore === null && total !== null && offset >= total)) return;
  }
}

function unusable(detail: string): ProspectingError {
  return new ProspectingError({
    kind: 'contract',
    method: 'GET',
    path: '/api/v1/deliveries/{prospect_search_id}/companies',
    status: 200,
    detail: `${detail}. Report this to the support of the service`,
  });
}

function toReceivedSlot(company: Readonly<Record<string, unknown>>, position: number) {
  return { input_position: position, status: 'ENRICHED', reason_codes: [], reasons: [], company };
}

/** Without this, two rows would write one record in turn: records of a listing have no position that decides. */
function createFirstOccurrences() {
  const companies = new Set<string>();
  const people = new Set<string>();
  const isFirst = (seen: Set<string>, key: string | null) => key === null || (!seen.has(key) && seen.add(key).size > 0);
  return (slots: readonly Slot[]): ParsedSlot[] =>
    slots.flatMap((slot) => {
      const { company, input_position: position } = slot;
      if (company === null || !isFirst(companies, companyKey(company))) return [];
      const prospects = (company.prospects ?? []).filter((each) => isFirst(people, contactKey(each, company)));
      return [{ position, slot: { ...slot, company: { ...company, prospects } } }];
    });
}

interface ListedCount {
  readonly companies: number;
  readonly contacts: number;
}

export interface ListingSurvey extends ListedCount {
  /** Those whose company is in an order of the ledger. */
  readonly known: ListedCount;
  readonly knownKeys: ReadonlySet<string>;
}

/** Counts the listing, and finds the companies that a collected order of the ledger has, written or not. */
export async function surveyListing(
  { orders, slots }: Pick<Ledger, 'orders' | 'slots'>,
  pages: AsyncIterable<readonly ParsedSlot[]>,
): Promise<ListingSurvey> {
  const contactsByKey = new Map<string, number>();
  let [companies, contacts] = [0, 0];
  for await (const page of pages) {
    for (const { slot } of page) {
      const key = keyOf(slot);
      const people = slot.company?.prospects?.length ?? 0;
      companies += 1;
      contacts += people;
      if (key !== null) contactsByKey.set(key, people);
    }
  }
  const knownKeys = new Set<string>();
  for (const { orderId } of await orders.listSeen()) {
    const parse = await slots.parser(orderId);
    for await (const stored of slots.stream(orderId)) {
      for (const each of stored) {
        const key = keyOf(parse(each).slot);
        if (key !== null && contactsByKey.has(key)) knownKeys.add(key);
      }
      await setImmediate();
    }
  }
  const knownContacts = [...knownKeys].reduce((sum, key) => sum + (contactsByKey.get(key) ?? 0), 0);
  return { companies, contacts, known: { companies: knownKeys.size, contacts: knownContacts }, knownKeys };
}

export interface ListingTally {
  readonly companies: OutcomeTally;
  readonly contacts: OutcomeTally;
}

/** Writes one page without the known companies. A repeated call with the same projection continues it. @returns its outcomes */
export async function writeListedPage(
  dependencies: ProjectionDependencies,
  projection: Projection,
  page: readonly ParsedSlot[],
  { knownKeys }: Pick<ListingSurvey, 'knownKeys'>,
): Promise<ListingTally> {
  const tally = { companies: { ...emptyTally }, contacts: { ...emptyTally } };
  const written = page.filter(({ slot }) => !knownKeys.has(keyOf(slot) ?? ''));
  const batch = await openSlotBatch(dependencies, projection, written, new Set());
  await projectSlots(dependencies, [batch]);
  const range = { from: written[0]?.position ?? 0, to: batch.end };
  for (const row of await dependencies.ledger.outcomes.read(projection.orderId, range))
    if (row.projectionId === projection.projectionId && row.outcome !== null)
      tally[row.item === 'company' ? 'companies' : 'contacts'][row.outcome] += 1;
  return tally;
}

function keyOf({ company }: Slot): string | null {
  return company === null ? null : companyKey(company);
}
