/** How the answers of a service differ from the specification, and since when. */
import type { Ledger } from '../../ledger/ledger.ts';
import { LedgerError } from '../../ledger/ledger-error.ts';
import { serviceScope } from '../../ledger/shape-store.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { findDrift, type AnswerDrift, type RecordedObservation } from '../../service/reading/find-drift.ts';

type Shapes = Pick<Ledger, 'answerShapes'>;
type Observer = Pick<ProspectingClient, 'answers' | 'baseUrl'>;

/** Writes what the client has observed since the last call. @throws {LedgerError}; the observations are kept for the next call */
export async function saveAnswerShapes(ledger: Shapes, { answers, baseUrl }: Observer): Promise<void> {
  await answers.flush((observations) => ledger.answerShapes.save(serviceScope(baseUrl), observations));
}

/** Drift that all processes with this ledger observed; the newest difference first, at most 500. @throws {LedgerError} */
export async function listDrift(ledger: Shapes, baseUrl: string): Promise<AnswerDrift[]> {
  return findDrift(await ledger.answerShapes.list(serviceScope(baseUrl)));
}

/** Drift for a certificate, which does without it when the ledger cannot be read. */
export async function readDrift(ledger: Shapes, observer: Observer): Promise<AnswerDrift[] | null> {
  try {
    await saveAnswerShapes(ledger, observer);
    return await listDrift(ledger, observer.baseUrl);
  } catch (error) {
    if (error instanceof LedgerError) return null;
    throw error;
  }
}

/** Drift that this client observed, for an installation without a ledger. */
export function listUnsavedDrift({ answers }: Pick<Observer, 'answers'>): AnswerDrift[] {
  return findDrift(
    answers.pending().map(({ seenAt, ...facts }): RecordedObservation => ({
      ...facts,
      firstSeenAt: seenAt,
      lastSeenAt: seenAt,
    })),
  );
}

const shownAtMost = 100;

/** Grouped by operation. */
export function toDriftText(drift: readonly AnswerDrift[]): string {
  if (drift.length === 0) return 'Drift: none recorded. The answers of the service are as specified';
  const lines = Map.groupBy(drift.slice(0, shownAtMost), ({ operation }) => operation)
    .entries()
    .flatMap(([operation, found]) => [`  ${operation}`, ...found.map(toLine)]);
  const more = drift.length - shownAtMost;
  return [
    `Drift: ${drift.length} ${drift.length === 1 ? 'difference' : 'differences'} from the specification; none fails a run`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: prospect-sync doctor --drift --json`] : []),
  ].join('\n');
}

const names = {
  field: 'new field',
  type: 'other type',
  code: 'new code',
  version: 'version',
  missing: 'missing field',
} as const satisfies Record<AnswerDrift['kind'], string>;

function toLine({ kind, path, detail, firstSeenAt, lastSeenAt }: AnswerDrift): string {
  const [first, last] = [firstSeenAt.slice(0, 10), lastSeenAt.slice(0, 10)];
  const seen = first === last ? `first seen ${first}` : `first seen ${first}, last seen ${last}`;
  return `    ${names[kind].padEnd('missing field'.length)}  ${path || '(whole answer)'}: ${detail}, ${seen}`;
}
