/** The outcome of writing a company or a contact to the CRM. */
export const outcomeNames = ['created', 'updated', 'unchanged', 'skipped', 'quarantined', 'failed'] as const;
export type OutcomeName = (typeof outcomeNames)[number];
export type OutcomeTally = Readonly<Record<OutcomeName, number>>;
