/** The inbox: received replies and their processing state. */
import { sql } from 'kysely';
import { createReplyReceipt, type ReceiptDependencies } from './reply-receipt.ts';
import type { ReplyState } from './inbox-rows.ts';
import type { Database, Tables } from './tables.ts';

export type ReplyRow = Tables['replies'];

/** What the body of a reply says. */
export type RereadReply = Pick<ReplyRow, 'classification' | 'replyAt' | 'campaignId'>;

/** What the state of a contact is made of. */
export type ContactReply = Pick<
  ReplyRow,
  'webhookId' | 'classification' | 'replyAt' | 'reason' | 'leadStatusAt' | 'taskId'
>;

/** A reply whose workflow is to be started. */
export type DueReply = Pick<ReplyRow, 'webhookId' | 'classification'>;

export interface ReplyFilter {
  readonly state?: ReplyState | undefined;
  readonly classification?: string | undefined;
  /** Earliest time of receipt, ISO 8601. */
  readonly since?: string | undefined;
}

/** The items that a reply creates in HubSpot, once each. */
export type ReplyItem = 'note' | 'task';

const columns = {
  note: { id: 'noteId', sentAt: 'noteSentAt' },
  task: { id: 'taskId', sentAt: 'taskSentAt' },
} as const;

/** Replies in one list. */
export const mostListed = 1_000;

export type ReplyStore = ReturnType<typeof createReplyStore>;

