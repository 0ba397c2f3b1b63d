/** Removes people and companies from a slot as the service published it, in whatever shape it was sent. */
import { erasedKey } from '../../base/json/erased-mark.ts';
import { parseJsonWithinLimits } from '../../base/json/json-limits.ts';
import { isFieldName } from '../../service/reading/flatten-record.ts';
import {
  comparableIdentifier,
  domainsOf,
  identifierText,
  namesAnyone,
  namesPerson,
  passes,
  personIdentifiersIn,
  toNameIdentifier,
  type Identifier,
  type IdentifierTest,
} from './identifiers.ts';

type Json = Readonly<Record<string, unknown>>;
type MutableJson = Record<string, unknown>;

/** A value, with its key in the object or array that holds it, and the record of the list, or below the company, that it is in. */
interface Leaf {
  readonly text: string;
  readonly path: readonly (string | number)[];
  readonly owner: string | null;
  /** True for the name of a field, which may be an address as well. */
  readonly isName: boolean;
}

export interface RedactedSlot {
  readonly slot: Json;
  /** Further identifiers of what was erased, by which it is recognised elsewhere. */
  readonly identifiers: readonly Identifier[];
}

/** Fields of a slot that hold no personal data. `external_id` is the id of a record in the user's CRM, or another id of the user. */
const envelopeFields = ['input_position', 'status', 'reason_codes', 'duplicate_of_input_position', 'delivered_at'];

/** The slot without any value but its position, status, codes and times. Lists of records keep their length: outcomes name their index. */
export function eraseSlot(slot: Json, { keepExternalId }: { readonly keepExternalId: boolean }): Json {
  const kept = [...envelopeFields, ...(keepExternalId ? ['external_id'] : [])];
  const envelope = Object.entries(slot).filter(([key]) => kept.includes(key));
  const records = Object.entries(slot).filter(([key]) => !kept.includes(key) && key !== 'reasons');
  return { ...toSkeleton(Object.fromEntries(records)), ...Object.fromEntries(envelope) };
}

/** null when no identifier in the slot passes the test. */
export function redactSlot(
  slot: Json,
  test: IdentifierTest,
  { keepExternalId }: { readonly keepExternalId: boolean },
): RedactedSlot | null {
  const leaves = readLeaves(slot);
  const domains = companyDomains(leaves);
  if (domains.some((value) => test({ kind: 'domain', value }))) {
    const identifiers = leaves.flatMap(({ text }) => personIdentifiersIn(text));
    return { slot: eraseSlot(slot, { keepExternalId }), identifiers: distinct(identifiers) };
  }
  const [domain = null] = domains;
  const byOwner = Map.groupBy(
    leaves.filter(({ owner }) => owner !== null),
    ({ owner }) => owner ?? '',
  );
  const forgotten = [...byOwner].filter(
    ([, person]) =>
      person.some(({ text }) => namesPerson(text, test)) ||
      identifiersOf(person, domain).some((identifier) => passes(identifier, test)),
  );
  const erasedOwners = new Set(forgotten.map(([owner]) => owner));
  const remaining = leaves.filter(({ owner }) => !erasedOwners.has(owner ?? ''));
  const single = remaining.filter(({ text }) => namesAnyone(text, test));
  if (forgotten.length === 0 && single.length === 0) return null;
  const people = forgotten.flatMap(([, person]) => person);
  const needles = textsOf(people);
  const redacted: MutableJson = structuredClone(slot);
  const isMention = ({ text }: Leaf) => {
    const comparable = comparableIdentifier(text);
    return needles.some((needle) => comparable.includes(needle));
  };
  for (const leaf of new Set([...single, ...remaining.filter(isMention)])) eraseLeaf(redacted, leaf);
  for (const owner of erasedOwners) setAt(redacted, pathOf(owner), { [erasedKey]: true });
  if (erasedOwners.size === 0) redacted[erasedKey] ??= false;
  const identifiers = forgotten.flatMap(([, person]) => identifiersOf(person, domain));
  return { slot: redacted, identifiers: distinct(identifiers) };
}

/** True when a value, or the name of a field, contains an address, profile or host that passes the test. */
export function namesForgotten(record: unknown, test: IdentifierTest): boolean {
  // A list instead of a recursion, so that any depth can be read.
  const pending = [record];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && namesAnyone(value, test)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, field] of Object.entries(value)) {
      if (!Array.isArray(value) && namesAnyone(name, test)) return true;
      pending.push(field);
    }
  }
  return false;
}

/** The same for JSON as it is stored. A text that is no JSON, or is beyond its limits, is searched as a whole. */
export function jsonNamesForgotten(json: string, test: IdentifierTest): boolean {
  return namesForgotten(parseJsonWithinLimits(json) ?? json, test);
}

