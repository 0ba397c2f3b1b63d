import type { CrmRecord } from '../hubspot/record.ts';

/** The rung of the ladder that decided; `none`: no record was found, so one is created. */
export type MatchRule = 'external_id' | 'key' | 'domain' | 'email' | 'secondary_email' | 'none';

/** What the match ladder says of one company or contact. */
export interface Match {
  readonly rule: MatchRule;
  readonly record: CrmRecord | null;
  /** Ids of the records that were considered. */
  readonly candidates: readonly string[];
  /** Why none of the candidates may be taken, and none created; null when the way is clear. */
  readonly problem: string | null;
}

/** More candidates than these say nothing more. */
const candidatesKept = 10;

export const noMatch: Match = { rule: 'none', record: null, candidates: [], problem: null };

export function matched(rule: MatchRule, record: CrmRecord): Match {
  return { rule, record, candidates: [record.id], problem: null };
}

/** Candidates between which nobody may guess. */
export function undecided(rule: MatchRule, problem: string, candidates: readonly string[]): Match {
  return { rule, record: null, candidates: candidates.slice(0, candidatesKept), problem };
}
