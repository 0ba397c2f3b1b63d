/** Rules of `mapping` and `contacts` that a schema cannot tell: which field there is, and what it can be written as. */
import { comparableQuality } from '../mapping/contact-policy.ts';
import { defaultMapping, identityProperties } from '../mapping/default-mapping.ts';
import { isRawPath, sourcePaths } from '../mapping/source-paths.ts';
import { transformNames, transforms, type SourceKind, type TransformName } from '../mapping/transforms.ts';
import { childOf } from './json-schema.ts';
import { never } from './mapping-settings.ts';
import { suggestions } from '../text/suggestions.ts';
import type { PathProblem } from './schema-problems.ts';
import { toPrintableKey } from '../text/printable-text.ts';

type Path = readonly PropertyKey[];
type ObjectName = keyof typeof identityProperties;

/** One property as written, its short form unfolded; of a wrong type is nothing, for the schema says so. */
interface WrittenField {
  readonly object: ObjectName;
  readonly property: string;
  readonly path: Path;
  readonly isShort: boolean;
  readonly isNever: boolean;
  readonly from: string | null;
  readonly transform: TransformName | null;
}

export function checkMapping(file: unknown): PathProblem[] {
  return (['companies', 'contacts'] as const).flatMap((object) => {
    const fields = childOf(childOf(file, 'mapping'), object);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return [];
    return Object.entries(fields).flatMap(([property, field]) => {
      const written = toWritten(object, property, field);
      return written === null ? [] : checkField(written);
    });
  });
}

export function checkContacts(file: unknown): PathProblem[] {
  const path = ['contacts', 'delivery_quality'];
  const qualities = path.reduce(childOf, file);
  const only = new Set(wordsOf(childOf(qualities, 'only')));
  return wordsOf(childOf(qualities, 'except')).flatMap((word, index) =>
    word === null || !only.has(word)
      ? []
      : [problem([...path, 'except', index], 'is named in only as well', 'Take it out of one of the two')],
  );
}

function wordsOf(list: unknown): (string | null)[] {
  return Array.isArray(list) ? list.map((word) => (typeof word === 'string' ? comparableQuality(word) : null)) : [];
}

function toWritten(object: ObjectName, property: string, field: unknown): WrittenField | null {
  const path = ['mapping', object, property];
  const base = { object, property, path };
  if (typeof field === 'string') {
    const isNever = field === never;
    return { ...base, isShort: true, isNever, from: isNever ? null : field, transform: null };
  }
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return null;
  const from = childOf(field, 'from');
  const transform = transformNames.find((name) => name === childOf(field, 'transform')) ?? null;
  if (from !== undefined && typeof from !== 'string') return null;
  return { ...base, isShort: false, isNever: childOf(field, 'policy') === never, from: from ?? null, transform };
}

function checkField(field: WrittenField): PathProblem[] {
  const { object, property, path, isNever, from } = field;
  if (property.startsWith('prospect_sync_'))
    return [problem(path, 'is a property of ours and is not mapped', 'It is written anyway: take it out', 'key')];
  if (property === identityProperties[object]) return checkIdentity(field);
  const defaults: Readonly<Record<string, unknown>> = defaultMapping[object];
  const hasDefault = Object.hasOwn(defaults, property);
  if (isNever) {
    const remedy = `The defaults are ${Object.keys(defaults).join(', ')}`;
    return hasDefault ? [] : [problem(path, 'is no default, so there is nothing to take out', remedy, 'key')];
  }
  if (from !== null) return checkSource(field, from);
  if (!hasDefault) return [problem(path, 'names no field', 'Add from, for example from: company.name', 'key')];
  return checkSource(field, defaultMapping[object][property]?.from ?? '');
}

/** Records are looked for by these values: what is found and what is written must not part. */
function checkIdentity({ object, property, path, isShort, isNever, from, transform }: WrittenField): PathProblem[] {
  const source = defaultMapping[object][property]?.from;
  const known = `${object} are found by it`;
  if (isNever) return [problem(path, `cannot be left out: ${known}`, 'Its policy can be changed')];
  if (from !== null && from !== source) {
    const at = isShort ? path : [...path, 'from'];
    return [problem(at, `is always filled from ${source}: ${known}`, 'Its policy can be changed')];
  }
  if (transform !== null)
    return [problem([...path, 'transform'], `takes no transform: ${known}`, 'Its policy can be changed')];
  return [];
}

function checkSource({ object, path, isShort, transform, ...written }: WrittenField, from: string): PathProblem[] {
  const at = isShort || written.from === null ? path : [...path, 'from'];
  // What the service sends beside the known fields may be of any kind.
  if (isRawPath(from) && !(object === 'companies' && from.startsWith('raw.prospect.'))) return [];
  const kind = sourcePaths.get(from);
  if (object === 'companies' && /^(?:raw\.)?prospect\./.test(from))
    return [
      problem(at, 'a company has many prospects, not one', 'company.prospects with transform count tells their number'),
    ];
  if (kind === undefined)
    return [problem(at, `there is no field "${toPrintableKey(from)}"`, () => nearPaths(from, object))];
  if (transform === null)
    return isList(kind) ? [problem(at, `is ${kinds[kind]} and needs a transform`, takers(kind))] : [];
  return transforms[transform].takes.includes(kind)
    ? []
    : [problem([...path, 'transform'], `${transform} does not take ${kinds[kind]}, which ${from} is`, takers(kind))];
}

function isList(kind: SourceKind): boolean {
  return kind === 'list' || kind === 'records';
}

const kinds: Readonly<Record<SourceKind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'a yes or no',
  list: 'a list',
  records: 'a list of records',
};

function takers(kind: SourceKind): string {
  const names = transformNames.filter((name) => transforms[name].takes.includes(kind));
  if (names.length === 0) return 'It takes none: leave transform out';
  const fields = kind === 'records' ? '; or name a field of the records' : isList(kind) ? '' : ', or none';
  return `Transforms for ${kinds[kind]}: ${names.join(', ')}${fields}`;
}

function nearPaths(from: string, object: ObjectName): string {
  const known = [...sourcePaths.keys()].filter((path) => object === 'contacts' || !path.startsWith('prospect.'));
  const found = known.filter((path) => path.endsWith(`.${from}`));
  const suggested = found.length > 0 ? found : suggestions(from, known);
  if (suggested.length > 0) return `Did you mean ${suggested.join(' or ')}?`;
  const fields = known.filter((path) => path.startsWith(`${from.split('.')[0]}.`));
  if (fields.length > 0) return `Known there: ${fields.join(', ')}`;
  return `A path begins with ${object === 'contacts' ? 'slot, order, company, prospect or raw' : 'slot, order, company or raw'}`;
}

function problem(path: Path, rule: string, remedy: PathProblem['remedy'], at: 'key' | 'value' = 'value'): PathProblem {
  return { path, at, rule, found: null, remedy };
}