export function createReplyStore(db: Database, dependencies: ReceiptDependencies) {
  const update = (webhookId: string) => db.updateTable('replies').where('webhookId', '=', webhookId);

  return {
    receive: createReplyReceipt(db, dependencies),

    get: (webhookId: string): Promise<ReplyRow | undefined> =>
      db.selectFrom('replies').selectAll().where('webhookId', '=', webhookId).executeTakeFirst(),

    /** Ids that begin with the text, the newest first, and how many there are; of an empty text: the newest. */
    async idsBeginning(text: string, limit: number): Promise<{ ids: string[]; total: number }> {
      const rows = await db
        .selectFrom('replies')
        .select(({ fn }) => ['webhookId', fn.countAll<number>().over().as('total')])
        .where((eb) => eb.fn('substr', ['webhookId', eb.val(1), eb.val(text.length)]), '=', text)
        .orderBy('receivedAt', 'desc')
        .orderBy('webhookId')
        .limit(limit)
        .execute();
      return { ids: rows.map(({ webhookId }) => webhookId), total: rows[0]?.total ?? 0 };
    },

    /** Classifications that received replies have, also those that the specification does not name. */
    async classifications(): Promise<string[]> {
      const rows = await db.selectFrom('replies').select('classification').distinct().execute();
      return rows.flatMap(({ classification }) => classification ?? []);
    },

    /** Lists replies, newest first. */
    list: ({ state, classification, since }: ReplyFilter): Promise<Omit<ReplyRow, 'body'>[]> =>
      db
        .selectFrom('replies')
        .select([
          'webhookId',
          'receivedAt',
          'state',
          'reason',
          'classification',
          'replyAt',
          'campaignId',
          'deliveries',
          'contactId',
          'noteId',
          'noteSentAt',
          'taskId',
          'taskSentAt',
          'leadStatusAt',
          'suppressedAt',
          'finishedAt',
          'dueAt',
        ])
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'received'))
        .$if(classification !== undefined, (query) => query.where('classification', '=', classification ?? ''))
        .$if(since !== undefined, (query) => query.where('receivedAt', '>=', since ?? ''))
        .orderBy('receivedAt', 'desc')
        .orderBy('webhookId')
        .limit(mostListed)
        .execute(),

    /** Takes the replies that are due, longest first, until another time: two workers take different ones. */
    async takeDue(at: string, { until, limit }: { until: string; limit: number }): Promise<DueReply[]> {
      const due = db
        .selectFrom('replies')
        .select('webhookId')
        .where('state', '=', 'received')
        .where('dueAt', '<=', at)
        .orderBy('dueAt')
        .limit(limit);
      // Read first: an update locks the whole file of SQLite, also where nothing is due.
      const found = (await due.execute()).map(({ webhookId }) => webhookId);
      if (found.length === 0) return [];
      return db
        .updateTable('replies')
        .set({ dueAt: until })
        .where('webhookId', 'in', found)
        .where('state', '=', 'received')
        .where('dueAt', '<=', at)
        .returning(['webhookId', 'classification'])
        .execute();
    },

    /** How many replies were taken before, and are not processed yet; at most `most`. */
    async countTaken(at: string, most: number): Promise<number> {
      const taken = db
        .selectFrom('replies')
        .select('webhookId')
        .where('state', '=', 'received')
        .where('dueAt', '>', at);
      return (await taken.limit(most).execute()).length;
    },

    postpone: async (webhookIds: readonly string[], dueAt: string): Promise<void> => {
      await db.updateTable('replies').set({ dueAt }).where('webhookId', 'in', webhookIds).execute();
    },

    /** Replies of each state, and when the oldest one of a state was received. */
    counts: (): Promise<{ state: ReplyState; count: number; oldest: string }[]> =>
      db
        .selectFrom('replies')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('receivedAt').as('oldest')])
        .groupBy('state')
        .execute(),

    /** The replies that were processed for a contact, or are about to be. */
    ofContact: (contactId: string): Promise<ContactReply[]> =>
      db
        .selectFrom('replies')
        .select(['webhookId', 'classification', 'replyAt', 'reason', 'leadStatusAt', 'taskId'])
        .where('contactId', '=', contactId)
        .execute(),

    saveContact: async (webhookId: string, contactId: string): Promise<void> => {
      await update(webhookId).set({ contactId }).execute();
    },

    saveLeadStatus: async (webhookId: string, at: string): Promise<void> => {
      await update(webhookId).set({ leadStatusAt: at }).execute();
    },

    /** Stores the time of the first call, and returns it. */
    async saveSuppressed(webhookId: string, at: string): Promise<string | null> {
      const { suppressedAt } = await update(webhookId)
        .set({ suppressedAt: sql<string>`coalesce(suppressed_at, ${at})` })
        .returning('suppressedAt')
        .executeTakeFirstOrThrow();
      return suppressedAt;
    },

    /** Id in HubSpot, and time of the last creation attempt. */
    item(webhookId: string, item: ReplyItem): Promise<{ id: string | null; sentAt: string | null }> {
      const { id, sentAt } = columns[item];
      return db
        .selectFrom('replies')
        .select((eb) => [eb.ref(id).as('id'), eb.ref(sentAt).as('sentAt')])
        .where('webhookId', '=', webhookId)
        .executeTakeFirstOrThrow();
    },

    /**
     * Notes that the item is about to be created, unless another attempt has noted it since `seen` was read.
     * @returns false when another attempt has
     */
    async claim(webhookId: string, item: ReplyItem, times: { seen: string | null; at: string }): Promise<boolean> {
      const { sentAt } = columns[item];
      const { numUpdatedRows } = await update(webhookId)
        .set({ [sentAt]: times.at })
        .where(sentAt, times.seen === null ? 'is' : '=', times.seen)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Stores the id of the created item; null if HubSpot rejected it. */
    saveItem: async (webhookId: string, item: ReplyItem, id: string | null): Promise<void> => {
      const { id: idColumn, sentAt } = columns[item];
      await update(webhookId)
        .set(id === null ? { [sentAt]: null } : { [idColumn]: id })
        .execute();
    },

    finish: async (
      webhookId: string,
      { state, reason, at }: { state: ReplyState; reason: string | null; at: string },
    ): Promise<void> => {
      await update(webhookId).set({ state, reason, finishedAt: at }).execute();
    },

    eraseBody: async (webhookId: string): Promise<void> => {
      await update(webhookId).set({ body: null }).execute();
    },

    /**
     * Resets a reply as it is read now, so that it is processed again: from `dueAt` by a worker, if its caller has died by then.
     * @returns false for an unknown id, a test sample, or a reply without its body
     */
    async reopen(
      webhookId: string,
      { classification, replyAt, campaignId }: RereadReply,
      dueAt: string,
    ): Promise<boolean> {
      const { numUpdatedRows } = await update(webhookId)
        .set({ classification, replyAt, campaignId, dueAt, state: 'received', reason: null, finishedAt: null })
        .where('state', '<>', 'test')
        .where('body', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}
