/** What a projection did with a company or a prospect. */
export const recordOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'quarantined', 'failed'] as const;
export type RecordOutcome = (typeof recordOutcomes)[number];
export type OutcomeTally = Readonly<Record<RecordOutcome, number>>;
