/** Texts that several descriptions of findings use. */

export interface FindingDescription {
  readonly description: string;
  readonly remedy: string;
}

/** Options of `rows` that list exactly the companies and contacts that a finding counts. */
const rowOptions = {
  crm_company_quarantined: '--item company --outcome quarantined',
  crm_contact_quarantined: '--item contact --outcome quarantined',
  crm_write_failed: '--outcome failed',
} as const;

export function retryRowsRemedy(code: keyof typeof rowOptions): string {
  return `Run \`prospect-sync rows ORDER ${rowOptions[code]}\` to see which ones and why, then \`prospect-sync retry ORDER\` to write them again.`;
}

export const report = 'Report the order id to the support of the service.';
export const rewriteAndCheck =
  'Run `prospect-sync ingest ORDER` to write it again, then `prospect-sync reconcile ORDER` to check it.';
