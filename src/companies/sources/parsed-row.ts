import type { DraftRow } from '../../ledger/draft-store.ts';
import type { CompanyRow } from '../../service/contract/index.ts';

/** A row of a table that passed the checks of a single row. */
export interface ParsedRow {
  readonly row: DraftRow;
  readonly company: CompanyRow;
  /** Equal for rows of one company. */
  readonly companyText: string;
}

/** Every row of a table has a number. */
export function numberOf({ sourceRow }: DraftRow): number {
  return sourceRow ?? 0;
}
