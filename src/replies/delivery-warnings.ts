/** Warnings about deliveries that are not accepted, with what the operator can do. They name no delivery. */
import type { Log } from '../base/logs.ts';
import type { SignatureRefusal } from './webhook-signature.ts';

export type EndpointName = 'replies' | 'order_status';

/** Why a delivery is answered 401 or 503, beside errors. */
export type AnswerReason =
  | SignatureRefusal
  | 'body_too_large'
  | 'busy'
  | 'key_differs'
  | 'no_secret'
  | 'stopping'
  | 'temporal_unavailable';

/** Anybody can send to the receiver, so each kind is logged once in this time. */
const pauseMs = 60_000;

/** @returns a function that logs a message of a kind, unless one of that kind was logged within the last minute: the next one says how many */
export function createDeliveryWarnings({ log, now }: { readonly log: Log; readonly now: () => Date }) {
  const kinds = new Map<string, { readonly at: number; unlogged: number }>();
  return (kind: string, message: string, fields: Parameters<Log>[2] = {}): void => {
    const at = now().getTime();
    const last = kinds.get(kind);
    if (last !== undefined && at - last.at < pauseMs) {
      last.unlogged += 1;
      return;
    }
    kinds.set(kind, { at, unlogged: 0 });
    log(message, 'warn', last === undefined || last.unlogged === 0 ? fields : { ...fields, unlogged: last.unlogged });
  };
}

const toClockText = (direction: 'before' | 'after', other: string) =>
  `Delivery not accepted: its time is more than five minutes ${direction} the clock of the receiver. Compare the clock of this computer with the time; if it is right, ${other}`;

const problems: Readonly<Record<AnswerReason, (name: EndpointName) => string>> = {
  missing_header: () =>
    'Delivery refused: it is not signed. If it comes from the service, a proxy removes the headers webhook-id, webhook-timestamp and webhook-signature',
  malformed_timestamp: () =>
    'Delivery refused: its header webhook-timestamp is no number, so it is not from the service',
  no_match: (name) =>
    `Delivery refused: no secret in ${name}.secrets verifies its signature, so the service signs with another one, a proxy changes the body, or it is not from the service. Copy the secret of the receiver address from the service, which shows it to owners and admins; if it is the same, let the proxy pass the body unchanged`,
  body_too_large: () => 'Delivery refused: its body is larger than 4 MiB, which the service does not send',
  busy: () => 'Delivery not accepted: large bodies, which the service does not send, take all memory for them',
  no_secret: (name) =>
    `Delivery not accepted: ${name}.secrets is not configured. Add the secret of the receiver address to the configuration, and restart the receiver`,
  key_differs: (name) =>
    `Delivery not accepted: it does not have the configured ${name}.key. Correct the key, or the setting of the proxy that adds it`,
  timestamp_too_old: () =>
    toClockText('before', 'the clock of the sender is wrong, or somebody has sent an old delivery again'),
  timestamp_too_new: () => toClockText('after', 'the clock of the sender is wrong'),
  stopping: () => 'Delivery not accepted: the receiver is stopping. The service sends it again',
  temporal_unavailable: () => 'Delivery not accepted: Temporal does not answer. The service sends it again',
};

/** What to do about an answer; null if the delivery was accepted, or its error was logged. */
export function problemOf(name: EndpointName, reason: string): string | null {
  return isProblem(reason) ? problems[reason](name) : null;
}

function isProblem(reason: string): reason is AnswerReason {
  return Object.hasOwn(problems, reason);
}
