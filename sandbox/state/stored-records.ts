/** The shapes that are stored: plain data, so that a snapshot holds all of them. Times are milliseconds since 1970. */
import type { OrderInput, OutputInput, ProfileInput, ResultSummary } from '../../src/contract/index.ts';
import type { Lifecycle, Progression } from '../status-lifecycle.ts';

export interface StoredOrganization {
  readonly id: string;
  readonly name: string;
}

export interface StoredKey {
  /** Names the key without telling it. */
  readonly keyId: string;
  readonly organizationId: string;
  /** Words beyond the contract's are scopes of older keys: kept, and of no use. */
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  readonly revoked: boolean;
}

/** The caller, with the progression of what it creates; default: that of its organisation. */
export interface Caller extends StoredKey {
  readonly progression?: Progression;
}

export interface StoredBlacklist {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface StoredCreation {
  readonly id: string;
  /** Decided at once, shown when the creation succeeds. */
  readonly profileId: string;
  readonly input: ProfileInput;
  readonly life: Lifecycle;
}

export interface StoredOrder {
  readonly id: string;
  readonly profileId: string;
  /** Without its companies, which are stored beside it: polls do not read them. */
  readonly input: Omit<OrderInput, 'companies'>;
  /** How many companies were submitted; null for a discovery order. */
  readonly submitted: number | null;
  readonly life: Lifecycle;
  /** False for an order of the time before immutable publication. */
  readonly publishes: boolean;
  readonly published: { readonly total: number; readonly summary: ResultSummary } | null;
}

/** What a published set needs beside the order itself; slots are computed from it. */
export interface StoredPublication {
  readonly deliveredAt: string;
  /** Candidates that a blacklist kept out, ascending; discovery orders only. */
  readonly excluded: readonly number[];
}

/** The first answer to an Idempotency-Key. */
export interface StoredAnswer {
  readonly fingerprint: string;
  readonly answer: Answer;
}

/** One attempt to project a published set to a destination. */
export interface StoredOutput {
  readonly id: string;
  readonly exportJobId: string;
  readonly orderId: string;
  readonly type: OutputInput['output_type'];
  readonly spreadsheetId: string | null;
  /** The key that the server derived; null when the request brought its own. */
  readonly derivedKey: string | null;
  readonly life: Lifecycle;
}

/** The output that an Idempotency-Key identifies. */
export interface StoredClaim {
  readonly orderId: string;
  readonly destination: string;
  /** Of the body; null for a key that the server derived from the destination. */
  readonly fingerprint: string | null;
  readonly outputId: string;
}

/** What was made of a published set in the background. */
export interface StoredProduct {
  /** Null when no file could be made. */
  readonly result_sha256: string | null;
}

export interface Answer {
  readonly status: number;
  /** Absent for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
