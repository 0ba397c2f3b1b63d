/** Times and durations for the terminal and the Temporal UI. Always in UTC, because workers and readers are in any time zone. */

/** `2026-11-23 09:15 UTC` */
export function formatDateTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `09:15 UTC` */
export function formatTime(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}

/** `2026-11-23 09:15:30 UTC`, of an ISO 8601 time in UTC. */
export function formatTimestamp(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`;
}

/** `45 s`, `8 min`, `3 h`, `2 days`; rounded up. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} days`;
}

/** To tenths. */
export function roundSeconds(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
