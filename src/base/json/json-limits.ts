/** Limits of received JSON: readers of answers recurse once for each level, and block the event loop while they read. */
export const mostLevels = 100;
/** The largest known answer, the properties of a HubSpot portal with all options, has fewer than 100,000. */
const mostValues = 250_000;
/** Larger than any website, and than any property of HubSpot by far. Parsing and decoding a longer text would block for too long. */
const mostTextBytes = 8_000_000;

export const jsonLimits = `JSON of more than ${mostLevels} levels, ${mostValues.toLocaleString('en')} values or ${mostTextBytes / 1e6} MB in one text`;

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

/** A long text is checked in pieces: a copy of all its bytes would double the memory. */
const pieceCharacters = 65_536;

/** True when JSON, as text or as blocks of bytes, has more than 100 levels, the given number of values, or 8 MB in one text. It is not parsed. */
export function isBeyondJsonLimits(json: string | readonly Uint8Array[], values: number = mostValues): boolean {
  let level = 0;
  let commas = 0;
  let isInString = false;
  let isEscaped = false;
  /** Where the current text begins, counted from the piece that is read. */
  let textStart = 0;
  for (const bytes of toPieces(json)) {
    // By index: iterating over the bytes takes several times as long.
    for (let at = 0; at < bytes.length; at += 1) {
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        // Most bytes are inside of texts: a loop of its own takes half the time.
        while (at < bytes.length && bytes[at] !== quote && bytes[at] !== backslash) at += 1;
        isEscaped = bytes[at] === backslash;
        isInString = bytes[at] !== quote;
      } else {
        const code = bytes[at];
        if (code === quote) {
          isInString = true;
          textStart = at;
        } else if (code === comma) commas += 1;
        else if (code === 0x5b || code === 0x7b) level += 1;
        else if (code === 0x5d || code === 0x7d) level -= 1;
        if (level > mostLevels || commas >= values) return true;
      }
    }
    textStart -= bytes.length;
    if (isInString && -textStart > mostTextBytes) return true;
  }
  return false;
}

/** Pieces may begin inside a character: JSON's syntax consists of single bytes, which occur in no other UTF-8 character. */
function* toPieces(json: string | readonly Uint8Array[]): Generator<Uint8Array> {
  if (typeof json !== 'string') yield* json;
  else
    for (let at = 0; at < json.length; at += pieceCharacters) yield Buffer.from(json.slice(at, at + pieceCharacters));
}

/** undefined for invalid JSON, and for JSON over the limits. For texts whose content decides, not why it cannot be read. */
export function parseJsonWithinLimits(json: string): unknown {
  return isBeyondJsonLimits(json) ? undefined : parseJsonOrUndefined(json);
}

/** undefined for invalid JSON. Check the limits before, where the text comes from elsewhere. */
export function parseJsonOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
