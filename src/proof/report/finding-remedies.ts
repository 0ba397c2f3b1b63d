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
  const edited =
    code === 'crm_company_quarantined'
      ? ' Before the retry of a company with the rule `domain_of_another_company`: if the key of the HubSpot record was edited, delete the value of its property `prospect_sync_company_key`; if the domain is an additional domain of another company, remove it there.'
      : '';
  return `Run \`prospect-sync rows ORDER ${rowOptions[code]}\` to see which ones and why, then \`prospect-sync retry ORDER\` to write them again.${edited}`;
}

export const report = 'Report the order id to the support of the service.';
export const rewriteAndCheck =
  'Run `prospect-sync ingest ORDER` to write it again, then `prospect-sync reconcile ORDER` to check it.';
