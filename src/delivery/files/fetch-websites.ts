/** Fetches the website texts of the companies of an order into the ledger (GET website-markdown). */
import { prospectSearchIdOf, type ErrorCode } from '../../service/contract/index.ts';
import { isErased } from '../../base/json/erased-mark.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { partsOf, type PositionRange } from '../../ledger/stored-slot.ts';
import type { StoredWebsite, WebsiteTally } from '../../ledger/website-store.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { isNotFound, ProspectingError } from '../../service/client/prospecting-error.ts';

export interface WebsiteDependencies {
  readonly prospecting: { readonly deliveries: Pick<ProspectingClient['deliveries'], 'website'> };
  readonly ledger: Pick<Ledger, 'slots' | 'websites'>;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export interface DeliveredCompany {
  readonly position: number;
  readonly companyId: string;
  readonly name: string;
  readonly domain: string;
}

/** Attempts to fetch the text of one company: with the backoff of activities, they take about four minutes. */
const mostAttempts = 10;

const slotsPerBatch = 100;

/** null: neither the ledger nor the service says which profile the order has. @throws ProspectingError */
export async function findProspectSearch(
  prospecting: Pick<ProspectingClient, 'orders'>,
  { orderId, profileId }: { readonly orderId: string; readonly profileId: string | null },
  signal: AbortSignal,
): Promise<string | null> {
  const found = profileId ?? (await prospecting.orders.get(orderId, { signal })).profile_id ?? null;
  return found === null ? null : prospectSearchIdOf({ profile_id: found });
}

/** Delivered companies that were not erased. A duplicate has none. */
export async function readWebsiteCompanies(
  { slots }: Pick<Ledger, 'slots'>,
  orderId: string,
  range: PositionRange,
): Promise<DeliveredCompany[]> {
  return (await slots.readParsed(orderId, range)).flatMap(({ position, slot: { company, status } }) => {
    const { id, name, domain } = company ?? {};
    // The text may name a forgotten person of the company.
    const isForgotten = (company?.prospects ?? []).some(({ raw }) => isErased(raw));
    return id == null || status !== 'ENRICHED' || isForgotten
      ? []
      : [{ position, companyId: id, name: name ?? '', domain: domain ?? '' }];
  });
}

/** Fetches a text and stores it, or that the service has none (404). @throws ProspectingError for another answer, or none */
export async function fetchWebsite(
  { prospecting, ledger, now, signal }: WebsiteDependencies,
  { orderId, prospectSearchId }: { readonly orderId: string; readonly prospectSearchId: string },
  { position, companyId }: DeliveredCompany,
): Promise<StoredWebsite> {
  const found = await prospecting.deliveries
    .website(prospectSearchId, companyId, { signal })
    .catch((error: unknown) => {
      if (isNotFound(error) && !isUnknownSearch(error)) return null;
      throw error;
    });
  const { markdown = null, observed_at: observedAt, urls, content_fingerprint: fingerprint } = found ?? {};
  return ledger.websites.save(orderId, {
    ...toUnfetched(position, now()),
    markdown,
    observedAt: observedAt ?? null,
    urls: urls ?? [],
    fingerprint: fingerprint ?? null,
  });
}

export interface WebsitesToFetch extends PositionRange {
  readonly orderId: string;
  /** null: unknown, so that no text can be fetched. */
  readonly prospectSearchId: string | null;
}

interface FetchContext extends WebsiteDependencies {
  /** Called with the next position. */
  readonly recordProgress: (next: number) => void;
  /** True when no retry resolves the error. */
  readonly isPermanent: (error: ProspectingError) => boolean;
}

/**
 * Fetches the texts that the ledger does not have. Can be repeated: it asks neither for a text that the service did not have, nor for
 * one that has failed for good, by a permanent error or for the tenth time. An error of one company stops no other company.
 * @returns what the ledger knows of the texts of the range
 * @throws the last temporary error of a company, at the end; at once an error that does not concern a single company, as an outage
 */
export async function fetchWebsites(
  context: FetchContext,
  { orderId, prospectSearchId, ...range }: WebsitesToFetch,
): Promise<WebsiteTally> {
  const { ledger, now, signal, recordProgress, isPermanent } = context;
  const saveFailures = (position: number, failures: number) =>
    ledger.websites.save(orderId, { ...toUnfetched(position, now()), failures });
  let isRefused = false;
  let temporary: ProspectingError | null = null;
  for (const part of partsOf(range, slotsPerBatch)) {
    const known = await ledger.websites.failures(orderId, part);
    for (const company of await readWebsiteCompanies(ledger, orderId, part)) {
      signal.throwIfAborted();
      const { position } = company;
      const failures = known.get(position);
      if (failures === 0 || (failures ?? 0) >= mostAttempts) continue;
      if (prospectSearchId === null || isRefused) {
        await saveFailures(position, mostAttempts);
        continue;
      }
      try {
        await fetchWebsite(context, { orderId, prospectSearchId }, company);
      } catch (error) {
        if (!isOfCompany(error)) throw error;
        const isLast = isPermanent(error) || (failures ?? 0) + 1 >= mostAttempts;
        if (!isLast) temporary = error;
        isRefused = isOfEveryCompany(error);
        await saveFailures(position, isLast ? mostAttempts : (failures ?? 0) + 1);
      }
      recordProgress(position + 1);
    }
    recordProgress(part.to);
  }
  if (temporary !== null) throw temporary;
  return ledger.websites.tally(orderId, range);
}

function toUnfetched(position: number, at: Date): StoredWebsite {
  const empty = { markdown: null, observedAt: null, urls: [], fingerprint: null, erasedAt: null };
  return { position, ...empty, fetchedAt: at.toISOString(), failures: 0, path: null, sha256: null };
}

/** Statuses of an outage, of an exceeded rate limit, and of an invalid key, which no call survives. */
const generalStatuses: readonly number[] = [401, 408, 429, 502, 503, 504];

/** False for a service that is not there, whose other calls would fail too. */
function isOfCompany(error: unknown): error is ProspectingError {
  if (!(error instanceof ProspectingError)) return false;
  const { kind, status } = error.facts;
  return kind !== 'connection' && kind !== 'cancelled' && !generalStatuses.includes(status ?? 0);
}

/** The service refuses the texts of all companies: for a missing scope, an exhausted allowance, or an unknown prospect search. */
function isOfEveryCompany(error: ProspectingError): boolean {
  const { status } = error.facts;
  return status === 402 || status === 403 || isUnknownSearch(error);
}

function isUnknownSearch({ facts: { code } }: ProspectingError): boolean {
  return code === ('PROSPECT_SEARCH_NOT_FOUND' satisfies ErrorCode);
}
