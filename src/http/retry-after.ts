/** Retry-After as seconds or as an HTTP date (RFC 9110, 10.2.3); what is malformed is ignored. `now`: milliseconds since the epoch. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  // Date.parse takes almost anything that ends in a number; a date begins with its day.
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(header.trim())) return undefined;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