/** Keeps records and lists of records, and drops their values. */
function toSkeleton(record: Json): Json {
  const nested = Object.entries(record).flatMap(([key, value]): [string, unknown][] => {
    if (!isFieldName(key)) return [];
    if (Array.isArray(value)) return [[key, value.filter(isJson).map(toSkeleton)]];
    return isJson(value) ? [[key, toSkeleton(value)]] : [];
  });
  return { ...Object.fromEntries(nested), [erasedKey]: true };
}

function readLeaves(slot: Json): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (value: unknown, path: readonly (string | number)[], owner: string | null, inList: boolean) => {
    if (typeof value === 'string') leaves.push({ text: value, path, owner, isName: false });
    if (typeof value !== 'object' || value === null) return;
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, field] of entries) {
      const fieldPath = [...path, key];
      if (typeof key === 'string' && /[^A-Za-z0-9_]/.test(key))
        leaves.push({ text: key, path: fieldPath, owner, isName: true });
      const isRecord = isJson(field);
      // The record of the outermost list is the person; without a list, the outermost record below the company.
      const isPerson = isRecord && !inList && (Array.isArray(value) || (owner === null && !isCompany(fieldPath)));
      visit(
        field,
        fieldPath,
        isPerson ? JSON.stringify(fieldPath) : owner,
        inList || (isRecord && Array.isArray(value)),
      );
    }
  };
  visit(slot, [], null, false);
  return leaves;
}

function isCompany(path: readonly (string | number)[]): boolean {
  return path.length === 1 && path[0] === 'company';
}

/** Of the fields of the company record itself, else of the records in it, such as `company.web.url`. */
function companyDomains(leaves: readonly Leaf[]): string[] {
  const inCompany = leaves.filter(
    ({ path, isName }) => !isName && path[0] === 'company' && !path.some((key) => typeof key === 'number'),
  );
  const direct = inCompany.filter(({ path }) => path.length === 2).flatMap(({ text }) => domainsOf(text));
  return [...new Set(direct.length > 0 ? direct : inCompany.flatMap(({ text }) => domainsOf(text)))];
}

function identifiersOf(person: readonly Leaf[], domain: string | null): Identifier[] {
  const names = domain === null ? [] : namesOf(person).map((name) => toNameIdentifier(name, domain));
  return [...person.flatMap(({ text }) => personIdentifiersIn(text)), ...names];
}

/** Full names: of two words or more, or composed of a first and a last name. */
function namesOf(person: readonly Leaf[]): string[] {
  const named = (part: string) =>
    person.find(({ path, isName }) => !isName && isNameKey(path) && keyOf(path).includes(part))?.text.trim() ?? '';
  const composed = [named('first'), named('last')];
  const full = person.filter(
    ({ path, text, isName }) => !isName && isNameKey(path) && text.trim().includes(' ') && text.length <= 100,
  );
  return [...full.map(({ text }) => text), ...(composed.includes('') ? [] : [composed.join(' ')])];
}

function isNameKey(path: readonly (string | number)[]): boolean {
  const key = keyOf(path);
  return key.includes('name') && !key.includes('company');
}

function keyOf(path: readonly (string | number)[]): string {
  return (path.findLast((key) => typeof key === 'string') ?? '').toLowerCase();
}

/** Texts that identify the person wherever they occur in the slot: addresses, profiles, full names, telephone numbers. */
function textsOf(person: readonly Leaf[]): string[] {
  const identifiers = person.flatMap(({ text }) => personIdentifiersIn(text).map(({ value }) => value));
  const phones = person.filter(({ text }) => isPhone(text)).map(({ text }) => text);
  return [...new Set([...identifiers, ...namesOf(person), ...phones].map(comparableIdentifier))];
}

function isPhone(text: string): boolean {
  return text.length <= 40 && /^[+\d\s()./-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= 7;
}

function setAt(root: MutableJson, path: readonly (string | number)[], value: unknown): void {
  const holder = holderOf(root, path);
  const last = path.at(-1);
  // A field whose name was erased stays away.
  if (isMutable(holder) && last !== undefined && Object.hasOwn(holder, last)) holder[last] = value;
}

/** A value becomes null; a field whose name is erased is removed. */
function eraseLeaf(root: MutableJson, { path, isName }: Leaf): void {
  if (!isName) return setAt(root, path, null);
  const holder = holderOf(root, path);
  const last = path.at(-1);
  if (isMutable(holder) && last !== undefined) delete holder[last];
}

function holderOf(root: MutableJson, path: readonly (string | number)[]): unknown {
  let holder: unknown = root;
  for (const key of path.slice(0, -1)) holder = isMutable(holder) ? holder[key] : undefined;
  return holder;
}

function pathOf(owner: string): (string | number)[] {
  const path: unknown = JSON.parse(owner);
  return Array.isArray(path) ? path.filter((key) => typeof key === 'string' || typeof key === 'number') : [];
}

function distinct(identifiers: readonly Identifier[]): Identifier[] {
  return [...new Map(identifiers.map((identifier) => [identifierText(identifier), identifier])).values()];
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMutable(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}
