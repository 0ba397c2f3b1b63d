// Lines of a worker's log. Only fields that are known to hold no personal data are written: ids, positions, counts, types and times.
// Texts of others are escaped, so that none of them looks like a further entry.
import { TemporalFailure, ApplicationFailure } from '@temporalio/common';
import { rootCause } from '../failures/application-failure.ts';
import { toPrintable, toPrintableJson, toPrintableLines } from '../text/printable-text.ts';

export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | undefined>>;

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: LogFields | undefined;
}

/** Writes one line, at level `info` unless given. */
export type Log = (message: string, level?: LogLevel, fields?: LogFields) => void;

/** One line without its end. `json`: an object with time, level, message and the fields. */
export function formatLine(format: LogFormat, line: LogLine, now: Date): string {
  const { level, message, fields } = line;
  if (format === 'json') return toPrintableJson({ time: now.toISOString(), level, message, ...fields });
  return [now.toISOString().slice(11, 19), level.padEnd(5), formatMessage(line)].join(' ');
}

/** `Activity failed attempt=2`, for a reader who sees it as it happens. */
export function formatMessage({ message, fields = {} }: LogLine): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${toPrintable(`${value}`)}`],
  );
  // An entry begins with its time: lines that follow are indented.
  return [toPrintableLines(message).replaceAll('\n', '\n  '), ...given].join(' ');
}

/** An entry of the SDK's or of Temporal Core's log. */
export interface SdkEntry {
  readonly level: string;
  readonly message: string;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** null: of no interest. */
export function toLogLine({ level, message, meta = {} }: SdkEntry): LogLine | null {
  const known = levels[level] ?? 'debug';
  const shown = known === 'debug' && milestones.test(message) ? 'info' : known;
  // The bundler's own report: dozens of lines about files.
  if (shown === 'debug' || /^webpack [\d.]+ compiled successfully/m.test(message)) return null;
  return { level: shown, message, fields: toFields(meta) };
}

const levels: Readonly<Record<string, LogLevel>> = { INFO: 'info', WARN: 'warn', ERROR: 'error' };

/** What the SDK tells at its debug level, and what is one line for each step of a run. */
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
  for (const [given, name] of Object.entries(names)) {
    const value = meta[given];
    if (typeof value === 'string' || typeof value === 'number') fields[name] = value;
  }
  const { workflowId } = meta;
  return { ...(typeof workflowId === 'string' ? toSubject(workflowId) : {}), ...fields, ...toErrorFields(meta) };
}

/** What a workflow is about stands in its id: `run/dach-weekly/2026-11-23`, `order/<order id>/reconcile`. */
function toSubject(workflowId: string): LogFields {
  const [, run] = /^run\/([^/]+)/.exec(workflowId) ?? [];
  const [, order] = /^(?:order|reconcile|retry)\/([^/]+)/.exec(workflowId) ?? [];
  return { ...(run === undefined ? {} : { run }), ...(order === undefined ? {} : { order }) };
}

/**
 * The SDK's own errors, and ours of a payload, which name keys by their ids. Of all others that are no failures of Temporal's
 * only the name is written, since their text may hold anything.
 */
const toldErrors = [
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
  const isTold = root instanceof TemporalFailure || toldErrors.includes(root.name);
  return { error_type: type, ...(isTold ? { error_message: toCoreReason(root.message) ?? root.message } : {}) };
}

/**
 * The reason within what Temporal Core quotes of a failed workflow task, in one line; null when there is none. A quoted event is cut
 * down to its number and type: it holds payloads.
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

/** Fixed texts of Node and of pg that come without a code. */
const knownTexts = /^(?:Setting the NODE_TLS_REJECT_UNAUTHORIZED |SECURITY WARNING: The SSL modes )/;
const knownNames = ['MaxListenersExceededWarning', 'TimeoutNegativeWarning', 'TimeoutOverflowWarning'];

/**
 * What Node would print about a warning, in one line; null: of no interest. The text is told where it is Node's own or pg's,
 * of all others only the name and the code.
 */
export function toWarningLine(warning: Error & { readonly code?: unknown }): LogLine | null {
  const { name, message } = warning;
  // What Node's SQLite and its reading of TypeScript are, as long as they are new.
  if (name === 'ExperimentalWarning') return null;
  const code = typeof warning.code === 'string' ? ` ${warning.code}` : '';
  const isKnown = /^ DEP\d+$/.test(code) || knownNames.includes(name) || knownTexts.test(message);
  const text = isKnown ? `: ${message.trim().replaceAll(/\s+/g, ' ')}` : '';
  return { level: 'warn', message: `Node: ${name}${code}${text}` };
}
