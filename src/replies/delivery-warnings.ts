/** Warnings about deliveries that are not accepted, for whose causes only the operator has a remedy. */
import type { Log } from '../base/logs.ts';

/** Anybody can send to the receiver, so each kind is logged once in this time. */
const pauseMs = 60_000;

/** @returns a function that logs a message of a kind, unless one of that kind was logged within the last minute */
export function createDeliveryWarnings({ log, now }: { readonly log: Log; readonly now: () => Date }) {
  const lastAt = new Map<string, number>();
  return (kind: string, message: string, fields: Parameters<Log>[2] = {}): void => {
    const at = now().getTime();
    if (at - (lastAt.get(kind) ?? Number.NEGATIVE_INFINITY) < pauseMs) return;
    lastAt.set(kind, at);
    log(message, 'warn', fields);
  };
}
