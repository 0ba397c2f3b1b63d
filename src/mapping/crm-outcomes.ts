/** Outcomes of writing a company or a contact to the CRM. */
export const outcomeNames = ['created', 'updated', 'unchanged', 'skipped', 'quarantined', 'failed'] as const;
export type OutcomeName = (typeof outcomeNames)[number];
export type OutcomeTally = Readonly<Record<OutcomeName, number>>;

export const emptyTally: OutcomeTally = {
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  quarantined: 0,
  failed: 0,
};

const writtenOutcomes: readonly OutcomeName[] = ['created', 'updated', 'unchanged'];

/** True when the record has the planned values. */
export function isWritten(outcome: OutcomeName | null): boolean {
  return outcome !== null && writtenOutcomes.includes(outcome);
}
