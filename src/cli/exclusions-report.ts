/** The report of exclusions as text and as JSON. It contains no company names. */
import type { ExclusionsReport, PendingRemovals } from '../report/order-report.ts';

type Figures = Omit<ExclusionsReport, 'blacklistId'> & { readonly blacklistId: string | null };

/** `isProposed`: false where only a preview has found the set; it can be approved after a sync. */
type ReportedFigures = Figures & { readonly isProposed?: boolean };

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

export function toExclusionsLines(report: ReportedFigures): string[] {
  const { name, scan, wanted, added, removed, unusable, pending } = report;
  const leftOut = unusable === 0 ? '' : `, ${unusable} unusable CRM companies left out`;
  const scope = scan === 'delta' ? 'changes since the last scan: ' : '';
  return [
    `  ${'excluded'.padEnd(10)} ${String(wanted).padStart(6)}  ${name} (${scope}${added} added, ${removed} removed${leftOut})`,
    indent(`can match: ${coverageText(report)}`),
    ...lintTexts(report).map(indent),
    ...(pending === null ? [] : pendingLines(pending, toRemedy(report, pending))),
  ];
}

function coverageText({ coverage: { externalId, domain, nameAndCity, nameOnly } }: Figures): string {
  return `${externalId} by external id, ${domain} by domain, ${nameAndCity} by name and city, ${nameOnly} by name only`;
}

function lintTexts({ lint: { mendedUrls, sharedDomains, duplicates, expired, replaced = 0 } }: Figures): string[] {
  const texts = [
    [mendedUrls, 'addresses completed with https://'],
    [sharedDomains, 'addresses left out: mailbox providers and shared hosts'],
    [duplicates, 'duplicates merged'],
    [expired, 'expired rows left out'],
    [replaced, 'characters in files replaced: a database cannot store them'],
  ] as const;
  return texts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
}

const causes: Readonly<Record<PendingRemovals['because'], string>> = {
  max_entries: 'more than removals.max_entries',
  max_percent: 'more than removals.max_percent',
  source_dried_up: 'a source has no companies any more',
  more_than_weighed: 'more than the first attempt had decided',
};

function pendingLines({ entries, because, driedUp }: PendingRemovals, remedy: string): string[] {
  const cause = `${causes[because]}${driedUp.length === 0 ? '' : ` (${driedUp.join(', ')})`}`;
  return [`  ${'waiting'.padEnd(10)} ${String(entries).padStart(6)}  removals: ${cause}`, indent(remedy)];
}

function toRemedy({ name, isProposed = true }: ReportedFigures, { digest }: PendingRemovals): string {
  return isProposed
    ? `To approve them, run: prospect-sync exclusions approve ${digest}`
    : `To propose them as ${digest}, run: prospect-sync exclusions sync ${name}`;
}

function indent(text: string): string {
  return `${' '.repeat(21)}${text}`;
}
