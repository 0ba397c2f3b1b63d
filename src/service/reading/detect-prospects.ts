/** Detects where the prospects of a company are: the specification says that they are embedded, not where. */
import { companyFields } from '../contract/company-fields.ts';
import {
  normalizeKey,
  isEmpty,
  isFieldName,
  flattenRecord,
  candidateNamesOf,
  createPathReader,
  readDottedPath,
} from './flatten-record.ts';
import { readText } from './read-value.ts';
import type { FieldReading } from './shape.ts';
import { matchesPattern } from './value-patterns.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

/** At most this many slots, companies and prospects are examined. */
export const mostSamples = 300;

/** A list counts as prospects when at least this share of its records looks like them. */
const likeShare = 0.6;

/** The prospects of a slot: a list, a single record, or a list inside a record (`{items: […]}`). */
export function prospectsAt(slot: Json, path: string | null): Json[] {
  return createPeopleReader(path)(slot);
}

/** `prospectsAt` of many slots. */
export function createPeopleReader(path: string | null): (slot: Json) => Json[] {
  if (path === null) return () => [];
  const valueOf = createPathReader(path);
  return (slot) => {
    const value = valueOf(slot);
    if (Array.isArray(value)) return value.filter(isRecord);
    return isRecord(value) ? [value] : [];
  };
}

/** The path inside the company record; null when the prospects are outside of it. */
export function pathInCompany(path: string | null): string | null {
  return path?.startsWith('company.') === true ? path.slice('company.'.length) : null;
}

interface RecordList {
  readonly path: string;
  readonly names: readonly string[];
  readonly isList: boolean;
  readonly people: Json[];
  readonly order: number;
}

/** Compares the lists of records inside and beside the company, and chooses the one that looks most like prospects. */
export function detectProspects(
  slots: readonly Json[],
  setting: string | null | undefined,
  previous: FieldReading | undefined,
): FieldReading {
  if (setting === null) return { path: null, by: 'absent' };
  if (setting !== undefined) return { path: pathFromSlot(setting, slots), by: 'setting' };
  const places = [...findRecordLists(slots).values()];
  const known = places.find(({ path, people }) => path === previous?.path && people.length > 0);
  if (known !== undefined && previous !== undefined) return previous;
  const names = [normalizeKey('prospects'), ...companyFields.prospects.names.map(normalizeKey)];
  const ranked = places
    .map((place) => {
      const named = names.findIndex((name) => place.names.includes(name));
      return { place, named, looks: looksLikeProspects(place) };
    })
    // A single record must look like a person: `contact` may be the company's telephone.
    .filter(({ place, named, looks }) => looks || (named >= 0 && place.isList))
    .toSorted(
      (a, b) =>
        Number(b.looks) - Number(a.looks) ||
        Number(a.named < 0) - Number(b.named < 0) ||
        Number(b.place.isList) - Number(a.place.isList) ||
        a.named - b.named ||
        a.place.order - b.place.order,
    );
  const [best] = ranked;
  if (best === undefined) return { path: null, by: 'absent' };
  return { path: best.place.path, by: best.named < 0 ? 'value' : 'name' };
}

/** The setting may be a path in the company or in the slot. */
function pathFromSlot(path: string, slots: readonly Json[]): string {
  const isThere = slots.some((slot) => !isEmpty(readDottedPath(slot['company'], path)));
  return isThere || slots.every((slot) => isEmpty(readDottedPath(slot, path))) ? `company.${path}` : path;
}

const listNames = ['items', 'data', 'results', 'list', 'nodes', 'edges', 'records', 'entries', 'values'].map(
  normalizeKey,
);
/** Lists of the slot that are never prospects. */
const otherLists = ['reasons', 'reason_codes'];

function findRecordLists(slots: readonly Json[]): Map<string, RecordList> {
  const places = new Map<string, RecordList>();
  const visit = (holder: Json, prefix: string, depth: number) => {
    for (const [key, value] of Object.entries(holder)) {
      if (!isFieldName(key)) continue;
      const path = prefix === '' ? key : `${prefix}.${key}`;
      if (otherLists.includes(path)) continue;
      const records = Array.isArray(value) ? value.filter(isRecord) : isRecord(value) ? [value] : [];
      const isList = Array.isArray(value) && (records.length > 0 || value.length === 0);
      if (isList || (isRecord(value) && path !== 'company')) {
        const known = places.get(path);
        if (known === undefined) {
          const keys = path.split('.').map(normalizeKey);
          const last = keys.at(-1) ?? '';
          const names = listNames.includes(last) && keys.length > 2 ? [last, keys.at(-2) ?? ''] : [last];
          places.set(path, { path, names, isList, people: [...records], order: places.size });
        } else if (known.people.length < mostSamples) known.people.push(...records);
      }
      if (isRecord(value) && depth < 4) visit(value, path, depth + 1);
    }
  };
  for (const slot of slots.slice(0, mostSamples)) visit(slot, '', 1);
  return places;
}

const nameKeys = [
  'firstName',
  'lastName',
  'fullName',
  'givenName',
  'familyName',
  'surname',
  'forename',
  'vorname',
  'nachname',
  'personName',
  'contactName',
  'prospectName',
  'nameFirst',
  'nameLast',
].map(normalizeKey);
const roleKeys = [
  'title',
  'jobTitle',
  'position',
  'role',
  'job',
  'function',
  'emailStatus',
  'emailDeliveryQuality',
  'emailClientDeliverable',
].map(normalizeKey);

/** Records with the names of a person, with a name and a role, or, in lists, with an email address or a role. */
function looksLikeProspects({ people, isList }: RecordList): boolean {
  const samples = people.slice(0, mostSamples);
  const like = samples.filter((person) => {
    const leaves = flattenRecord(person);
    const names = new Set(leaves.flatMap(({ path }) => candidateNamesOf(path)));
    if (nameKeys.some((name) => names.has(name))) return true;
    const hasRole = roleKeys.some((name) => names.has(name));
    if (hasRole && names.has('name')) return true;
    const hasEmail = leaves.some(({ value }) => isEmail(value));
    return isList ? hasEmail || hasRole : hasEmail && hasRole;
  });
  return like.length > 0 && like.length >= samples.length * likeShare;
}

export function isEmail(value: unknown): boolean {
  const text = readText(value);
  return typeof text === 'string' && matchesPattern('email', text, { domain: null, email: null });
}
