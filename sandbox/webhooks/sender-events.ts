import type { StoredDelivery } from '../store/webhook-records.ts';

export type SenderEvent =
  | { readonly kind: 'stored'; readonly organizationId: string; readonly delivery: StoredDelivery }
  /** All that was known is void: a reset, or a snapshot that was restored. */
  | { readonly kind: 'replaced' }
  /** Nothing can be read any more. */
  | { readonly kind: 'closed' };

type Listener = (event: SenderEvent) => void;

export interface SenderEvents {
  /** The returned function ends it. */
  readonly listen: (listener: Listener) => () => void;
  readonly tell: Listener;
}

export function createSenderEvents(): SenderEvents {
  const listeners = new Set<Listener>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(event) {
      for (const listener of listeners) listener(event);
    },
  };
}
