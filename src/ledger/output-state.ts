/** States of an output of the service. `requested` and `ready` are intermediate; an output ends in one of the others. */
export const outputStates = [
  'requested',
  'ready',
  'delivered',
  'rows_differ',
  'failed',
  'refused',
  'unfinished',
  'not_fetched',
] as const;
export type OutputState = (typeof outputStates)[number];
