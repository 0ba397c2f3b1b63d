/** What became of exclusions, as a person reads it and as a program does. Never a company's name. */
import type { ExclusionsReport, PendingRemovals } from '../report/order-report.ts';

type Figures = Omit<ExclusionsReport, 'blacklistId'> & { readonly blacklistId: string | null };

/** Only what a sync has proposed can be approved; a preview may be the first to see it. */
type Lines = Figures & { readonly isProposed?: boolean };

export function toExclusionsDocument(report: Figures) {
  const { blacklistId, pending, lint, coverage, settings: _settings, ...figures } = report;
  return {
    blacklist_id: blacklistId,
    ...figures,
    pending: pending && {
      digest: pending.digest,
      entries: pending.entries,
      because: pending.because,
      dried_up: pending.driedUp,
    },
    lint: {
      mended_urls: lint.mendedUrls,
      shared_domains: lint.sharedDomains,
      duplicates: lint.duplicates,
      expired: lint.expired,
      ...(lint.replaced === undefined ? {} : { replaced: lint.replaced }),
    },
    coverage: {
      external_id: coverage.externalId,
      website_domain: coverage.domain,
      name_and_city: coverage.nameAndCity,
      name_only: coverage.nameOnly,
    },
  };
}

export function toExclusionsLines(report: Lines): string[] {
  const { name, scan, wanted, added, removed, unusable, pending } = report;
  const leftOut = unusable === 0 ? '' : `, ${unusable} CRM companies left out`;
  const changed = scan === 'delta' ? 'changed since the last scan, ' : '';
  return [
    `  ${'excluded'.padEnd(10)} ${String(wanted).padStart(6)}  ${name} (${changed}${added} added, ${removed} removed${leftOut})`,
    below(`can match: ${coverageText(report)}`),
    ...lintTexts(report).map(below),
    ...(pending === null ? [] : waitingLines(pending, remedy(report, pending))),
  ];
}

function coverageText({ coverage: { externalId, domain, nameAndCity, nameOnly } }: Figures): string {
  return `${externalId} by external id, ${domain} by domain, ${nameAndCity} by name and city, ${nameOnly} by name only`;
}

function lintTexts({ lint: { mendedUrls, sharedDomains, duplicates, expired, replaced = 0 } }: Figures): string[] {
  const texts = [
    [mendedUrls, 'addresses given the beginning that the service wants'],
    [sharedDomains, 'addresses left out: mailbox providers and hosts that many companies share'],
    [duplicates, 'duplicates joined'],
    [expired, 'expired rows left out'],
    [replaced, 'characters of files replaced, which no database stores'],
  ] as const;
  return texts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
}

const causes: Readonly<Record<PendingRemovals['because'], string>> = {
  max_entries: 'more than removals.max_entries',
  max_percent: 'more than removals.max_percent',
  source_dried_up: 'a source holds nothing any more',
  more_than_weighed: 'more than at the first attempt',
};

function waitingLines({ entries, because, driedUp }: PendingRemovals, next: string): string[] {
  const cause = `${causes[because]}${driedUp.length === 0 ? '' : ` (${driedUp.join(', ')})`}`;
  return [`  ${'waiting'.padEnd(10)} ${String(entries).padStart(6)}  removals: ${cause}`, below(next)];
}

function remedy({ name, isProposed = true }: Lines, { digest }: PendingRemovals): string {
  return isProposed
    ? `to let them go: prospect-sync exclusions approve ${digest}`
    : `under ${digest}, once proposed: prospect-sync exclusions sync ${name}`;
}

function below(text: string): string {
  return `${' '.repeat(21)}${text}`;
}
