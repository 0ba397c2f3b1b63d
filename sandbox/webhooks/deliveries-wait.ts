/** Waiting for deliveries without looking again and again: the sender tells of each that it stores. */
import type { StoredDelivery } from '../store/webhook-records.ts';
import type { Sender } from './webhook-sender.ts';

interface Wanted {
  readonly sender: Pick<Sender, 'listen'>;
  readonly organizationId: string;
  readonly count: number;
  /** By the machine's clock: a receiver's time is real. */
  readonly timeoutMs: number;
  readonly fits: (delivery: StoredDelivery) => boolean;
  /** Ids of the stored deliveries that fit. Called at the beginning, and when everything was replaced. */
  readonly fitting: () => Iterable<string>;
}

export type WaitEnd = 'enough' | 'time over' | 'closed';

/** Resolves when so many deliveries fit, the time is over, or the sender closes. Keeps no process alive. */
export async function waitForDeliveries({ sender, organizationId, count, timeoutMs, fits, fitting }: Wanted) {
  const { promise, resolve } = Promise.withResolvers<WaitEnd>();
  let found = new Set(fitting());
  const judge = () => {
    if (found.size >= count) resolve('enough');
  };
  const timer = setTimeout(() => resolve('time over'), timeoutMs).unref();
  const stop = sender.listen((event) => {
    if (event.kind === 'closed') return resolve('closed');
    if (event.kind === 'replaced') found = new Set(fitting());
    else if (event.organizationId === organizationId) {
      if (fits(event.delivery)) found.add(event.delivery.id);
      else found.delete(event.delivery.id);
    }
    judge();
  });
  judge();
  return promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
}
