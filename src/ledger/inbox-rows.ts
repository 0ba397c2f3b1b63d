/** The tables of replies, suppressions, and the use of webhook secrets. See tables.ts. */
/**
 * `received`: not processed yet. `processed`: its effects are complete. `quarantined`: it needs a person, see `reason`. `failed`: its
 * workflow failed, see `reason`. `test`: a test sample, which changes nothing.
 */
export const replyStates = ['received', 'processed', 'quarantined', 'failed', 'test'] as const;
export type ReplyState = (typeof replyStates)[number];

export type InboxTables = {
  /** `body`: as received; null once it was erased. `…SentAt`: when its creation in HubSpot was last attempted. */
  replies: {
    webhookId: string;
    receivedAt: string;
    state: ReplyState;
    /** Code of the reason for `quarantined` and `failed`. */
    reason: string | null;
    classification: string | null;
    /** `reply_received_at`, in UTC; null if it cannot be read. */
    replyAt: string | null;
    campaignId: string | null;
    body: string | null;
    deliveries: number;
    contactId: string | null;
    noteId: string | null;
    noteSentAt: string | null;
    taskId: string | null;
    taskSentAt: string | null;
    /** When the lead status of its class was written. */
    leadStatusAt: string | null;
    suppressedAt: string | null;
    finishedAt: string | null;
    /** From when its workflow is started, or started again, while its state is `received`. */
    dueAt: string;
  };
  /** `key`: the domain of a company, or the key of a contact under the secret. `value`: its address; null once it was forgotten. */
  suppressions: {
    kind: 'person' | 'company';
    key: string;
    value: string | null;
    addedAt: string;
    addedBy: string;
    reason: string;
    removedAt: string | null;
    removedBy: string | null;
    removedReason: string | null;
  };
  /** `hash`: of the domain, and of name and city as they are compared. */
  suppressedNames: { hash: string; domain: string; name: string; city: string | null };
  webhookSecretUses: { endpoint: string; fingerprint: string; deliveries: number; lastAt: string };
};
