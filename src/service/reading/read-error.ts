/** Reads error bodies of any form: those of the specification, problem+json, FastAPI, lists of errors, pages of a gateway. */

import { boundText, boundTexts } from '../../base/text/bound-text.ts';
import { createRedactor } from './redact-text.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

/** The form of codes, scopes and fields. */
const word = /^[\w.:[\]-]{1,60}$/;

const isSentence = (text: unknown): text is string => typeof text === 'string' && /\S\s+\S/.test(text);

const longestText = 300;
const fieldsShown = 10;
const itemsRead = 1_000;
const fieldsRead = 100;
const scopesRead = 20;
const longestField = 200;

/** A field of the request that the error names, with the text of the service. */
export interface FieldProblem {
  /** Path in the body, joined by dots: `companies.0.company_name`. */
  readonly field: string;
  readonly text: string;
  /** The service's word for the rule, for example `missing`; may be empty. */
  readonly type: string;
}

export interface ReadError {
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  readonly requiredScopes: string[] | undefined;
  readonly grantedScopes: string[] | undefined;
  readonly fields: FieldProblem[];
  /** The text of the service and the fields that it names, without values of the request. */
  readonly detail: string | undefined;
}

/** `sent`: the request body; `secret`: the API key. Both are redacted from the text. */
export function readError(
  answer: unknown,
  { sent, secret }: { readonly sent: unknown; readonly secret: string },
): ReadError {
  const body = boundTexts(answer);
  const records = isRecord(body) ? [body, ...innerRecords(body)] : [];
  const redact = createRedactor(sent, secret);
  // A field or code that redaction changes is a value, not a name.
  const isSafe = (text: string) => redact(text) === text && !/^\p{Lu}\p{Ll}+$/u.test(text);
  const isSafeProblem = ({ field }: FieldProblem) => isSafe(field);
  const listed = fieldProblems(records, redact).filter(isSafeProblem).slice(0, fieldsRead);
  const fields =
    listed.length > 0 ? listed : problemsInSentences(records, redact).filter(isSafeProblem).slice(0, fieldsRead);
  return {
    code: firstOf(records, (record) => {
      const code = toCode(record);
      return code !== undefined && isSafe(code) ? code : undefined;
    }),
    requestId: firstOf(records, ({ request_id: id }) => toWord(id)),
    requiredScopes: firstOf(records, ({ required_scopes: scopes }) => toWords(scopes)),
    grantedScopes: firstOf(records, ({ user_scopes: scopes }) => toWords(scopes)),
    fields,
    detail: toDetail(listed, firstOf(records, toText), redact),
  };
}

/** `{error: {…}}`, `{detail: {…}}`, and the first of a list of errors without a field. */
function innerRecords(body: Json): Json[] {
  return ['error', 'detail', 'errors', 'problem'].flatMap((key) => {
    const value = body[key];
    if (isRecord(value)) return [value];
    return Array.isArray(value)
      ? value.filter((item) => isRecord(item) && !locationKeys.some((key) => Object.hasOwn(item, key))).slice(0, 1)
      : [];
  });
}

function toCode({ code, error, type }: Json): string | undefined {
  // The last part of a problem type (RFC 9457): https://errors.example/blacklist-not-found.
  const isProblem = typeof type === 'string' && /^(?:https?:|urn:)/.test(type);
  const problem = isProblem
    ? boundText(type)
        .split(/[^\w.-]/)
        .at(-1)
    : undefined;
  return toWord(code) ?? toWord(error) ?? toWord(problem?.toUpperCase().replaceAll('-', '_'));
}

function toText({
  message,
  detail,
  title,
  error_description: description,
  msg,
  error,
  ...others
}: Json): string | undefined {
  const known = [message, detail, msg, description, error, title].find(isSentence);
  // Fields may have names in another language.
  return known ?? Object.values(others).find(isSentence);
}

const locationKeys = [
  'loc',
  'field',
  'path',
  'pointer',
  'property',
  'param',
  'parameter',
  'name',
  'source',
  'attribute',
  'feld',
];
const textKeys = ['msg', 'message', 'detail', 'description', 'reason', 'hint', 'title'];
/** Lists in an error that are not about fields. */
const otherLists = ['required_scopes', 'user_scopes', 'scopes', 'warnings', 'links'];

/** Reads the fields of an error from a list or map of any name (`errors: {field: [text]}`). */
function fieldProblems(records: readonly Json[], redact: (text: string) => string): FieldProblem[] {
  return records.flatMap((record) =>
    Object.entries(record).flatMap(([key, value]) => {
      if (otherLists.includes(key)) return [];
      if (Array.isArray(value)) return value.slice(0, itemsRead).flatMap((item) => toFieldProblem(item, redact) ?? []);
      if (!isRecord(value) || !/err|field|detail|violation|invalid|feld|problem/i.test(key) || !isMap(value)) return [];
      return Object.entries(value).flatMap(([path, texts]) => {
        const text = Array.isArray(texts) ? texts.find((item) => typeof item === 'string') : texts;
        const field = toField(path);
        return field === null || typeof text !== 'string' ? [] : [{ field, text: redact(text), type: '' }];
      });
    }),
  );
}

