/** Redacts customer values and the API key in the text of an error. */
import { domainOf } from '../contract/matching.ts';
import { trimEndOf } from '../../base/text/normalize-text.ts';

const longestText = 300;
/** The rest of a longer text is not read. */
const longestRead = 20_000;
/** Shorter values occur in ordinary words by chance. */
const shortestValue = 3;

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const email = /[^\s@"'<>()]+(@[^\s@"'<>()]+)?/g;
const address = /https?:\/\/[^\s"'<>()]+/g;
const number = /\+?\d[\d\s()/-]{6,}\d/g;
const token = /[\w-]+/g;
const shortestToken = 24;
const quoted = /(["'`“‘„])([^"'`“”‘’„]{2,200})(["'`”’“])/g;
/** Words of the interface: profile_id, searchProfileId, COMPANY_DATA, companies[0].name. */
const interfaceWord = /^(?:[a-z][a-z0-9_.\-[\]]*|[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)$/;
/** Capitalised phrases that are not names, including German words for parts of a request. */
const ordinaryPhrases =
  /\b(?:Idempotency-Key|Retry-After|Content-Type|Not Found|Bad Request|Internal Server Error|Unprocessable (?:Entity|Content)|Too Many Requests|Service Unavailable|Bad Gateway|Gateway Timeout|API Key|(?:Pflicht)?Feld(?:er|es)?|Feldname|Eigenschaft|Attribut|Objekt|Wert|Angabe|Anfrage|Auftrag|Suchprofil|Schlüssel|Zeichenkette|Zahl|Liste)\b/g;
/** A capitalised word inside a sentence counts as a name, and so do two in a row. */
const name = /(?<=[\p{L}\p{N},;:)] )\p{Lu}[\p{Ll}'’]+(?:-\p{Lu}[\p{Ll}'’]+)*(?=[^\p{L}_-]|$)/gu;
const names =
  /(?<![\p{L}_-])(?!(?:Der|Die|Das|Ein|Eine|Kein|Keine|The|This|No|Your|Input|Field|Extra) )\p{Lu}[\p{Ll}'’]+(?: \p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*)+/gu;
/** German writes every noun with a capital. */
const german = /(?:^|\s)(?:der|die|das|ein|eine|ist|nicht|und|kein|keine|für|wird|muss)\s/i;

/**
 * `sent`: the request body, whose texts are redacted; `secret`: the API key. Names are also redacted by their form: a response
 * may name a person whom the request did not.
 */
export function createRedactor(sent: unknown, secret = ''): (text: string) => string {
  let replaceSent: ((text: string) => string) | undefined;
  return (text) => {
    replaceSent ??= createReplacer([...textsIn(sent), secret]);
    const plain = text.slice(0, longestRead).replaceAll('\\"', '"').replaceAll(/\s+/g, ' ');
    const kept: string[] = [];
    const keep = (found: string) => `\uE000${kept.push(found) - 1}\uE001`;
    const redacted = replaceSent(plain)
      .replace(uuid, keep)
      .replace(ordinaryPhrases, keep)
      .replace(email, (found, host: string | undefined) => (host === undefined ? found : '…'))
      .replace(address, '…')
      .replace(token, redactToken)
      .replace(number, '…')
      .replace(quoted, (found, open: string, inner: string, close: string) =>
        interfaceWord.test(inner) || inner.startsWith('\uE000') ? found : `${open}…${close}`,
      )
      .replace(names, '…')
      .replace(german.test(plain) ? names : name, '…');
    return redacted
      .replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '')
      .trim()
      .slice(0, longestText);
  };
}

/** Hyphens at the ends of a word do not make it longer. */
function redactToken(found: string): string {
  const word = trimEndOf(found.replace(/^-+/, ''), '-');
  if (word.length < shortestToken || /^(?:[a-z_]+|[A-Z_]+)$/.test(word)) return found;
  return found.replace(word, '…');
}

/** Replaces every value, the longest first. Ignores case and repeated blanks. */
function createReplacer(texts: readonly string[]): (text: string) => string {
  // Indexed by first characters and length, so that a text is scanned once for any number of values.
  const values = new Map<string, Map<number, Set<string>>>();
  for (const value of texts.flatMap(searchedForms).map(toLower)) {
    const beginning = value.slice(0, shortestValue);
    const byLength = values.get(beginning) ?? new Map<number, Set<string>>();
    values.set(beginning, byLength.set(value.length, (byLength.get(value.length) ?? new Set()).add(value)));
  }
  const lengths = new Map(
    [...values].map(([beginning, byLength]) => [beginning, [...byLength.keys()].toSorted((a, b) => b - a)]),
  );
  return (text) => {
    const lower = toLower(text);
    const lengthAt = (at: number) => {
      const beginning = lower.slice(at, at + shortestValue);
      const known = values.get(beginning);
      return lengths.get(beginning)?.find((length) => known?.get(length)?.has(lower.slice(at, at + length)) === true);
    };
    let replaced = '';
    let kept = 0;
    for (let at = 0; at < text.length;) {
      const length = lengthAt(at);
      if (length === undefined) at += 1;
      else {
        replaced += `${text.slice(kept, at)}…`;
        kept = at += length;
      }
    }
    return replaced + text.slice(kept);
  };
}

/** Lower case of the same length: a few capitals would become two characters. */
function toLower(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, at) => {
    const one = text.charAt(at);
    const small = one.toLowerCase();
    return small.length === 1 ? small : one;
  }).join('');
}

/** A website is also redacted by its host. */
function searchedForms(text: string): string[] {
  const value = text.replaceAll(/\s+/g, ' ').trim();
  const host = /^https?:\/\//i.test(value) ? (domainOf(value) ?? '') : '';
  return [value, host].filter((form) => form.length >= shortestValue);
}

/** Fields whose values are words of the interface, which the error has to show. */
const wordFields = new Set(['order_type', 'features', 'output_type']);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.search(uuid) === 0 ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => (wordFields.has(field) ? [] : textsIn(inner)));
}
