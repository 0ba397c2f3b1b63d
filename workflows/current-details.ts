/** Current details as the Temporal UI shows them: Markdown without HTML, at most 20 KB. */
import { findRemedy } from '../src/proof/report/finding-descriptions.ts';
import { escapeMarkdown, toCodeSpan, toList } from '../src/base/text/markdown.ts';
import { formatDateTime } from '../src/base/text/format-time.ts';
import type { Finding } from '../src/proof/report/order-report.ts';
import type { Progress } from './progress-query.ts';

/** The first lines are enough to see what is wrong. */
const shownAtMost = 30;

export function formatCurrentDetails(progress: Progress): string {
  const { stage, orderId, since, failure, note, counts, tables, files, findings, past } = progress;
  const blocks = [
    `**${escapeMarkdown(stage)}** since ${formatIso(since)}${orderId === null ? '' : `, order ${toCodeSpan(orderId)}`}`,
    ...(failure === null ? [] : [`${toCodeSpan(failure.type)}: ${escapeMarkdown(failure.message)}`]),
    ...(note === null ? [] : [escapeMarkdown(note)]),
    ...toWaiting(progress),
    ...toFigures({ figures: counts, ...tables }),
    ...listed(
      'Files',
      files.map(({ path, rows }) => `- ${toCodeSpan(path)} (${rows.toLocaleString('en')} rows)`),
    ),
    ...listed('Findings', findings.map(toFindingLine)),
    ...listed(
      'Before',
      past.map((each) => `- ${formatIso(each.since)}: ${escapeMarkdown(each.stage)}`),
    ),
  ];
  return blocks.join('\n\n');
}

function toWaiting({ waitingFor, waitingUntil, since }: Progress): string[] {
  if (waitingFor === null) return [];
  const until = waitingUntil === null ? '' : `, until ${formatIso(waitingUntil)} at the latest`;
  return [`Waiting for ${escapeMarkdown(waitingFor)} since ${formatIso(since)}${until}.`];
}

function toFindingLine({ code, count, positions }: Finding): string {
  const at = positions.length === 0 ? '' : ` (at ${positions.join(', ')}${count > positions.length ? ' …' : ''})`;
  const remedy = findRemedy(code);
  return `- ${toCodeSpan(code)}: ${count.toLocaleString('en')}${at}${remedy === null ? '' : `. ${remedy}`}`;
}

/** One line for each table; zeros are left out, except in the figures of the stage. */
function toFigures(tables: Progress['tables']): string[] {
  const lines = Object.entries(tables).flatMap(([title, counts]): [string, string][] => {
    const shown = Object.entries(counts).filter(([, count]) => count > 0 || title === 'figures');
    const more = shown.length > shownAtMost ? ', …' : '';
    const text = shown.slice(0, shownAtMost).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
    return text.length === 0 ? [] : [[title, `${text.join(', ')}${more}`]];
  });
  return lines.length === 0 ? [] : [toList(lines)];
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - shownAtMost;
  return [
    [`**${title}**`, '', ...lines.slice(0, shownAtMost), ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n'),
  ];
}

function formatIso(iso: string): string {
  return formatDateTime(new Date(iso));
}
