// Lines of a worker's log. Only fields without personal data are written: ids, positions, counts, types and times. External texts
// are escaped, because they could imitate a log entry.
import { TemporalFailure, ApplicationFailure } from '@temporalio/common';
import { rootCause } from './failures/application-failure.ts';
import { toPrintable, toPrintableJson, toPrintableLines } from './text/printable-text.ts';
import type { LogFormat } from './log-format.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | undefined>>;

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: LogFields | undefined;
}

/** Writes one line. Default level: info. */
export type Log = (message: string, level?: LogLevel, fields?: LogFields) => void;

/** One line without line feed. `json`: an object with time, level, message and the fields. */
export function formatLine(format: LogFormat, line: LogLine, now: Date): string {
  const { level, message, fields } = line;
  if (format === 'json') return toPrintableJson({ time: now.toISOString(), level, message, ...fields });
  return [now.toISOString().slice(11, 19), level.padEnd(5), formatMessage(line)].join(' ');
}

/** `Activity failed attempt=2`: a line without its time. */
export function formatMessage({ message, fields = {} }: LogLine): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${toPrintable(`${value}`)}`],
  );
  // Further lines are indented, because an entry begins with its time.
  return [toPrintableLines(message).replaceAll('\n', '\n  '), ...given].join(' ');
}

/** A log entry of the Temporal SDK or of Temporal Core. */
export interface SdkEntry {
  readonly level: string;
  readonly message: string;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** null for entries that are not logged. */
export function toLogLine({ level, message, meta = {} }: SdkEntry): LogLine | null {
  const known = levels[level] ?? 'debug';
  const shown = known === 'debug' && milestones.test(message) ? 'info' : known;
  // The report of the bundler has dozens of lines about files.
  if (shown === 'debug' || /^webpack [\d.]+ compiled successfully/m.test(message)) return null;
  return { level: shown, message, fields: toFields(meta) };
}

const levels: Readonly<Record<string, LogLevel>> = { INFO: 'info', WARN: 'warn', ERROR: 'error' };

/** Steps of a run, which the SDK logs at its debug level. */
const milestones =
  /^(?:Workflow (?:started|completed|cancelled|continued as new)|Activity (?:completed|completed as cancelled))$/;

const names: Readonly<Record<string, string>> = {
  sdkComponent: 'component',
  state: 'state',
  run: 'run',
  order: 'order',
  from: 'from',
  to: 'to',
  workflowType: 'workflow_type',
  workflowId: 'workflow_id',
  workflowRunId: 'run_id',
  runId: 'run_id',
  run_id: 'run_id',
  activityType: 'activity_type',
  attempt: 'attempt',
  durationMs: 'duration_ms',
  trace_id: 'trace_id',
  span_id: 'span_id',
};

function toFields(meta: Readonly<Record<string, unknown>>): LogFields {
  const fields: Record<string, string | number> = {};
  for (const [sdkName, name] of Object.entries(names)) {
    const value = meta[sdkName];
    if (typeof value === 'string' || typeof value === 'number') fields[name] = value;
  }
  const { workflowId } = meta;
  return { ...(typeof workflowId === 'string' ? toSubject(workflowId) : {}), ...fields, ...toErrorFields(meta) };
}

/** The id of a workflow names its run or order: `run/dach-weekly/2026-11-23`, `order/<order id>/reconcile`. */
function toSubject(workflowId: string): LogFields {
  const [, run] = /^run\/([^/]+)/.exec(workflowId) ?? [];
  const [, order] = /^(?:order|reconcile|retry)\/([^/]+)/.exec(workflowId) ?? [];
  return { ...(run === undefined ? {} : { run }), ...(order === undefined ? {} : { order }) };
}

/**
 * Errors whose message is logged, beside Temporal failures: errors of the SDK, and CodecError. Of other errors only the name is
 * logged, because their text may contain personal data.
 */
const loggedErrors = [
  'CodecError',
  'DeterminismViolationError',
  'IllegalStateError',
  'ReplayError',
  'TransportError',
  'UnexpectedError',
];

function toErrorFields({ error, failure }: Readonly<Record<string, unknown>>): LogFields {
  const reason = typeof failure === 'string' ? toCoreReason(failure) : null;
  if (!(error instanceof Error)) return reason === null ? {} : { error_message: reason };
  const root = rootCause(error) ?? error;
  const type = root instanceof ApplicationFailure ? (root.type ?? root.name) : root.name;
  const isLogged = root instanceof TemporalFailure || loggedErrors.includes(root.name);
  return { error_type: type, ...(isLogged ? { error_message: toCoreReason(root.message) ?? root.message } : {}) };
}

/**
 * The reason of a failed workflow task, in one line, from a text of Temporal Core; null when there is none. A quoted event is
 * reduced to its number and type, because it contains payloads.
 */
export function toCoreReason(quoted: string): string | null {
  const [, message] = /message: "((?:[^"\\]|\\.)*)"/.exec(quoted) ?? [];
  if (message === undefined) return null;
  const [before = '', event] = message.split('HistoryEvent {', 2);
  const [, id] = /event_id: (\d+)/.exec(event ?? '') ?? [];
  const [, type] = /event_type: (\w+)/.exec(event ?? '') ?? [];
  const reason = event === undefined ? before : `${before}event ${id ?? '?'} ${type ?? ''}`;
  return reason.trim().replaceAll(/\s+/g, ' ');
}

/** Fixed warnings of Node and pg without a code. */
const knownTexts = /^(?:Setting the NODE_TLS_REJECT_UNAUTHORIZED |SECURITY WARNING: The SSL modes )/;
const knownNames = ['MaxListenersExceededWarning', 'TimeoutNegativeWarning', 'TimeoutOverflowWarning'];

/** One line for a warning of Node; null for one that is not logged. The text is logged only for known warnings of Node and pg. */
export function toWarningLine(warning: Error & { readonly code?: unknown }): LogLine | null {
  const { name, message } = warning;
  // Node's SQLite and TypeScript support are experimental.
  if (name === 'ExperimentalWarning') return null;
  const code = typeof warning.code === 'string' ? ` ${warning.code}` : '';
  const isKnown = /^ DEP\d+$/.test(code) || knownNames.includes(name) || knownTexts.test(message);
  const text = isKnown ? `: ${message.trim().replaceAll(/\s+/g, ' ')}` : '';
  return { level: 'warn', message: `Node: ${name}${code}${text}` };
}
