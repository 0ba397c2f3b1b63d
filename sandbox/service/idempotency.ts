/** Same key and body: the first answer is replayed, or as `replay` changes it (A86). Same key, other body: 409. Keys are separate for each organisation and operation. */
import { canonicalJson } from '../../src/base/json/canonical-json.ts';
import { digestOf } from '../deterministic-values.ts';
import type { Answer } from '../state/stored-records.ts';
import { refuse } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';

interface KeyedRequest {
  readonly organization: Organization;
  readonly operationId: string;
  readonly key: string | null;
  /** The body as it was sent, before defaults. */
  readonly sent: unknown;
}

/** Refusals are not stored, because a refused request changed nothing and may be sent again. */
export function answerOnce(
  { organization, operationId, key, sent }: KeyedRequest,
  execute: () => Answer,
  replay: (first: Answer) => Answer,
): Answer {
  if (key === null) return execute();
  const place = `${operationId}\n${key}`;
  const fingerprint = fingerprintOf(sent);
  const stored = organization.answers.get(place);
  if (stored?.fingerprint === fingerprint) return replay(stored.answer);
  if (stored) {
    throw refuse('IDEMPOTENCY_KEY_CONFLICT', 'The Idempotency-Key was used with a different body; use a new key.');
  }
  const answer = execute();
  organization.answers.set(place, { fingerprint, answer });
  return answer;
}

/** Ignores white space and the order of fields. */
export function fingerprintOf(value: unknown): string {
  return digestOf(canonicalJson(value));
}
