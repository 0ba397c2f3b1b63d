/** Decides which keys of an answer are names of fields. Other keys may be values, for example the email addresses of a dictionary. */
import { companyFields } from '../contract/company-fields.ts';
import type { FieldEntry } from '../contract/field-definition.ts';
import { prospectFields } from '../contract/prospect-fields.ts';
import { fieldGroupNames, resultArrayNames, wrapperNames } from '../contract/container-names.ts';
import { isEmpty, normalizeKey } from './flatten-record.ts';
import { isRecord } from '../../base/json/own-property.ts';

/** Stands for every key that is not recorded. */
export const anyName = '*';

/** Names that services usually give to fields, in the form of `normalizeKey`. */
const usualNames: ReadonlySet<string> = new Set(
  [
    ...namesOf(companyFields),
    ...namesOf(prospectFields),
    ...fieldGroupNames,
    ...wrapperNames,
    ...resultArrayNames,
    'code',
    'type',
    'kind',
    'status',
    'message',
    'detail',
    'value',
    'label',
    'count',
    'total',
    'version',
    'error',
  ].map(normalizeKey),
);

/** Whether a key may be recorded as the name of a field, if it is not one of a dictionary. */
export function isRecordableName(key: string): boolean {
  if (key.length > 60) return false;
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(key) || /\d{4}/.test(key)) return isUsualName(key);
  // `Anna`, and a digest in hexadecimal digits.
  if (/^\p{Lu}\p{Ll}+$/u.test(key) || (/^[0-9a-f]{8,}$/i.test(key) && /\d/.test(key))) return isUsualName(key);
  return true;
}

/** No record has more fields; an object may have many thousand keys. */
const examinedKeys = 300;

/**
 * Whether the keys of an object may be values, as in `{anna: 3, bernd: 4}`: none is the usual name of a field, and all values have one
 * type, or other objects at this place have other keys. The names of a record of such a form are not recorded either.
 */
export function isDictionary(object: Readonly<Record<string, unknown>>, othersHaveOtherKeys: boolean): boolean {
  const keys = Object.keys(object).slice(0, examinedKeys);
  if (keys.some(isUsualName)) return false;
  if (othersHaveOtherKeys) return true;
  if (keys.length < 2) return false;
  const kinds = new Set(
    keys
      .map((key) => object[key])
      .filter((value) => !isEmpty(value))
      .map((value) => (Array.isArray(value) ? 'array' : isRecord(value) ? 'object' : typeof value)),
  );
  return kinds.size <= 1;
}

function isUsualName(key: string): boolean {
  return key.length <= 60 && usualNames.has(normalizeKey(key)) && !/[^\p{L}_ -]/u.test(key);
}

function namesOf(table: Readonly<Record<string, FieldEntry>>): string[] {
  return Object.entries(table).flatMap(([name, { names }]) => [name, ...names]);
}
