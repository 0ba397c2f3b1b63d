/** Types of the stored data: plain JSON, so a snapshot contains all of it. Times are milliseconds since 1970. */
import type { OrderInput, OutputInput, ProfileInput, ResultSummary } from '../../src/service/contract/index.ts';
import type { Lifecycle, Progression } from '../status-lifecycle.ts';

export interface StoredOrganization {
  readonly id: string;
  readonly name: string;
}

export interface StoredKey {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  readonly organizationId: string;
  /** Scopes that the contract does not know belong to older keys; they are kept and grant nothing. */
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  readonly revoked: boolean;
}

/** The caller. `progression` applies to what it creates; by default that of its organisation. */
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
  /** Assigned at once, returned when the creation succeeds. */
  readonly profileId: string;
  readonly input: ProfileInput;
  readonly life: Lifecycle;
}

export interface StoredOrder {
  readonly id: string;
  readonly profileId: string;
  /** Without companies, which are stored separately because polls do not need them. */
  readonly input: Omit<OrderInput, 'companies'>;
  /** Number of submitted companies; null for a discovery order. */
  readonly submitted: number | null;
  readonly life: Lifecycle;
  /** False for an order from before immutable publication. */
  readonly publishes: boolean;
  readonly published: { readonly total: number; readonly summary: ResultSummary } | null;
}

/** The facts from which, together with the order, the slots of a published set are computed. */
export interface StoredPublication {
  readonly deliveredAt: string;
  /** Positions of candidates that a blacklist excluded, ascending; discovery orders only. */
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
  readonly language: string;
  readonly spreadsheetId: string | null;
  /** The key that the server derived; null if the request had its own key. */
  readonly derivedKey: string | null;
  readonly life: Lifecycle;
}

/** The latest attempt at a destination. */
export interface StoredDestination {
  readonly outputId: string;
  /** The explicit key that claimed the destination; null if there was none yet. */
  readonly key: string | null;
}

/** The output that an Idempotency-Key identifies. */
export interface StoredClaim {
  readonly orderId: string;
  readonly destination: string;
  /** Fingerprint of the body; null for a key that the server derived from the destination. */
  readonly fingerprint: string | null;
  readonly outputId: string;
}

/** The file and digest of a published set, made in the background. */
export interface StoredProduct {
  /** Null if no file could be written. */
  readonly result_sha256: string | null;
}

export interface Answer {
  readonly status: number;
  /** Absent for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
