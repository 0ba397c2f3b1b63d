/** What the descriptions of findings share. */
export interface FindingDescription {
  readonly description: string;
  readonly remedy: string;
}

export const report = 'Report the order id to the support of the service.';
export const rewriteAndCheck =
  'Run `prospect-sync ingest ORDER` to write it again, then `prospect-sync reconcile ORDER` to check it.';
