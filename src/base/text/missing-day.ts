const beginning = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/;

/** The day with which a date or a time in ISO 8601 begins, if no calendar has it, such as 2026-02-30; otherwise null. */
export function findMissingDay(text: string): string | null {
  const [, day] = beginning.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  // Date reads 2026-02-30 as a day in March.
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? null : day;
}

/** `; the day 2026-02-30 does not exist`, for the end of a rule; empty if the day exists. */
export function describeMissingDay(text: unknown): string {
  const day = typeof text === 'string' ? findMissingDay(text) : null;
  return day === null ? '' : `; the day ${day} does not exist`;
}
