/** The tables of what was written to HubSpot. See tables.ts. */
export interface CrmTables {
  /** Notes and tasks on the companies of rows. `sentAt`: last creation attempt; `id`: HubSpot id. */
  companyItems: {
    orderId: string;
    position: number;
    item: 'note' | 'task';
    sentAt: string | null;
    id: string | null;
  };
  /** Records that an order added to a list of HubSpot. A record that a person removes there is not added again. */
  listMembers: { listId: string; recordId: string; orderId: string };
  /** `changes`: number of changes of outcomes; `tallyJson`: their number by outcome after the last of these changes, null until it is counted. */
  outcomeTallies: { orderId: string; changes: number; tallyJson: string | null };
  records: { object: string; key: string; recordId: string };
  /** `valuesJson`: by property, the text that was written, or a list of value, digest and digest of the previous value. */
  writtenRecords: {
    object: string;
    recordId: string;
    orderId: string;
    writtenAt: string;
    valuesJson: string;
    /** Digest of `valuesJson`. */
    seal: string;
  };
  /** `changesJson`: by property, the value before the order and the one that it wrote. Only of records that existed before. */
  valueChanges: Record<'orderId' | 'object' | 'recordId' | 'at' | 'changesJson', string>;
}
