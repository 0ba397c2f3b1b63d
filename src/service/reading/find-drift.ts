/** Compares the recorded shapes of answers with the contract. Nothing that it finds is an error. */
import { contractVersion } from '../contract/enum-values.ts';
import { specifiedAt } from './specified-shape.ts';
import type { Observation } from './answer-recorder.ts';

/** An observation as it is stored: with the times when it was first and last seen, in ISO 8601. */
export type RecordedObservation = Omit<Observation, 'seenAt'> & {
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
};

/** Names of fields, types, codes and versions; never another value of an answer. */
export interface AnswerDrift {
  /** `getOrder`, `getOrder 404` for an error, `replyWebhook`, or `service` for headers. */
  readonly operation: string;
  /** `field`: not in the specification; `missing`: required by the specification; `type`, `code`, `version`: another one. */
  readonly kind: 'field' | 'type' | 'code' | 'version' | 'missing';
  /** `items[].company.name`; `*` stands for the keys of a dictionary. */
  readonly path: string;
  readonly detail: string;
  /** ISO 8601 */
  readonly firstSeenAt: string;
  /** ISO 8601; to a day. */
  readonly lastSeenAt: string;
}

/** Enough to show a change; a longer list is not read. */
const mostDrift = 500;

/** The differences, those that appeared last first; at most 500. */
export function findDrift(recorded: readonly RecordedObservation[]): AnswerDrift[] {
  const types = Map.groupBy(
    recorded.filter(({ kind }) => kind === 'type'),
    ({ operation, path }) => `${operation} ${path}`,
  );
  const found = [
    ...[...types.values()].flatMap((seen) => findTypes(seen, types)),
    ...recorded.filter(({ kind }) => kind === 'code').flatMap(findCode),
    ...recorded.filter(({ kind }) => kind === 'missing').flatMap(findMissing),
    ...findVersions(recorded.filter(({ kind }) => kind === 'version')),
  ];
  return found.toSorted(byTime).slice(0, mostDrift);
}

/** Sorts by minute, so that differences of one answer stay together, then by operation and path. */
function byTime(one: AnswerDrift, other: AnswerDrift): number {
  const [first, second] = [one.firstSeenAt.slice(0, 16), other.firstSeenAt.slice(0, 16)];
  if (first !== second) return first < second ? 1 : -1;
  return `${one.operation} ${one.path}` < `${other.operation} ${other.path}` ? -1 : 1;
}

/** `seen`: the types of one path. */
function findTypes(
  seen: readonly RecordedObservation[],
  types: ReadonlyMap<string, readonly RecordedObservation[]>,
): AnswerDrift[] {
  const [first] = seen.toSorted((one, other) => (one.firstSeenAt < other.firstSeenAt ? -1 : 1));
  if (first === undefined) return [];
  const { operation, path } = first;
  const specified = specifiedAt(operation, path);
  if (specified !== null)
    return seen
      .filter(({ detail }) => !specified.types.values().some((type) => type === detail))
      .map((other) => toDrift(other, 'type', `${other.detail} instead of ${[...specified.types].join(' or ')}`));
  // A field inside a new one is listed only if it appeared later.
  const above = parentOf(path);
  const since =
    above === null
      ? undefined
      : types
          .get(`${operation} ${above}`)
          ?.map(({ firstSeenAt }) => firstSeenAt)
          .toSorted()[0];
  const isInsideNew = above !== null && specifiedAt(operation, above) === null;
  if (isInsideNew && since !== undefined && isSoonAfter(since, first.firstSeenAt)) return [];
  const last =
    seen
      .map(({ lastSeenAt }) => lastSeenAt)
      .toSorted()
      .at(-1) ?? first.lastSeenAt;
  const names = seen.map(({ detail }) => detail).toSorted();
  return [toDrift({ ...first, lastSeenAt: last }, 'field', names.join(' or '))];
}

/** The fields of one answer are saved with slightly different times. */
const oneAnswerMs = 60_000;

function isSoonAfter(since: string, time: string): boolean {
  return Date.parse(time) - Date.parse(since) < oneAnswerMs;
}

/** null for the whole answer. */
function parentOf(path: string): string | null {
  if (path === '') return null;
  if (path.endsWith('[]')) return path.slice(0, -2);
  const dot = path.lastIndexOf('.');
  return dot < 0 ? '' : path.slice(0, dot);
}

function findCode(code: RecordedObservation): AnswerDrift[] {
  const known = specifiedAt(code.operation, code.path)?.codes ?? null;
  return known === null || known.has(code.detail) ? [] : [toDrift(code, 'code', code.detail)];
}

function findMissing(missing: RecordedObservation): AnswerDrift[] {
  const above = specifiedAt(missing.operation, parentOf(missing.path) ?? '');
  const name = missing.path.slice(missing.path.lastIndexOf('.') + 1);
  if (above?.required.includes(name) !== true) return [];
  return [toDrift(missing, 'missing', 'required by the specification')];
}

/** Every version but the first one that was seen, which is listed only if it is not that of the contract. */
function findVersions(versions: readonly RecordedObservation[]): AnswerDrift[] {
  const byField = Map.groupBy(versions, ({ operation, path }) => `${operation} ${path}`);
  return [...byField.values()].flatMap((seen) =>
    seen
      .toSorted((one, other) => (one.firstSeenAt < other.firstSeenAt ? -1 : 1))
      .flatMap((version, index, all) => {
        const before = all[index - 1]?.detail ?? (version.path === 'info.version' ? contractVersion : null);
        return before === null || before === version.detail
          ? []
          : [toDrift(version, 'version', `${version.detail}, before ${before}`)];
      }),
  );
}

function toDrift(observation: RecordedObservation, kind: AnswerDrift['kind'], detail: string): AnswerDrift {
  const { operation, path, firstSeenAt, lastSeenAt } = observation;
  return { operation, kind, path, detail, firstSeenAt, lastSeenAt };
}
