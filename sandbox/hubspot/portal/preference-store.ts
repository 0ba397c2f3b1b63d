import { hash } from '../seeded-values.ts';

export type SubscriptionState = 'SUBSCRIBED' | 'UNSUBSCRIBED' | 'NOT_SPECIFIED';

export interface SubscriptionType {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly purpose: string;
  readonly communicationMethod: string;
}

/** Whether an address is subscribed to one type of email. */
export interface SubscriptionStatus {
  readonly state: SubscriptionState;
  readonly at: string;
  readonly source: string;
  readonly legalBasis?: string | undefined;
  readonly legalBasisExplanation?: string | undefined;
}

/** Subscription preferences by email address, with or without a contact of that address. */
export interface PreferenceStore {
  readonly types: readonly SubscriptionType[];
  /** undefined: never set. */
  status(email: string, typeId: number): SubscriptionStatus | undefined;
  setStatus(email: string, typeId: number, status: SubscriptionStatus): void;
  /** When the address unsubscribed from everything. */
  optedOutAt(email: string): string | undefined;
  optOut(email: string, at: string): void;
}

const kinds = [
  ['Marketing Information', 'Marketing offers and updates.', 'Marketing', 'Email'],
  [
    'Customer Service Communication',
    'Receive feedback requests and customer service information.',
    'Customer Service',
    'Email',
  ],
  ['One to One', 'One to One emails', 'Sales', 'Email'],
] as const;

export function createPreferenceStore(seed: string): PreferenceStore {
  const first = 90_000_000 + (hash(`${seed}/subscriptions`) % 1_000_000) * 4;
  const statuses = new Map<string, SubscriptionStatus>();
  const optedOut = new Map<string, string>();
  const keyOf = (email: string, typeId: number) => `${email.toLowerCase()}/${typeId}`;
  const types = kinds.map(([name, description, purpose, communicationMethod], i) => ({
    id: first + i,
    name,
    description,
    purpose,
    communicationMethod,
  }));
  return {
    types,
    status: (email, typeId) => statuses.get(keyOf(email, typeId)),
    setStatus(email, typeId, status) {
      statuses.set(keyOf(email, typeId), status);
    },
    optedOutAt: (email) => optedOut.get(email.toLowerCase()),
    optOut(email, at) {
      const address = email.toLowerCase();
      optedOut.set(address, optedOut.get(address) ?? at);
      for (const { id } of types) {
        if (statuses.get(keyOf(email, id))?.state === 'UNSUBSCRIBED') continue;
        statuses.set(keyOf(email, id), { state: 'UNSUBSCRIBED', at, source: 'Public API' });
      }
    },
  };
}
