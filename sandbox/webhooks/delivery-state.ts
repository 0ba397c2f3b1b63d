/** State transitions of a delivery. */
import { limits } from '../../src/service/contract/index.ts';
import { retryAfterSeconds } from '../../src/base/http/http-answer.ts';
import { truncateText } from './truncate-text.ts';
import { classifyAnswer, type NoAnswer, type ReceiverAnswer } from './delivery-outcome.ts';
import type {
  AttemptTrigger,
  DeliveryState,
  EndReason,
  StoredAttempt,
  StoredDelivery,
} from '../state/webhook-records.ts';
import { nextAttemptAt } from './retry-schedule.ts';

const keptMs = limits.webhook.keptWhilePausedDays * 24 * 3_600_000;

type NewDelivery = Pick<StoredDelivery, 'id' | 'subject' | 'type' | 'body'>;

interface SeriesStart {
  readonly now: number;
  readonly trigger: AttemptTrigger;
}

export function newDelivery(delivery: NewDelivery, beginning: SeriesStart): StoredDelivery {
  return { ...delivery, ...beginSeries(beginning), createdAt: beginning.now, attempts: [] };
}

/** Starts a new series of attempts, due at once. */
export function toPending(delivery: StoredDelivery, beginning: SeriesStart): StoredDelivery {
  return { ...delivery, ...beginSeries(beginning) };
}

function beginSeries({ now, trigger }: SeriesStart) {
  const series = { trigger, attempts: 0, firstAttemptAt: null };
  return { state: 'pending', reason: null, series, nextAttemptAt: now, keptUntil: null } as const;
}

/** Keeps a delivery while its address is paused ("paused address" of "Limits"). */
export function toKept(delivery: StoredDelivery, now: number): StoredDelivery {
  return { ...delivery, state: 'kept', nextAttemptAt: null, keptUntil: now + keptMs };
}

export function toEnded(delivery: StoredDelivery, state: DeliveryState, reason: EndReason | null): StoredDelivery {
  return { ...delivery, state, reason, nextAttemptAt: null, keptUntil: null };
}

interface Exchange {
  readonly answer: ReceiverAnswer | NoAnswer;
  readonly startedAt: number;
  readonly durationMs: number;
  /** Time of the answer on the sandbox clock. */
  readonly now: number;
  /** Time of the answer on the receiver's clock, because Retry-After may be a date. */
  readonly receiverNow: number;
}

/** Adds the attempt to the delivery. A delivery that has ended in the meantime stays ended, unless this attempt succeeded. */
export function afterAttempt(delivery: StoredDelivery, exchange: Exchange): StoredDelivery {
  const { series, state } = delivery;
  const { outcome, reason } = classifyAnswer(exchange.answer);
  const firstAttemptAt = series.firstAttemptAt ?? exchange.startedAt;
  const tried = { ...series, attempts: series.attempts + 1, firstAttemptAt };
  const mayRetry = outcome === 'retry' && series.trigger === 'auto' && state === 'pending';
  const next = mayRetry ? nextAttemptAt({ ...tried, ...requestedWait(exchange), now: exchange.now }) : null;
  const attempt = toAttempt(exchange, { number: delivery.attempts.length + 1, trigger: series.trigger, next });
  const history = { ...delivery, series: tried, attempts: [...delivery.attempts, attempt] };
  if (outcome === 'delivered') return toEnded(history, 'delivered', null);
  if (next !== null) return { ...history, reason, nextAttemptAt: next };
  if (state === 'pending' || (state === 'kept' && outcome !== 'retry')) return toEnded(history, 'failed', reason);
  return history;
}

/** Retry-After in seconds, because the retry schedule uses another clock than the receiver. */
function requestedWait({ answer, receiverNow }: Exchange): { retryAfter: string | null } {
  const seconds = answer.kind === 'answer' ? retryAfterSeconds(answer.retryAfter, receiverNow) : undefined;
  return { retryAfter: seconds === undefined ? null : String(seconds) };
}

function toAttempt(
  { answer, startedAt, durationMs }: Exchange,
  place: { number: number; trigger: AttemptTrigger; next: number | null },
): StoredAttempt {
  const answered = answer.kind === 'answer' ? answer : null;
  return {
    number: place.number,
    trigger: place.trigger,
    startedAt,
    durationMs,
    ...classifyAnswer(answer),
    status: answered?.status ?? null,
    error: answer.kind === 'error' ? answer.error : null,
    text: truncateText(answered?.text ?? '', limits.webhook.answerKeptCharacters),
    location: answered?.location ?? null,
    nextAttemptAt: place.next,
  };
}
