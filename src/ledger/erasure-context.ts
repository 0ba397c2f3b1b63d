import type { Identifier, IdentifierTest } from './redaction/identifiers.ts';
import type { Suppressions } from './suppression-store.ts';
import type { Database } from './tables.ts';

/** A record that was written for the person or company. It stays in HubSpot. */
export interface FoundCrmRecord {
  readonly object: 'companies' | 'contacts' | 'notes' | 'tasks';
  readonly id: string;
}

export interface ForgetContext {
  readonly db: Database;
  readonly test: IdentifierTest;
  /** Only counts rows. */
  readonly preview: boolean;
  readonly at: string;
  /** Receives the order of each slot that is erased, and further identifiers of what is erased. */
  readonly learn: (orderId: string, identifiers: readonly Identifier[]) => void;
  /** Receives the HubSpot records of a preview. */
  readonly noteRecord: (record: FoundCrmRecord) => void;
  /** Returns the subjects that an unprocessed reply suppresses: its text is erased before it is processed. */
  readonly refusedBy: (body: string | null) => readonly Identifier[];
  readonly suppressions: Pick<Suppressions, 'addIn'>;
}

export interface ExpiryContext {
  readonly db: Database;
  /** Data from before this time is erased. ISO 8601. */
  readonly cutoff: string;
  readonly preview: boolean;
  readonly at: string;
  /** Orders whose data expires. */
  readonly orderIds: readonly string[];
}

export interface ErasablePlace {
  /** Tables and columns, or files. */
  readonly name: string;
  readonly holds: string;
  /** The data that is kept. */
  readonly remains: string;
  /** @returns the number of rows with forgotten people or companies */
  readonly forget: (context: ForgetContext) => Promise<number>;
  /** @returns the number of rows that expire */
  readonly expire: (context: ExpiryContext) => Promise<number>;
}
