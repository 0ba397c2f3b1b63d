import type { ClauseTable } from './clause.ts';
import { endpointClauses } from './endpoint-clauses.ts';
import { eventClauses } from './event-clauses.ts';
import { generalClauses } from './general-clauses.ts';
import { resourceClauses } from './resource-clauses.ts';

/** Every row, numbered rule and "must", "never" or "only" sentence of the specification, with the checks that observe it. */
export const clauseTable: ClauseTable = { ...resourceClauses, ...endpointClauses, ...eventClauses, ...generalClauses };
