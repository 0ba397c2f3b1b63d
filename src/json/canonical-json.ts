import { createHash } from 'node:crypto';

/** Longer texts are written in pieces, because a digest needs no copy of the whole text. */
const pieceCharacters = 65_536;

/** Names of fields that are left out, at any depth. */
export type OmittedFields = ReadonlySet<string>;

const nothingOmitted: OmittedFields = new Set();

/**
 * JSON by RFC 8785 (JSON Canonicalization Scheme): equal values have equal texts, in whatever order their fields were sent.
 * Expects values of JSON.parse: no dates, functions or cycles. Lone surrogates, which RFC 8785 refuses, are written as escapes.
 */
export function canonicalJson(value: unknown, omitted: OmittedFields = nothingOmitted): string {
  const parts: string[] = [];
  writeCanonical(value, { omitted, write: (part) => void parts.push(part) });
  return parts.join('');
}

/** SHA-256 of the canonical form, in hex. */
export function digest(value: unknown, omitted: OmittedFields = nothingOmitted): string {
  const hash = createHash('sha256');
  let pending = '';
  const write = (part: string) => {
    pending += part;
    if (pending.length < pieceCharacters) return;
    hash.update(pending);
    pending = '';
  };
  writeCanonical(value, { omitted, write });
  return hash.update(pending).digest('hex');
}

interface Writing {
  readonly omitted: OmittedFields;
  readonly write: (part: string) => void;
}

function writeCanonical(value: unknown, writing: Writing): void {
  const { write } = writing;
  if (value === undefined) return;
  if (typeof value === 'string') return writeText(value, write);
  if (typeof value !== 'object' || value === null) return write(JSON.stringify(value));
  const isArray = Array.isArray(value);
  let separator = isArray ? '[' : '{';
  for (const [key, field] of isArray ? value.entries() : sortFields(value, writing.omitted)) {
    write(isArray ? separator : `${separator}${JSON.stringify(key)}:`);
    writeCanonical(field, writing);
    separator = ',';
  }
  write(`${separator === ',' ? '' : separator}${isArray ? ']' : '}'}`);
}

function sortFields(record: object, omitted: OmittedFields): [string, unknown][] {
  return Object.entries(record)
    .filter(([name, field]) => field !== undefined && !omitted.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function writeText(text: string, write: (part: string) => void): void {
  if (text.length <= pieceCharacters) return write(JSON.stringify(text));
  write('"');
  for (let at = 0; at < text.length;) {
    const end = at + pieceCharacters;
    // JSON.stringify would escape the halves of a split character.
    const next = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end;
    write(JSON.stringify(text.slice(at, next)).slice(1, -1));
    at = next;
  }
  write('"');
}
