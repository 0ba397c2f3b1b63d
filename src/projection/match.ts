import type { CrmRecord } from '../hubspot/hubspot-record.ts';

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
  /** Unique properties whose values for this record another record holds: not written, or they would be refused in every pass. */
  readonly heldElsewhere: readonly string[];
}

/** More candidates than these say nothing more. */
const candidatesKept = 10;

export const noMatch: Match = { rule: 'none', record: null, candidates: [], problem: null, heldElsewhere: [] };

export function matched(rule: MatchRule, record: CrmRecord): Match {
  return { ...noMatch, rule, record, candidates: [record.id] };
}

/** Candidates between which nobody may guess. */
export function undecided(rule: MatchRule, problem: string, candidates: readonly string[]): Match {
  return { ...noMatch, rule, candidates: candidates.slice(0, candidatesKept), problem };
}

/** The same match, knowing that another record holds what these properties are to be. */
export function sharing(match: Match, owner: string, properties: readonly string[]): Match {
  const heldElsewhere = [...new Set([...match.heldElsewhere, ...properties])];
  return { ...match, candidates: [...new Set([...match.candidates, owner])], heldElsewhere };
}
