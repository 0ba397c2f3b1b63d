/** Erases personal data: of one person or company, or of orders that are older than `retention.days`. */
import type { Config } from '../config/config.ts';
import {
  compactionPlace,
  forget,
  previewForget,
  type Erasure,
  type ForgetPreview,
} from '../delivery/erasure/forget.ts';
import { readRefusal } from '../replies/refusal.ts';
import type { FailedPlace } from '../ledger/erasure-failures.ts';
import { applyRetention, previewRetention, type RetentionPreview } from '../delivery/erasure/retention.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import {
  isFound,
  linkRecords,
  toFoundText,
  toRecordLines,
  toTableLines,
  toUnknownRemedy,
  type LinkedFoundRecord,
} from './forget-text.ts';
import { toSubject } from './subject.ts';
import {
  CommandError,
  exitCodes,
  isConfirmed,
  type ConfirmationFlags,
  type ExitCode,
  type Terminal,
} from './terminal.ts';

export interface ForgetFlags extends ConfirmationFlags {
  /** Later results are stored without the person or company, even if nothing is found now. */
  readonly future: boolean;
}

/** `applied`: null when there was nothing to do, or it was not confirmed. */
export interface ForgetResult {
  readonly preview: ForgetPreview;
  /** The command would have done something. */
  readonly isDeclined: boolean;
  readonly records: readonly LinkedFoundRecord[];
  readonly applied: Erasure | null;
}

export interface RetentionResult {
  readonly days: number;
  readonly preview: RetentionPreview;
  readonly isDeclined: boolean;
  readonly applied: Erasure | null;
}

const notTouched =
  'HubSpot, the service, backups and copies of files are not changed: delete the person there as well (HubSpot: GDPR delete).';

/**
 * Previews, asks, and erases. Without a terminal it erases only with `--yes`. What is not found may be misspelt, and would be left out of
 * results for ever: that is a question of its own, which `--yes` does not answer.
 */
export async function forgetPerson(
  terminal: Terminal,
  options: GlobalOptions & ForgetFlags,
  who: string,
): Promise<ForgetResult> {
  const identifier = toSubject(who);
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const preview = await previewForget(ledger, identifier);
  const records = await linkRecords(config.hubspot, preview.records);
  const found = [toFoundText(preview), ...toRecordLines(records)].join('\n');
  const isUnknown = !isFound(preview) && preview.forgottenAt === null;
  const mayDoNothing = { preview, records, isDeclined: false, applied: null };
  if (isUnknown && !options.future && (options.yes || options.json || !terminal.canAsk)) return mayDoNothing;
  const question = isUnknown
    ? `${found}\nLeave exactly this address or domain out of all later results? This cannot be undone.`
    : `${found}\nErase this in prospect-sync, and leave it out of later results?`;
  // Whoever was forgotten is so again without a question: an edited file may have them back.
  const isRepeated = !isFound(preview) && preview.forgottenAt !== null;
  if (!isRepeated && !(await isConfirmed(terminal, options, question))) return { ...mayDoNothing, isDeclined: true };
  // Their ids cannot be found once the person is erased.
  if (options.yes) for (const line of toRecordLines(records)) terminal.say(line);
  const context = {
    ...toContext(),
    readRefusal: (body: string | null) => readRefusal(body, config.replies.policy),
  };
  return { preview, records, isDeclined: false, applied: await forget(ledger, preview.identifiers, context) };
}

export async function retention(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
): Promise<RetentionResult> {
  const config = await readConfiguration(options.config, terminal.env);
  const days = daysOf(config);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const preview = await previewRetention(ledger, days, new Date());
  if (!options.yes && isNothing(preview)) return { days, preview, isDeclined: false, applied: null };
  const question = `${toRetentionPreviewText(preview)}\nErase this?`;
  if (!(await isConfirmed(terminal, options, question))) return { days, preview, isDeclined: true, applied: null };
  return { days, preview, isDeclined: false, applied: await applyRetention(ledger, days, toContext()) };
}

export function toForgetText({ preview, records, applied }: ForgetResult): string {
  if (applied === null)
    return [[toFoundText(preview), ...toUnknownRemedy(preview)].join(' '), ...toRecordLines(records), notTouched].join(
      '\n',
    );
  const erased = isFound(preview) ? toErasureLines(applied) : [toFoundText(preview), ...toErasureLines(applied)];
  return [...erased, 'Later results are stored without them.', notTouched].join('\n');
}

