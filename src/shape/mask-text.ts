/** The service's own words, without the values of customers and the key that they may repeat. */

const longestText = 300;
/** Longer texts are no message. */
const longestRead = 20_000;
/** Shorter values stand in ordinary words by chance. */
const shortestValue = 3;

const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const email = /[^\s@"'<>()]+@[^\s@"'<>()]+/g;
const address = /https?:\/\/[^\s"'<>()]+/g;
const number = /\+?\d[\d\s()/-]{6,}\d/g;
const token = /\b[\w-]{24,}\b/g;
const quoted = /(["'`“‘„])([^"'`“”‘’„]{2,200})(["'`”’“])/g;
/** Words of the interface: profile_id, searchProfileId, COMPANY_DATA, companies[0].name. */
const interfaceWord =
  /^(?:[a-z][a-z0-9]*(?:[_.\-[\]][a-z0-9_\]]*)*|[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)$/;
/** What has capitals and names nobody, among them the German words for the parts of a request. */
const ordinary =
  /\b(?:Idempotency-Key|Retry-After|Content-Type|Not Found|Bad Request|Internal Server Error|Unprocessable (?:Entity|Content)|Too Many Requests|Service Unavailable|Bad Gateway|Gateway Timeout|API Key|(?:Pflicht)?Feld(?:er|es)?|Feldname|Eigenschaft|Attribut|Objekt|Wert|Angabe|Anfrage|Auftrag|Suchprofil|Schlüssel|Zeichenkette|Zahl|Liste)\b/g;
/** A capital inside a sentence begins a name, and so do two in a row. */
const name = /(?<=[\p{L}\p{N},;:)] )\p{Lu}[\p{Ll}'’]+(?:-\p{Lu}[\p{Ll}'’]+)*(?=[^\p{L}_-]|$)/gu;
const names =
  /(?<![\p{L}_-])(?!(?:Der|Die|Das|Ein|Eine|Kein|Keine|The|This|No|Your|Input|Field|Extra) )\p{Lu}[\p{Ll}'’]+(?: \p{Lu}[\p{L}'’-]*\p{Ll}[\p{L}'’-]*)+/gu;
/** German writes every noun with a capital. */
const german = /(?:^|\s)(?:der|die|das|ein|eine|ist|nicht|und|kein|keine|für|wird|muss)\s/i;

/**
 * `sent`: the request's body, whose texts are replaced where the service repeats them; `secret`: the API key. Names are
 * masked by their form as well: an answer may tell of somebody whom no request named.
 */
export function createMask(sent: unknown, secret = ''): (text: string) => string {
  let values: RegExp | null | undefined;
  return (text) => {
    values ??= toPattern([...textsIn(sent), secret]);
    const plain = text.slice(0, longestRead).replaceAll('\\"', '"').replaceAll(/\s+/g, ' ');
    const withoutSent = values === null ? plain : plain.replace(values, '…');
    const kept: string[] = [];
    const keep = (found: string) => `\uE000${kept.push(found) - 1}\uE001`;
    const masked = withoutSent
      .replace(uuid, keep)
      .replace(ordinary, keep)
      .replace(email, '…')
      .replace(address, '…')
      .replace(token, (found) => (/^(?:[a-z_]+|[A-Z_]+)$/.test(found) ? found : '…'))
      .replace(number, '…')
      .replace(quoted, (found, open: string, inner: string, close: string) =>
        interfaceWord.test(inner) || inner.startsWith('\uE000') ? found : `${open}…${close}`,
      )
      .replace(names, '…')
      .replace(german.test(plain) ? names : name, '…');
    return masked
      .replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '')
      .trim()
      .slice(0, longestText);
  };
}

/** One pattern for all values, the longest first; blanks count as one, upper and lower case as equal. */
function toPattern(texts: readonly string[]): RegExp | null {
  const values = [...new Set(texts.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  if (values.length === 0) return null;
  const escaped = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(escaped.join('|'), 'gi');
}

/** A website is known by its host too. */
function formsOf(text: string): string[] {
  const value = text.replaceAll(/\s+/g, ' ').trim();
  const host = /^https?:\/\//i.test(value) ? (URL.parse(value)?.hostname.replace(/^www\./, '') ?? '') : '';
  return [value, host].filter((form) => form.length >= shortestValue);
}

/** Fields whose values are words of the interface, which a refusal has to name. */
const wordFields = new Set(['order_type', 'features', 'output_type']);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.search(uuid) === 0 ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => (wordFields.has(field) ? [] : textsIn(inner)));
}
