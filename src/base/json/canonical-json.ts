import { createHash } from 'node:crypto';

/** Longer texts are written in pieces, because a digest needs no copy of the whole text. */
const pieceCharacters = 65_536;

/** Names of fields that are left out where their value is a text or null, at any depth. */
export type OmittedFields = ReadonlySet<string>;

const nothingOmitted: OmittedFields = new Set();

/**
 * JSON by RFC 8785 (JSON Canonicalization Scheme): equal values have equal texts, in whatever order their fields were sent.
 * Expects values of JSON.parse: no dates, functions or cycles. Lone surrogates, which RFC 8785 refuses, are written as escapes.
 */
export function canonicalJson(value: unknown, omitted: OmittedFields = nothingOmitted): string {
  const pieces: string[] = [];
  const output: Output = { pending: '', omitted, take: (piece) => void pieces.push(piece) };
  writeCanonical(value, output);
  return pieces.join('') + output.pending;
}

/** SHA-256 of the canonical form, in hex. */
export function digest(value: unknown, omitted: OmittedFields = nothingOmitted): string {
  const hash = createHash('sha256');
  const output: Output = { pending: '', omitted, take: (piece) => void hash.update(piece) };
  writeCanonical(value, output);
  return hash.update(output.pending).digest('hex');
}

interface Output {
  /** Text that `take` has not received yet. One growing text is much faster than a call for each part. */
  pending: string;
  readonly omitted: OmittedFields;
  readonly take: (piece: string) => void;
}

function writeCanonical(value: unknown, output: Output): void {
  if (value === undefined) return;
  if (typeof value === 'string') return writeText(value, output);
  if (!isFields(value)) return write(JSON.stringify(value), output);
  if (Array.isArray(value)) return writeArray(value, output);
  let separator = '{';
  for (const name of sortedNames(value)) {
    const field = value[name];
    if (field === undefined || (output.omitted.has(name) && isTextOrNull(field))) continue;
    output.pending += `${separator}${quoteName(name)}:`;
    writeCanonical(field, output);
    separator = ',';
  }
  write(separator === '{' ? '{}' : '}', output);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

function writeArray(items: readonly unknown[], output: Output): void {
  let separator = '[';
  for (const item of items) {
    write(separator, output);
    writeCanonical(item, output);
    separator = ',';
  }
  write(separator === '[' ? '[]' : ']', output);
}

/** Quoted names: slots have few different ones, in any number of records. */
const quotedNames = new Map<string, string>();
const mostQuotedNames = 1_000;

function quoteName(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(name);
  if (quotedNames.size < mostQuotedNames && name.length < 100) quotedNames.set(name, quoted);
  return quoted;
}

/** By UTF-16 code units. Names that were read from canonical JSON are usually sorted already. */
function sortedNames(fields: object): string[] {
  const names = Object.keys(fields);
  let before = '';
  for (const name of names) {
    if (name < before) return names.sort();
    before = name;
  }
  return names;
}

function write(part: string, output: Output): void {
  output.pending += part;
  if (output.pending.length < pieceCharacters) return;
  output.take(output.pending);
  output.pending = '';
}

function writeText(text: string, output: Output): void {
  if (text.length <= pieceCharacters) return write(JSON.stringify(text), output);
  write('"', output);
  for (let at = 0; at < text.length;) {
    const end = at + pieceCharacters;
    // JSON.stringify would escape the halves of a split character.
    const next = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '') ? end - 1 : end;
    write(JSON.stringify(text.slice(at, next)).slice(1, -1), output);
    at = next;
  }
  write('"', output);
}
