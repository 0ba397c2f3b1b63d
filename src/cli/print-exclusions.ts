/** Prints the figures of exclusions as text. */
import type { ExclusionFigures } from '../proof/report/exclusions-document.ts';
import { describeRecords } from '../base/text/named-rows.ts';
import { toReadingTexts } from '../proof/report/reading-text.ts';
import { looksWrong, toRowNoteTexts } from '../proof/report/source-text.ts';
import type { PendingRemovals, Rename } from '../proof/report/order-report.ts';
import { toPrintable } from '../base/text/printable-text.ts';

/** `isProposed`: false if only a preview has found the removals; they can be approved after a sync. */
type ReportedFigures = ExclusionFigures & { readonly isProposed?: boolean };

export function toExclusionsLines(report: ReportedFigures): string[] {
  const { name, scan, wanted, added, removed, unusable, pending, files = [], deletedId, rename, renamed } = report;
  if (report.existing)
    return [
      `  ${'excluded'.padEnd(10)} ${String(wanted).padStart(6)}  ${name} (existing blacklist, not changed)`,
      ...(wanted === 0 ? [indent(emptyExistingText)] : []),
    ];
  const leftOut = unusable === 0 ? '' : `, ${unusable} unusable companies left out`;
  const scope = scan === 'delta' ? 'changes since the last scan: ' : '';
  return [
    `  ${'excluded'.padEnd(10)} ${String(wanted).padStart(6)}  ${name} (${scope}${added} added, ${removed} removed${leftOut})`,
    ...(deletedId === undefined ? [] : [indent(toDeletedInServiceText(deletedId))]),
    ...(rename === undefined ? [] : [indent(toRenameText(rename))]),
    ...(renamed === undefined
      ? []
      : [indent(`the blacklist was named ${toQuoted(renamed.from)}: the sync renamed it to ${toQuoted(renamed.to)}`)]),
    indent(`can match: ${coverageText(report)}`),
    ...lintTexts(report).map(indent),
    ...(report.emptySources === undefined ? [] : [indent(toEmptyText(report.emptySources))]),
    ...toRowNoteTexts(report.corrections, 'excluded').map(indent),
    ...toRecordTexts(report).map(indent),
    ...files.flatMap((file) => toReadingTexts(file).map((text) => indent(`${file.kind}: ${text}`))),
    ...(pending === null ? [] : pendingLines(pending, toRemedy(report, pending))),
  ];
}

/** Also of `doctor` and the checks of `run`. */
export const emptyExistingText = 'the existing blacklist has no entries, and excludes nothing';

/** Also of `doctor`. */
export function toRenameText({ from, to }: Rename): string {
  return `the blacklist is named ${toQuoted(from)}: the next sync renames it to ${toQuoted(to)}`;
}

/** Also of `doctor` and `exclusions list`. */
export function toDeletedInServiceText(blacklistId: string): string {
  return `blacklist ${blacklistId} was deleted in the service, and excludes nothing any more: the next sync creates a new one with all entries`;
}

function toQuoted(name: string): string {
  return JSON.stringify(toPrintable(name));
}

function coverageText({ coverage: { externalId, domain, nameAndCity, nameOnly } }: ExclusionFigures): string {
  return `${externalId} by external id, ${domain} by domain, ${nameAndCity} by name and city, ${nameOnly} by name only`;
}

function lintTexts({
  corrections: {
    completedUrls,
    sharedDomains,
    duplicates,
    expired,
    replaced = 0,
    cleaned = 0,
    placeholders = 0,
    invalidWebsites = 0,
  },
}: ExclusionFigures): string[] {
  const texts = [
    [completedUrls, 'addresses completed with https://'],
    [sharedDomains, 'addresses of mailbox providers and shared hosts left out'],
    [duplicates, 'duplicates merged'],
    [expired, 'expired rows left out'],
    [replaced, 'characters in files replaced, because a database cannot store them'],
    [cleaned, 'values from which invisible characters were removed'],
    [invalidWebsites, 'websites of CRM companies left out because they are no web address'],
    [placeholders, 'values left out because they stand for nothing (n/a, #N/A, -, 0)'],
  ] as const;
  return texts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
}

function toRecordTexts({ corrections: { doubtfulRecords } }: ExclusionFigures): string[] {
  if (doubtfulRecords === undefined) return [];
  return [toPrintable(`CRM companies without a website whose name ${looksWrong}: ${describeRecords(doubtfulRecords)}`)];
}

/** `lists:12` is `list 12`. */
function toEmptyText(sources: readonly string[]): string {
  const named = sources.map((source) => {
    const colon = source.indexOf(':');
    const [kind, detail] = colon === -1 ? [source, ''] : [source.slice(0, colon), ` ${source.slice(colon + 1)}`];
    return toPrintable((sourceNames.get(kind) ?? kind) + detail);
  });
  return `sources without a company: ${named.join(', ')}. Check that they are the right ones`;
}

const sourceNames = new Map([
  ['lists', 'list'],
  ['lifecycle_stages', 'lifecycle stage'],
  ['closed_won', 'closed_won_within_days'],
  ['delivered', 'within'],
]);

const causes: Readonly<Record<PendingRemovals['because'], string>> = {
  max_entries: 'more than removals.max_entries',
  max_percent: 'more than removals.max_percent',
  source_shrunk: 'a source is empty now, or has lost more than half of its companies',
  exceeds_decision: 'more entries than the first attempt decided',
};

function pendingLines({ entries, because, shrunkSources }: PendingRemovals, remedy: string): string[] {
  const cause = `${causes[because]}${shrunkSources.length === 0 ? '' : ` (${shrunkSources.join(', ')})`}`;
  return [`  ${'waiting'.padEnd(10)} ${String(entries).padStart(6)}  removals: ${cause}`, indent(remedy)];
}

function toRemedy({ name, isProposed = true }: ReportedFigures, { digest }: PendingRemovals): string {
  return isProposed
    ? `To approve them, run: prospect-sync exclusions approve ${digest}`
    : `To propose them as ${digest}, run: prospect-sync exclusions sync ${name}`;
}

export function indent(text: string): string {
  return `${' '.repeat(21)}${text}`;
}
