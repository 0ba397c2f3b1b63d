/** The outcome of writing a company or a contact to the CRM. */
export const recordOutcomes = ['created', 'updated', 'unchanged', 'skipped', 'quarantined', 'failed'] as const;
export type RecordOutcome = (typeof recordOutcomes)[number];
export type OutcomeTally = Readonly<Record<RecordOutcome, number>>;
