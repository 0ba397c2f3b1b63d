/**
 * Records the shapes of all answers of the service: names and types of fields, codes and versions. No other value of an answer is kept.
 * An answer that shows nothing new costs one walk over its fields.
 */
import { createAnswerWalk, type AnswerWalk, type ObservedFact } from './answer-walk.ts';
import { answerName, operationAt, specifiedAnswer } from './specified-shape.ts';
import { dayMs } from '../../base/day-milliseconds.ts';

export interface Observation extends ObservedFact {
  /** Name of the answer: `getOrder`, `getOrder 404`, `replyWebhook`; `service` for versions outside answers. */
  readonly operation: string;
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

/** A repeated observation is recorded once a day, to update `lastSeenAt`. */
const renewedAfterMs = dayMs;
/** Without a ledger that saves them. */
const mostPending = 50_000;

export function createAnswerRecorder(now: () => number = Date.now) {
  const walks = new Map<string, { readonly walk: AnswerWalk; readonly since: number }>();
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

    /** Observations that are not saved yet. */
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
    walkOf(name).visit(body);
  }

  function recordVersion(name: string, value: string | null): void {
    if (value !== null) walkOf(serviceOperation).addVersion(name, value);
  }

  function walkOf(operation: string): AnswerWalk {
    const known = walks.get(operation);
    if (known !== undefined && now() - known.since < renewedAfterMs) return known.walk;
    const walk = createAnswerWalk(specifiedAnswer(operation), (facts) => {
      if (pending.length < mostPending) pending.push({ operation, ...facts, seenAt: new Date(now()).toISOString() });
    });
    walks.set(operation, { walk, since: now() });
    return walk;
  }
}
