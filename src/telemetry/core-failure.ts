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
