/** Walks over the answers of one operation and observes the fields, types, codes and versions that no answer before had. */

import { anyName, isDictionary, isRecordableName } from './recordable-name.ts';
import type { JsonType, SpecifiedField } from './specified-shape.ts';
import { isRecord } from '../../base/json/own-property.ts';

export interface ObservedFact {
  /** `missing`: an object without a field that the specification requires. */
  readonly kind: 'type' | 'code' | 'version' | 'missing';
  /**
   * `items[].company.name`; empty for the whole answer. `*` stands for keys that are not recorded. Inside an object that wraps an answer, and
   * in the items of a list whose name the specification does not show, the path is that of the contract.
   */
  readonly path: string;
  /** The type, code or version; empty when missing. */
  readonly detail: string;
}

export interface AnswerWalk {
  readonly visit: (answer: unknown) => void;
  /** A version that an answer has outside its body. */
  readonly addVersion: (name: string, version: string) => void;
}

const limits = { levels: 10, pathCharacters: 300, paths: 2_000, newNames: 40, details: 50 } as const;

/** What was seen at a place of the answers. */
interface Place {
  readonly path: string;
  readonly specified: SpecifiedField | null;
  readonly types: Set<JsonType>;
  readonly fields: Map<string, Place>;
  /** Of an array. */
  items: Place | null;
  /** Codes, versions or names of missing fields. */
  readonly details: Set<string>;
  newNames: number;
  /** Where the contract has what is found here under a name of the service. */
  standsFor: Place | null;
}

type Json = Readonly<Record<string, unknown>>;

export function createAnswerWalk(specified: SpecifiedField | null, observe: (fact: ObservedFact) => void): AnswerWalk {
  const root = toPlace('', specified);
  let paths = 1;

  return {
    visit: (answer) => visit(root, answer, 0),
    addVersion(name, version) {
      const place = fieldAt(root, name);
      if (place !== null) addDetail(place, 'version', toVersion(version));
    },
  };

  function visit(place: Place, value: unknown, level: number): void {
    const type = typeOf(value);
    if (!place.types.has(type)) {
      place.types.add(type);
      observe({ kind: 'type', path: place.path, detail: type });
    }
    if (level >= limits.levels) return;
    if (Array.isArray(value)) visitItems(place.standsFor ?? place, value, level);
    else if (isRecord(value)) visitFields(place.standsFor ?? place, value, level);
    else if (typeof value === 'string') visitText(place, value);
  }

  function visitItems(place: Place, list: readonly unknown[], level: number): void {
    if (list.length === 0) return;
    const items = (place.items ??= addPlace(`${place.path}[]`, place.specified?.items ?? null));
    if (items !== null) for (const item of list) visit(items, item, level + 1);
  }

  function visitFields(place: Place, object: Json, level: number): void {
    let dictionary: boolean | null = null;
    let isWrapper = false;
    const keys = Object.keys(object);
    const isKnown = place.specified !== null && keys.some((name) => isSpecified(place, name));
    for (const key of keys) {
      let field = place.fields.get(key) ?? null;
      if (field === null) {
        dictionary ??= isDictionaryAt(place, object);
        field = fieldAt(place, isNamed(place, key, dictionary) ? key : anyName);
      }
      if (field === null) continue;
      if (field.specified === null)
        field.standsFor ??= isKnown ? findList(place, object, object[key]) : findWrapped(place, object[key]);
      isWrapper ||= field.standsFor === place;
      visit(field, object[key], level + 1);
    }
    if (isWrapper) return;
    for (const name of place.specified?.required ?? []) {
      if (Object.hasOwn(object, name) || place.details.has(name)) continue;
      place.details.add(name);
      observe({ kind: 'missing', path: joined(place.path, name), detail: '' });
    }
  }

  /** For a value in an object without a known field: the place of the object itself when the value has its fields; or see `findList`. */
  function findWrapped(place: Place, value: unknown): Place | null {
    if (place.specified === null) return null;
    if (isRecord(value)) return resembles(value, place.specified) ? place : null;
    return findList(place, {}, value);
  }

  /** For a list under an unknown name: the place of a list of the contract that the object lacks. */
  function findList(place: Place, object: Json, value: unknown): Place | null {
    if (place.specified === null || !Array.isArray(value)) return null;
    const item: unknown = value.find(isRecord);
    if (!isRecord(item)) return null;
    const name = place.specified.fields
      .entries()
      .find(([key, { items }]) => items !== null && !Object.hasOwn(object, key) && resembles(item, items))?.[0];
    return name === undefined ? null : fieldAt(place, name);
  }

  function fieldAt(place: Place, name: string): Place | null {
    const known = place.fields.get(name);
    if (known !== undefined) return known;
    const field = addPlace(joined(place.path, name), place.specified?.fields.get(name) ?? null);
    if (field === null) return null;
    place.fields.set(name, field);
    if (!isSpecified(place, name)) place.newNames += 1;
    return field;
  }

  function visitText(place: Place, text: string): void {
    const codes = place.specified?.codes ?? null;
    if (codes !== null) addDetail(place, 'code', codes.has(text) ? text : toCode(text));
    else if (isVersion(place.path)) addDetail(place, 'version', toVersion(text));
  }

  function addDetail(place: Place, kind: 'code' | 'version', detail: string | null): void {
    if (detail === null || place.details.has(detail) || place.details.size >= limits.details) return;
    place.details.add(detail);
    observe({ kind, path: place.path, detail });
  }

  /** null: the answers have more places than are recorded. */
  function addPlace(path: string, field: SpecifiedField | null): Place | null {
    if (paths >= limits.paths || path.length > limits.pathCharacters) return null;
    paths += 1;
    return toPlace(path, field);
  }
}

function toPlace(path: string, specified: SpecifiedField | null): Place {
  const seen = { types: new Set<JsonType>(), fields: new Map<string, Place>(), details: new Set<string>() };
  return { path, specified, ...seen, items: null, newNames: 0, standsFor: null };
}

/** Whether an object has two of the fields. */
function resembles(object: Json, { fields }: SpecifiedField): boolean {
  return (
    fields
      .keys()
      .filter((name) => Object.hasOwn(object, name))
      .take(2)
      .toArray().length === 2
  );
}

function isSpecified(place: Place, name: string): boolean {
  return place.specified?.fields.has(name) === true;
}

/** Objects of one place that share no key are a dictionary too. */
function isDictionaryAt(place: Place, object: Readonly<Record<string, unknown>>): boolean {
  if (Object.keys(object).some((name) => place.fields.has(name) || isSpecified(place, name))) return false;
  return isDictionary(object, place.specified === null && place.fields.size > 0);
}

function isNamed(place: Place, key: string, isOfDictionary: boolean): boolean {
  if (isSpecified(place, key)) return true;
  return !isOfDictionary && place.newNames < limits.newNames && isRecordableName(key);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
}

/** Recorded instead of a text that has not the form of a code, which may be personal data. */
const noCode = '(not a code)';

function toCode(text: string): string {
  return text.length <= 60 && /^[A-Za-z][\w.:]*$/.test(text) && !/\d{4}/.test(text) ? text : noCode;
}

function isVersion(path: string): boolean {
  return path === 'api_version' || path === 'info.version';
}

/** null for a text that is no version. */
function toVersion(text: string): string | null {
  return text.length <= 40 && /^v?\d[\w.+-]*$/.test(text) ? text : null;
}