export function toRetentionText({ preview, applied }: RetentionResult): string {
  if (applied === null) return toRetentionPreviewText(preview);
  return toErasureLines(applied).join('\n') || toRetentionPreviewText(preview);
}

/** A place that failed may hold something. */
function isNothing({ orderIds, tables, files, failed }: RetentionPreview): boolean {
  return orderIds.length + files.length + failed.length === 0 && tables.every(({ rows }) => rows === 0);
}

/** Places that failed are an error. Files that were left, and a write-ahead log that could not be emptied, need the user. */
export function exitCodeOfErasure(result: ErasureResult): ExitCode {
  const { applied } = result;
  if (failedPlaces(result).length > 0 || result.isDeclined) return exitCodes.failed;
  // A misspelled address leaves the person in every place.
  if ('records' in result && applied === null && result.preview.forgottenAt === null) return exitCodes.findings;
  return applied !== null && (applied.files.left.length > 0 || !applied.compacted)
    ? exitCodes.findings
    : exitCodes.done;
}

/** null when no place failed and nothing was declined. Names places, never people. */
export function toFailureText(result: ErasureResult): string | null {
  const failed = failedPlaces(result);
  if (failed.length === 0)
    return result.isDeclined
      ? 'The erasure was not confirmed: nothing was changed. To erase it without confirmation, add --yes'
      : null;
  const places = failed.map(({ place, problem }) => `${toPrintable(place)} (${problem})`).join('; ');
  const [what, rest] = result.applied === null ? ['be searched', 'searched'] : ['be erased', 'erased'];
  return `${failed.length} of the places could not ${what}: ${places}. The others were ${rest}. Correct the cause, then run the command again: it continues.`;
}

type ErasureResult = ForgetResult | RetentionResult;

function failedPlaces({ preview, applied }: ErasureResult): readonly FailedPlace[] {
  return (applied ?? preview).failed;
}

/** Omits the identifiers, because the document must not contain forgotten data. `files`: null if nothing was erased. */
export function toForgetDocument({ preview, records, applied }: ForgetResult) {
  const { identifiers, orders } = preview;
  const counts = { found: isFound(preview), identifiers: identifiers.length, orders };
  return { ...counts, records, ...toErasureDocument(preview, applied) };
}

export function toRetentionDocument({ days, preview, applied }: RetentionResult) {
  const { cutoff, orderIds } = preview;
  return { days, cutoff, order_ids: orderIds, ...toErasureDocument(preview, applied) };
}

function toErasureDocument(
  { tables, files, failed }: Pick<ForgetPreview, 'tables' | 'files' | 'failed'>,
  applied: Erasure | null,
) {
  const found = { applied: applied !== null, found_files: files };
  return applied === null
    ? { ...found, tables, files: null, compacted: null, failed }
    : { ...found, tables: applied.tables, files: applied.files, compacted: applied.compacted, failed: applied.failed };
}

function daysOf({ retention: { days } }: Config): number {
  if (days !== null) return days;
  throw new CommandError(
    'The configuration has no retention.days, so that data is kept for ever. Set it, for example: retention: {days: 365}',
    exitCodes.usage,
  );
}

function toContext() {
  return { now: () => new Date(), signal: new AbortController().signal };
}

function toRetentionPreviewText(preview: RetentionPreview): string {
  const { cutoff, orderIds, tables, files } = preview;
  if (isNothing(preview)) return `Nothing to erase: no data of orders is from before ${cutoff.slice(0, 10)}.`;
  const since = `${orderIds.length} orders and ${files.length} files from before ${cutoff.slice(0, 10)}:`;
  return [since, ...toTableLines(tables)].join('\n');
}

function toErasureLines({ tables, files, compacted, failed }: Erasure): string[] {
  return [
    ...toTableLines(tables),
    ...files.rewritten.map((path) => `rewritten  ${toPrintable(path)}`),
    ...files.deleted.map((path) => `deleted    ${toPrintable(path)}`),
    ...files.left.map(
      (path) =>
        `left       ${toPrintable(path)} (missing, or changed since it was written: remove the person from it, or delete it; prospect-sync retry ORDER writes spreadsheets again without them, and keeps a changed one as a copy, which is listed here too)`,
    ),
    ...(compacted || failed.some(({ place }) => place === compactionPlace)
      ? []
      : ['The write-ahead log of SQLite is still read by another process. Stop all workers, then run it again.']),
  ];
}
