/** Current details as the Temporal UI shows them: Markdown without HTML, at most 20 KB. */
import { findWayOut } from '../src/finding-meanings.ts';
import { escapeMarkdown, toTable } from '../src/markdown.ts';
import { toMoment } from '../src/moments.ts';
import type { Finding } from '../src/order-report.ts';
import type { Progress } from './progress.ts';

/** Of a set that breaks everything, the first ones tell what is wrong. */
const shownAtMost = 30;

export function toDetails(progress: Progress): string {
  const { stage, since, failure, note, counts, tables, files, findings, past } = progress;
  const blocks = [
    `**${escapeMarkdown(stage)}** since ${moment(since)}`,
    ...(failure === null ? [] : [`\`${failure.type}\`: ${escapeMarkdown(failure.message)}`]),
    ...(note === null ? [] : [escapeMarkdown(note)]),
    ...toWaiting(progress),
    ...counted('figure', counts),
    ...Object.entries(tables).flatMap(([title, rows]) => counted(title, rows)),
    ...listed(
      'Files',
      files.map(({ path, rows }) => `- \`${path.replaceAll('`', "'")}\` (${rows.toLocaleString('en')} rows)`),
    ),
    ...listed('Findings', findings.map(toFindingLine)),
    ...(past.length === 0
      ? []
      : [
          toTable(
            ['before', 'from'],
            past.map((each) => [each.stage, moment(each.since)]),
          ),
        ]),
  ];
  return blocks.join('\n\n');
}

function toWaiting({ waitingFor, waitingUntil, since }: Progress): string[] {
  if (waitingFor === null) return [];
  const until = waitingUntil === null ? '' : `, until ${moment(waitingUntil)} at the latest`;
  return [`Waiting for ${escapeMarkdown(waitingFor)} since ${moment(since)}${until}.`];
}

function toFindingLine({ code, count, positions }: Finding): string {
  const at = positions.length === 0 ? '' : ` (at ${positions.join(', ')}${count > positions.length ? ' …' : ''})`;
  const wayOut = findWayOut(code);
  return `- \`${code}\`: ${count.toLocaleString('en')}${at}${wayOut === null ? '' : `. Way out: ${wayOut}`}`;
}

function counted(title: string, counts: Readonly<Record<string, number>>): string[] {
  const rows = Object.entries(counts).map(([name, count]) => [name, count.toLocaleString('en')]);
  return rows.length === 0 ? [] : [toTable([title, ''], rows.slice(0, shownAtMost))];
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - shownAtMost;
  return [
    [`**${title}**`, '', ...lines.slice(0, shownAtMost), ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n'),
  ];
}

function moment(iso: string): string {
  return toMoment(new Date(iso));
}