/** True for a map of fields to texts. A record with a code or a message is an error itself. */
function isMap(value: Json): boolean {
  if (['code', 'message', 'request_id'].some((key) => Object.hasOwn(value, key))) return false;
  return Object.values(value).every(
    (text) => typeof text === 'string' || (Array.isArray(text) && text.every((item) => typeof item === 'string')),
  );
}

function toFieldProblem(item: unknown, redact: (text: string) => string): FieldProblem | null {
  if (!isRecord(item)) return null;
  const sentences = Object.values(item).filter((value) => typeof value === 'string' && /\s/.test(value));
  const field = locationKeys.map((key) => toField(item[key])).find((found) => found !== null);
  if (field === undefined) return null;
  const text = textKeys.map((key) => item[key]).find((found) => typeof found === 'string') ?? sentences[0];
  const type = toWord(item['type']) ?? toWord(item['code']) ?? '';
  return { field, text: typeof text === 'string' ? redact(text) : '', type };
}

/** Reads sentences of validators that send no list of fields: `companies[0].name: Field required; title: too long`. */
function problemsInSentences(records: readonly Json[], redact: (text: string) => string): FieldProblem[] {
  const texts = records
    .flatMap((record) => Object.values(record))
    .flatMap((value) => (Array.isArray(value) ? value : [value]));
  const parts = texts.filter(isSentence).flatMap((text) => text.slice(0, longestSentences).split(/;\s+|\n+/));
  return parts.flatMap((part) => {
    const field = fieldInSentence(part.trim());
    return field === null ? [] : [{ field, text: redact(part.replace(leadingField, '')), type: '' }];
  });
}

const longestSentences = 20_000;
const leadingField = /^\s*[\w.[\]]+:\s+/;
/** `body/companies/0 must have required property 'name'` */
const missingProperty = /^(\S+) must have required property ['"`]?([\w.]+)/;
/** A quoted name, or one that is not an ordinary word: search_profile_id, companyName, companies[0].name. */
const fieldName =
  /["'`]([a-z][\w.[\]]*)["'`]|(?<![\w"'`./@-])([a-z][a-z0-9]*(?:_[a-z0-9]+|[A-Z][a-z0-9]*|\[\d+\]|\.[a-z0-9_]+)[\w.[\]]*)(?![\w@-])/;

function fieldInSentence(text: string): string | null {
  const [, place, property] = missingProperty.exec(text) ?? [];
  if (place !== undefined) return toField(`${place}/${property}`);
  const [leading] = leadingField.exec(text) ?? [];
  if (leading !== undefined) return toField(leading.trim().slice(0, -1));
  const [, quoted, plain] = fieldName.exec(text) ?? [];
  return toField(quoted ?? plain);
}

/** `["body", "companies", 0, "name"]`, `/companies/0/name`, `$.companies[0].name` or `{pointer: …}` as `companies.0.name`. */
function toField(value: unknown): string | null {
  if (isRecord(value)) return toField(value['pointer'] ?? value['parameter']);
  const keys = Array.isArray(value) ? value.map(toKey) : typeof value === 'string' ? value.split(/[./[\]$#]+/) : [];
  const named = keys.filter((key) => key !== '');
  const [place] = named;
  const inBody =
    place !== undefined && ['body', 'data', 'request'].includes(place) && named.length > 1 ? named.slice(1) : named;
  const field = inBody.join('.');
  return field !== '' && field.length <= longestField && inBody.every((key) => word.test(key)) ? field : null;
}

function toKey(key: unknown): string {
  return typeof key === 'string' || typeof key === 'number' ? String(key) : '…';
}

function toDetail(
  fields: readonly FieldProblem[],
  text: string | undefined,
  redact: (text: string) => string,
): string | undefined {
  const shown = fields.slice(0, fieldsShown).map(({ field, text: message, type }) => {
    const problem = message === '' ? type : message;
    return problem === '' ? field : `${field} (${problem})`;
  });
  const more = fields.length > fieldsShown ? [`and ${fields.length - fieldsShown} more`] : [];
  const parts = [...(text === undefined ? [] : [redact(text).slice(0, longestText)]), ...shown, ...more];
  return parts.length === 0 ? undefined : parts.join('; ');
}

function firstOf<T>(records: readonly Json[], read: (record: Json) => T | undefined): T | undefined {
  for (const record of records) {
    const found = read(record);
    if (found !== undefined) return found;
  }
  return undefined;
}

function toWord(value: unknown): string | undefined {
  return typeof value === 'string' && word.test(value) ? value : undefined;
}

function toWords(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.slice(0, scopesRead).flatMap((item) => toWord(item) ?? []) : undefined;
}
