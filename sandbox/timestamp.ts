/** Milliseconds since 1970 (fractions allowed) as the service writes them: microseconds and Z. */
export function toTimestamp(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const micros = Math.floor((milliseconds - whole) * 1_000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}
