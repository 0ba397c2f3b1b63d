/** Assigns the columns of a user's file to fields, and finds columns that are probably meant as a field. */
import { distance } from 'fastest-levenshtein';
import { toHeaderKey, toNameList } from './table.ts';

/** All fields that a file can have. Exclusions read all of them. */
export const sourceFields = [
  'company_name',
  'website_url',
  'city',
  'country',
  'external_id',
  'reason',
  'expires_at',
] as const;
export type SourceField = (typeof sourceFields)[number];

/** Headers by field, and headers to ignore: `{ company_name: 'Firma', ignore: ['Notiz'] }`. */
export type ColumnSettings = { readonly [F in SourceField]?: string | undefined } & {
  readonly ignore?: readonly string[] | undefined;
};

/** Values of a row by field; a field without a column is absent. */
export type FieldValues = Readonly<Partial<Record<SourceField, string>>>;

export interface SourceColumns {
  /** Headers by field. */
  readonly used: Readonly<Partial<Record<SourceField, string>>>;
  /** Headers without a field. */
  readonly ignored: readonly string[];
}

interface Fields {
  /** Fields to read from the file. */
  readonly fields: readonly SourceField[];
  readonly settings: ColumnSettings;
  /** Path of the settings in the configuration, for messages. */
  readonly settingsPath: string;
}

/**
 * A field is read from the column in the settings, or else from the column with the field's name. A column with a similar name is a
 * problem when the field has no column, because it would be ignored silently. Messages list all headers only when one of them is a
 * header for companies: without a header row, the first row contains data.
 */
export function resolveColumns(headers: readonly string[], { fields, settings, settingsPath }: Fields) {
  const byKey = Map.groupBy(headers, toHeaderKey);
  const find = (header: string) => byKey.get(toHeaderKey(header)) ?? [];
  const used: Partial<Record<SourceField, string>> = {};
  const missing: string[] = [];
  const repeated: string[] = [];
  for (const field of fields) {
    const wanted = settings[field];
    const similar = wanted === undefined ? [] : find(wanted);
    const same = similar.filter((header) => header === wanted);
    const found = [same, similar, find(field)].find(({ length }) => length > 0) ?? [];
    const [header, second] = found;
    if (header !== undefined) used[field] = header;
    else if (wanted !== undefined) missing.push(`it has no column ${quote(wanted)} (${settingsPath}.${field})`);
    if (second !== undefined) repeated.push(`it has ${found.length} columns for ${field}: ${toNameList(found)}`);
  }
  if (repeated.length > 0)
    return { isHeader: true, problem: `${repeated.join('. ')}. Rename all but one of them, in a query with AS` };
  const ignore = new Set((settings.ignore ?? []).map(toHeaderKey));
  const taken = new Set(Object.values(used));
  const others = headers.filter((header) => !taken.has(header));
  const open = fields.filter((field) => used[field] === undefined);
  const candidates = others.filter((header) => !ignore.has(toHeaderKey(header)));
  const suspects: Suspect[] = [];
  // One column is meant as one field.
  for (const field of open) {
    const left = candidates.filter((header) => suspects.every((suspect) => suspect.header !== header));
    suspects.push(...findSuspect(field, left));
  }
  const problems = [
    ...missing,
    ...(used.company_name === undefined && missing.length === 0 ? ['it has no column company_name'] : []),
  ];
  if (problems.length === 0 && suspects.length === 0) return { isHeader: true, columns: { used, ignored: others } };
  const isHeader = used.company_name !== undefined || suspects.some(isCertain);
  const found = isHeader
    ? `Its columns are ${toNameList(headers)}`
    : `The first row must name the columns; ${toNameList([...taken]) || 'none'} of its ${headers.length} cells ${taken.size === 1 ? 'is a known name' : 'are known names'}`;
  return {
    isHeader,
    problem: [
      ...problems,
      ...suspects.map(toProblem),
      found,
      ...toRemedy(suspects, { used, settings, settingsPath }),
    ].join('. '),
  };
}

interface Suspect {
  readonly header: string;
  readonly field: SourceField;
}

/** The column that is most likely meant as the field, if there is one. */
function findSuspect(field: SourceField, headers: readonly string[]): Suspect[] {
  const ranked = headers
    .map((header) => ({ header, field, rank: rankOf(header, field) }))
    .filter(({ rank }) => rank !== null)
    .sort((left, right) => (left.rank ?? 0) - (right.rank ?? 0));
  return ranked.slice(0, 1).map(({ header }) => ({ header, field }));
}

function toProblem({ header, field }: Suspect): string {
  return `The column ${quote(header)} is not read, and may be ${field}`;
}

