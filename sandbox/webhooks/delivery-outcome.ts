/** Classifies a receiver's answer by the table "Receiver answers and retries". */
import type { DeliveryError, DeliveryOutcome, DeliveryReason } from '../state/webhook-records.ts';

/** An answer. `text` is the stored start of its body; `location` and `retryAfter` are headers as received. */
export interface ReceiverAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly retryAfter: string | null;
}

/** No answer. `code` is the system's error code, such as ECONNREFUSED; it contains no address. */
export interface NoAnswer {
  readonly kind: 'error';
  readonly error: DeliveryError;
  readonly code: string | null;
}

export interface ClassifiedAnswer {
  readonly outcome: DeliveryOutcome;
  readonly reason: DeliveryReason;
}

export function classifyAnswer(
  answer: Pick<ReceiverAnswer, 'kind' | 'status' | 'text'> | Pick<NoAnswer, 'kind' | 'error'>,
): ClassifiedAnswer {
  return answer.kind === 'error' ? errorOutcomes[answer.error] : classifyStatus(answer.status, answer.text);
}

const errorOutcomes: Readonly<Record<DeliveryError, ClassifiedAnswer>> = {
  timeout: { outcome: 'retry', reason: 'no_answer_in_time' },
  dns: { outcome: 'retry', reason: 'unreachable' },
  connect: { outcome: 'retry', reason: 'unreachable' },
  reset: { outcome: 'retry', reason: 'unreachable' },
  // The table has no row for it. It is retried like an unreachable receiver, because a starting proxy answers like this.
  protocol: { outcome: 'retry', reason: 'no_usable_answer' },
  certificate: { outcome: 'failed', reason: 'invalid_certificate' },
  private_address: { outcome: 'failed', reason: 'private_address' },
  invalid_address: { outcome: 'failed', reason: 'invalid_address' },
};

function classifyStatus(status: number, text: string): ClassifiedAnswer {
  if (status >= 200 && status <= 299) return { outcome: 'delivered', reason: 'answered' };
  if (status >= 300 && status <= 399) return { outcome: 'failed', reason: 'redirected' };
  if (status >= 400 && status <= 499) return classifyRefusal(status, text);
  // 1xx is not a final answer.
  if (status >= 100 && status <= 199) return { outcome: 'retry', reason: 'no_usable_answer' };
  // A status outside 100 to 599 counts as a 5xx (RFC 9110, 15).
  return { outcome: 'retry', reason: 'server_error' };
}

function classifyRefusal(status: number, text: string): ClassifiedAnswer {
  if (status === 400 && saysQueueIsFull(text)) return { outcome: 'failed', reason: 'receiver_queue_full' };
  if (status === 401 || status === 403) return { outcome: 'failed', reason: 'receiver_wants_key' };
  if (status === 404) return { outcome: 'failed', reason: 'not_found' };
  if (status === 408) return { outcome: 'retry', reason: 'receiver_timed_out' };
  if (status === 410) return { outcome: 'failed_and_pause', reason: 'gone' };
  if (status === 429) return { outcome: 'retry', reason: 'too_many_requests' };
  return { outcome: 'failed', reason: 'refused' };
}

/** The specification gives no wording; Make answers "Queue is full." */
function saysQueueIsFull(text: string): boolean {
  return /\bqueue[\s_-]+(?:is[\s_-]+)?full\b/i.test(text);
}
