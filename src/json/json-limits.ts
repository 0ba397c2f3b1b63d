/**
 * Limits of JSON that others send. What reads answers calls itself once for each level, and keeps the event loop from other
 * work while it reads.
 */
const mostLevels = 100;
/** The largest known answer, a HubSpot portal's properties with all their options, has fewer than 100,000. */
const mostValues = 250_000;

export const jsonLimits = `JSON of more than ${mostLevels} levels or ${mostValues.toLocaleString('en')} values`;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** Whether a JSON text has more than 100 levels or 250,000 values, unless told fewer. Reads the text once and does not parse it. */
export function isBeyondJsonLimits(json: string | Uint8Array, values: number = mostValues): boolean {
  // The characters that JSON is made of are single bytes in UTF-8, and no byte of any other character equals them.
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  let level = 0;
  let commas = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at];
    if (isInString) {
      if (code === backslash) at += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === comma) commas += 1;
    else if (code === 0x5b || code === 0x7b) level += 1;
    else if (code === 0x5d || code === 0x7d) level -= 1;
    if (level > mostLevels || commas >= values) return true;
  }
  return false;
}

/** undefined for what is no JSON, or is beyond the limits: of an error answer, the status then says enough. */
export function parseJsonWithinLimits(json: string): unknown {
  if (isBeyondJsonLimits(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
