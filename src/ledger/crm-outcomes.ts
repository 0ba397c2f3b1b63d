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

export const writtenOutcomes: readonly OutcomeName[] = ['created', 'updated', 'unchanged'];

/** True when the record has the planned values. */
export function isWritten(outcome: OutcomeName | null): boolean {
  return outcome !== null && writtenOutcomes.includes(outcome);
}

const newerRule = 'newer_order';

/** Rule of a skipped item whose record was written by this order, which was published later. */
export function toNewerRule(orderId: string): string {
  return `${newerRule}:${orderId}`;
}

/** The order that such a rule names; null for other rules. */
export function newerOrderOf(rule: string | null): string | null {
  return rule?.startsWith(`${newerRule}:`) === true ? rule.slice(newerRule.length + 1) : null;
}
