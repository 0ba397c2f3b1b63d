/**
 * Records the shapes of all answers of the service: names and types of fields, codes and versions. No other value of an answer is kept.
 * An answer that shows nothing new costs one walk over its fields.
 */
import { anyName, isDictionary, isRecordableName } from './recordable-name.ts';
import { isRecord } from './flatten-record.ts';
import { answerName, operationAt, specifiedAnswer, type JsonType, type SpecifiedField } from './specified-shape.ts';

/** `missing`: an object without a field that the specification requires. */
export const observationKinds = ['type', 'code', 'version', 'missing'] as const;

export interface Observation {
  /** Name of the answer: `getOrder`, `getOrder 404`, `replyWebhook`; `service` for versions in headers. */
  readonly operation: string;
  readonly kind: (typeof observationKinds)[number];
  /** `items[].company.name`; `*` stands for keys that are not recorded. Empty for the whole answer. */
  readonly path: string;
  /** The type, code or version; empty when missing. */
  readonly detail: string;
  /** ISO 8601. */
  readonly seenAt: string;
}

export interface RecordedAnswer {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly response: Pick<Response, 'status' | 'headers'>;
  /** Decoded. */
  readonly body: unknown;
}

/** Names of headers that services use for the version of their contract. */
const versionHeaders = ['api-version', 'x-api-version', 'x-contract-version', 'x-service-version'];
const serviceOperation = 'service';

/** What is seen again is recorded again once a day, which keeps the time when it was last seen. */
const renewedAfterMs = 86_400_000;
const limits = { levels: 10, pathCharacters: 300, paths: 2_000, newNames: 40, details: 50, pending: 50_000 } as const;

/** What was seen at a place of an answer. */
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
}

interface Answer {
  readonly name: string;
  readonly root: Place;
  readonly since: number;
  paths: number;
}

export function createAnswerRecorder(now: () => number = Date.now) {
  const answers = new Map<string, Answer>();
  let pending: Observation[] = [];
  let saving: Promise<void> | null = null;

  return {
    /** Never throws: nothing may fail because an answer is new. */
    record({ method, path, response: { status, headers }, body }: RecordedAnswer): void {
      const operation = operationAt(method, path);
      if (operation === null) return;
      for (const header of versionHeaders) recordVersion(header, headers.get(header));
      // An error of a proxy has no JSON.
      if (body !== undefined && (status < 300 || body !== null)) recordBody(answerName(operation, status), body);
    },

    /** The body of a webhook. */
    recordBody,

    /** A version that the service shows outside its answers; a text that is none is ignored. */
    recordVersion,

    /**
     * Passes what was observed since the last call to `save`; what fails is kept for the next call. Concurrent calls share the work.
     * @throws what `save` throws
     */
    flush(save: (observations: readonly Observation[]) => Promise<void>): Promise<void> {
      saving ??= savePending(save).finally(() => {
        saving = null;
      });
      return saving;
    },

    /** What was observed and not saved. */
    pending: (): readonly Observation[] => pending,
  };

  async function savePending(save: (observations: readonly Observation[]) => Promise<void>): Promise<void> {
    while (pending.length > 0) {
      const taken = pending;
      pending = [];
      try {
        await save(taken);
      } catch (error) {
        pending = [...taken, ...pending];
        throw error;
      }
    }
  }

  function recordBody(name: string, body: unknown): void {
    const answer = answerOf(name);
    visit(answer, answer.root, body, 0);
  }

  function answerOf(name: string): Answer {
    const known = answers.get(name);
    if (known !== undefined && now() - known.since < renewedAfterMs) return known;
    const answer = { name, root: toPlace('', specifiedAnswer(name)), since: now(), paths: 1 };
    answers.set(name, answer);
    return answer;
  }

  function visit(answer: Answer, place: Place, value: unknown, level: number): void {
    const type = typeOf(value);
    if (!place.types.has(type)) {
      place.types.add(type);
      observe(answer, 'type', place.path, type);
    }
    if (level >= limits.levels) return;
    if (Array.isArray(value)) {
      if (value.length === 0) return;
      const items = (place.items ??= addPlace(answer, `${place.path}[]`, place.specified?.items ?? null));
      if (items !== null) for (const item of value) visit(answer, items, item, level + 1);
    } else if (isRecord(value)) visitFields(answer, place, value, level);
    else if (typeof value === 'string') visitText(answer, place, value);
  }

  function visitFields(answer: Answer, place: Place, object: Readonly<Record<string, unknown>>, level: number): void {
    let dictionary: boolean | null = null;
    for (const key of Object.keys(object)) {
      let field = place.fields.get(key) ?? null;
      if (field === null) {
        dictionary ??= isDictionaryAt(place, object);
        field = fieldAt(answer, place, isNamed(place, key, dictionary) ? key : anyName);
      }
      if (field !== null) visit(answer, field, object[key], level + 1);
    }
    for (const name of place.specified?.required ?? []) {
      if (Object.hasOwn(object, name) || place.details.has(name)) continue;
      place.details.add(name);
      observe(answer, 'missing', joined(place.path, name), '');
    }
  }

  function fieldAt(answer: Answer, place: Place, name: string): Place | null {
    const known = place.fields.get(name);
    if (known !== undefined) return known;
    const field = addPlace(answer, joined(place.path, name), place.specified?.fields.get(name) ?? null);
    if (field === null) return null;
    place.fields.set(name, field);
    if (!isSpecified(place, name)) place.newNames += 1;
    return field;
  }

  function visitText(answer: Answer, place: Place, text: string): void {
    const codes = place.specified?.codes ?? null;
    if (codes !== null) addDetail(answer, place, 'code', codes.has(text) ? text : toCode(text));
    else if (isVersion(place.path)) addDetail(answer, place, 'version', toVersion(text));
  }

  function addDetail(answer: Answer, place: Place, kind: 'code' | 'version', detail: string | null): void {
    if (detail === null || place.details.has(detail) || place.details.size >= limits.details) return;
    place.details.add(detail);
    observe(answer, kind, place.path, detail);
  }

  function recordVersion(name: string, value: string | null): void {
    if (value === null) return;
    const answer = answerOf(serviceOperation);
    const place = fieldAt(answer, answer.root, name);
    if (place !== null) addDetail(answer, place, 'version', toVersion(value));
  }

  /** null: the answer has more places than are recorded. */
  function addPlace(answer: Answer, path: string, specified: SpecifiedField | null): Place | null {
    if (answer.paths >= limits.paths || path.length > limits.pathCharacters) return null;
    answer.paths += 1;
    return toPlace(path, specified);
  }

  function observe({ name }: Answer, kind: Observation['kind'], path: string, detail: string): void {
    if (pending.length < limits.pending)
      pending.push({ operation: name, kind, path, detail, seenAt: new Date(now()).toISOString() });
  }
}

function toPlace(path: string, specified: SpecifiedField | null): Place {
  return { path, specified, types: new Set(), fields: new Map(), items: null, details: new Set(), newNames: 0 };
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