/** Only an exact synonym for companies proves that the row is a header. */
function isCertain({ field, header }: Suspect): boolean {
  return field === 'company_name' && synonyms[field].includes(toHeaderKey(header));
}

interface Known {
  readonly used: SourceColumns['used'];
  readonly settings: ColumnSettings;
  readonly settingsPath: string;
}

/** The complete setting to copy, with its present values. */
function toRemedy(suspects: readonly Suspect[], { used, settings, settingsPath }: Known): string[] {
  if (suspects.length === 0) return [];
  const kept = sourceFields.flatMap((field) => {
    const header = settings[field] === undefined ? undefined : used[field];
    return header === undefined ? [] : [{ field, header }];
  });
  const ignored = settings.ignore?.map(toYaml) ?? [];
  const names = [
    ...[...kept, ...suspects].map(({ field, header }) => `${field}: ${toYaml(header)}`),
    ...(ignored.length === 0 ? [] : [`ignore: [${ignored.join(', ')}]`]),
  ];
  return [
    `Set ${settingsPath}: {${names.join(', ')}}`,
    `Put a column that is something else into ignore instead, for example ignore: [${toYaml(suspects.at(-1)?.header ?? '')}]`,
  ];
}

function quote(header: string): string {
  return JSON.stringify(header);
}

function toYaml(header: string): string {
  return /^[\p{L}][\p{L}\p{N} _-]*$/u.test(header) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(header)
    ? header
    : JSON.stringify(header);
}

/** English and German names of the fields, in the form of `toHeaderKey`. */
const synonyms: Readonly<Record<SourceField, readonly string[]>> = {
  company_name: words(
    'company name organisation organization account account_name business business_name legal_name customer',
    'customer_name client firma firmenname firmenbezeichnung unternehmen unternehmensname gesellschaft betrieb kunde',
    'kundenname organisationsname',
  ),
  website_url: words(
    'website url domain homepage web site web_site www webpage web_page web_address website_address company_url',
    'company_domain company_website internet webseite web_seite website_adresse internetadresse internetseite webadresse',
    'domaene link',
  ),
  city: words(
    'town location place municipality hq_city stadt ort gemeinde standort sitz firmensitz plz',
    'postleitzahl zip zip_code postal_code postcode',
  ),
  country: words(
    'nation country_code country_name country_region hq_country land staat laendercode laenderkennzeichen',
  ),
  external_id: words(
    'id crm_id record_id hubspot_id hubspot_record_id object_id company_id account_id customer_id client_id source_id',
    'customer_number customer_no client_number account_number number no nr nummer kundennummer kundennr kunden_nr kd_nr',
    'kdnr kunden_id kundenid firmen_id debitor debitorennummer debitor_nr datensatz_id crm_nummer',
  ),
  reason: words('cause grund begruendung ausschlussgrund'),
  expires_at: words(
    'expires expiry expiry_date expiration expiration_date valid_until valid_to until end_date gueltig_bis ablauf',
    'ablaufdatum bis befristet_bis enddatum',
  ),
};

/** Words that indicate the field anywhere in a header: `Company website`, `Firma (Kunde)`. */
const indicatingWords: Readonly<Partial<Record<SourceField, readonly string[]>>> = {
  company_name: words('firma firmenname unternehmen unternehmensname'),
  website_url: words('website webseite homepage domain'),
  external_id: words('kundennummer kundennr'),
};

function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** Rank of a header for the field, the most likely first; null when the header does not indicate the field. */
function rankOf(header: string, field: SourceField): number | null {
  const key = toHeaderKey(header);
  const names = [field, ...synonyms[field]];
  const exact = names.indexOf(key);
  if (exact !== -1) return exact;
  const misspelt = names.findIndex((name) => isMisspelt(key, name));
  if (misspelt !== -1) return names.length + misspelt;
  // A web address or the name of a company is a value, not a header.
  if (!/^[\p{L} ()/_-]+\.?$/u.test(header)) return null;
  const parts = key.split('_');
  return (indicatingWords[field] ?? []).some((word) => parts.includes(word)) ? 2 * names.length : null;
}

/** Fewer typing errors are allowed in short words: `Art` is not `Ort`. */
function isMisspelt(key: string, name: string): boolean {
  const [left, right] = [key.replaceAll('_', ''), name.replaceAll('_', '')];
  const shorter = Math.min(left.length, right.length);
  const edits = shorter >= 6 ? 2 : shorter >= 4 ? 1 : 0;
  return Math.abs(left.length - right.length) <= edits && distance(left, right) <= edits;
}
