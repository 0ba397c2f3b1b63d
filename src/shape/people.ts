/** Finds the people of a company: the specification says that they are embedded in it, not where. */
import { companyFields } from '../contract/company-fields.ts';
import { comparableKey, isEmpty, isFieldName, isRecord, leavesOf, namesOf, valueAt } from './leaves.ts';
import { readText } from './read-value.ts';
import type { FieldReading } from './shape.ts';
import { fitsPattern } from './value-patterns.ts';

type Json = Readonly<Record<string, unknown>>;

/** So many people of one place are looked at. */
const samplesWanted = 300;

/** From this share on, what is in a list counts as people. */
const likeShare = 0.6;

/** The people of a slot: a list, a single record, or a list inside one (`{items: […]}`). */
export function peopleAt(slot: Json, path: string | null): Json[] {
  if (path === null) return [];
  const value = valueAt(slot, path);
  if (Array.isArray(value)) return value.filter(isRecord);
  return isRecord(value) ? [value] : [];
}

/** Where the people stand inside the company's record; null where they stand beside it. */
export function pathInCompany(path: string | null): string | null {
  return path?.startsWith('company.') === true ? path.slice('company.'.length) : null;
}

interface Place {
  readonly path: string;
  readonly names: readonly string[];
  readonly isList: boolean;
  readonly people: Json[];
  readonly order: number;
}

/** Lists of records below the company, or beside it in the slot. */
export function learnPeople(
  slots: readonly Json[],
  setting: string | null | undefined,
  previous: FieldReading | undefined,
): FieldReading {
  if (setting === null) return { path: null, by: 'absent' };
  if (setting !== undefined) return { path: fromSlot(setting, slots), by: 'setting' };
  const places = [...findPlaces(slots).values()];
  const known = places.find(({ path, people }) => path === previous?.path && people.length > 0);
  if (known !== undefined && previous !== undefined) return previous;
  const names = [comparableKey('prospects'), ...companyFields.prospects.names.map(comparableKey)];
  const ranked = places
    .map((place) => {
      const named = names.findIndex((name) => place.names.includes(name));
      return { place, named, looks: looksLikePeople(place) };
    })
    // A single record is a person only where it looks like one: `contact` may be the company's own telephone.
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

/** A setting may name the list from the company or from the slot on. */
function fromSlot(path: string, slots: readonly Json[]): string {
  const isThere = slots.some((slot) => !isEmpty(valueAt(slot['company'], path)));
  return isThere || slots.every((slot) => isEmpty(valueAt(slot, path))) ? `company.${path}` : path;
}

const listNames = ['items', 'data', 'results', 'list', 'nodes', 'edges', 'records', 'entries', 'values'].map(
  comparableKey,
);
/** Of the slot itself, these are never people. */
const otherLists = ['reasons', 'reason_codes'];

function findPlaces(slots: readonly Json[]): Map<string, Place> {
  const places = new Map<string, Place>();
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
          const keys = path.split('.').map(comparableKey);
          const last = keys.at(-1) ?? '';
          const names = listNames.includes(last) && keys.length > 2 ? [last, keys.at(-2) ?? ''] : [last];
          places.set(path, { path, names, isList, people: [...records], order: places.size });
        } else if (known.people.length < samplesWanted) known.people.push(...records);
      }
      if (isRecord(value) && depth < 4) visit(value, path, depth + 1);
    }
  };
  for (const slot of slots.slice(0, samplesWanted)) visit(slot, '', 1);
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
].map(comparableKey);
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
].map(comparableKey);

/** Records with a person's names, with a name and a role, or, in lists, with addresses. */
function looksLikePeople({ people, isList }: Place): boolean {
  const samples = people.slice(0, samplesWanted);
  const like = samples.filter((person) => {
    const leaves = leavesOf(person);
    const names = new Set(leaves.flatMap(({ path }) => namesOf(path)));
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
  return typeof text === 'string' && fitsPattern('email', text, { domain: null, email: null });
}
