/** Operations that only the owner of a server can do. Tests have them for the sandbox; `prospect-sync conformance` has none. */
export interface ServerControl {
  /** Moves the clock of the server. */
  readonly advance: (seconds: number) => Promise<void>;
  /** Its key has every scope. */
  readonly createOrganization: () => { readonly organizationId: string; readonly apiKey: string };
  readonly createKey: (key: NewKey) => string;
  /** The scopes that the server issues on new keys. */
  readonly issuableScopes: readonly string[];
  /** Moves an order to COMPLETED, which publishes its results. */
  readonly completeOrder: (orderId: string) => void;
}

export interface NewKey {
  readonly organizationId: string;
  readonly scopes: readonly string[];
  /** Until the key expires; without it the key does not expire. */
  readonly validSeconds?: number;
}
