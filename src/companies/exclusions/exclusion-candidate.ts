/** Converts CRM companies and rows of files to candidates for a blacklist: corrected when that is safe, otherwise with their problems. */
import { entryProblems, isUrlCompleted, toEntriesFromCrm, toEntryFromFile } from '../sources/blacklist-entry.ts';
import { exclusionSources, type ExclusionSource } from '../../config/exclusion-reason-settings.ts';
import type { ExclusionsConfig } from '../../config/exclusion-settings.ts';
import { limits, type EntryInput } from '../../service/contract/index.ts';
import { isSharedAddress } from '../sources/website-problem.ts';
import { additionalDomains } from '../../hubspot/hubspot-record.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import { describeMissingDay, findMissingDay } from '../../base/text/missing-day.ts';
import { dayMs } from '../../base/day-milliseconds.ts';

export interface Candidate {
  readonly entry: EntryInput;
  /** The address was completed: the service requires `https://`, `http://` or `www.` in lower case. */
  readonly urlCompleted: boolean;
  /** An address at a mailbox provider or shared site was removed: it would exclude all companies with such an address. */
  readonly sharedDomain: boolean;
  /** `expires_at` is in the past. */
  readonly expired: boolean;
  /** Violations of the contract, without values. */
  readonly problems: readonly string[];
}

/** The source of a company, with the list or stage if it has several: `lists:1234`. */
export type SourceTag = ExclusionSource | 'delivered' | 'suppressed' | `${ExclusionSource}:${string}`;

export function toSourceTag(source: ExclusionSource, detail?: string): SourceTag {
  return detail === undefined ? source : `${source}:${detail}`;
}

/** A candidate for each domain. Empty for a company without name and domain: no prospect could match it. */
export function toCandidatesFromCrm(company: Parameters<typeof toEntriesFromCrm>[0], reason: string): Candidate[] {
  const { domain, website } = company.properties;
  const addresses = [domain, website, ...additionalDomains(company)];
  return toEntriesFromCrm(company, reason).map((entry, index) => ({
    entry,
    // HubSpot stores bare domains; only a website that a user entered can be incomplete.
    urlCompleted:
      index === 0 &&
      entry.website_url !== undefined &&
      ownDomain(domain) === null &&
      ownDomain(website) !== null &&
      isUrlCompleted(website),
    sharedDomain: entry.website_url === undefined && addresses.some(isSharedAddress),
    expired: false,
    problems: entryProblems(entry),
  }));
}

export function toCandidateFromRow(row: FieldValues, { reason, now }: { reason: string; now: Date }): Candidate {
  const { website_url: address, ...rest } = row;
  const sharedDomain = isSharedAddress(address);
  const entry = toEntryFromFile(sharedDomain || address === undefined ? rest : row, reason);
  const expiry = parseExpiry(row.expires_at);
  return {
    entry,
    urlCompleted: !sharedDomain && isUrlCompleted(address),
    sharedDomain,
    expired: expiry !== null && expiry <= now.getTime(),
    problems: [
      ...entryProblems(entry),
      ...(Number.isNaN(expiry)
        ? [
            `expires_at: must be a date such as 2027-03-31, or a time with its zone${describeMissingDay(row.expires_at)}`,
          ]
        : []),
    ],
  };
}

/** The reasons of all sources that name a company, in the order of the settings. */
export function toReason(
  tags: readonly string[],
  { reasons, source }: Pick<ExclusionsConfig, 'reasons' | 'source'>,
): string {
  const texts = exclusionSources.flatMap((kind) => {
    const details = tags
      .filter((tag) => tag === kind || tag.startsWith(`${kind}:`))
      .map((tag) => tag.slice(kind.length + 1));
    const order: readonly string[] = kind === 'lists' ? source.lists : source.lifecycleStages;
    return details
      .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
      .map((detail) => fillPlaceholders(reasons[kind], detail, source.closedWonWithinDays));
  });
  return joinReasons(texts);
}

const separator = '; ';

/** Each reason once, cut to the limit of the service. */
export function joinReasons(reasons: readonly (string | null | undefined)[]): string {
  const texts = reasons.flatMap((reason) => reason?.split(separator) ?? []).filter((text) => text !== '');
  return [...new Set(texts)].join(separator).slice(0, limits.entry.reason);
}

function fillPlaceholders(text: string, detail: string, days: number | null): string {
  return text
    .replaceAll('{stage}', detail)
    .replaceAll('{list}', detail)
    .replaceAll('{days}', String(days ?? ''));
}

const date = /^\d{4}-\d{2}-\d{2}$/;
const timeWithZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds since 1970; a date ends at midnight UTC. null without a date, NaN for an invalid one. */
function parseExpiry(text: string | undefined): number | null {
  const value = text?.trim();
  if (!value) return null;
  if (findMissingDay(value) !== null) return Number.NaN;
  if (timeWithZone.test(value)) return Date.parse(value);
  return date.test(value) ? Date.parse(value) + dayMs : Number.NaN;
}
