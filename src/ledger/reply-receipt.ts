/** Stores deliveries of replies. Those that come close together share a transaction: its commit waits for the disk, whatever it contains. */
import { setTimeout as sleep } from 'node:timers/promises';
import { toStorableText } from '../base/text/storable.ts';
import { toStoredReply } from './forgotten-reply.ts';
import type { Identifier, IdentifierTest } from './redaction/identifiers.ts';
import type { Suppressions } from './suppression-store.ts';
import type { Database, Tables } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

type ReplyRow = Tables['replies'];

/** The fields of a received reply. */
export type ReceivedReply = Pick<
  ReplyRow,
  'webhookId' | 'receivedAt' | 'state' | 'reason' | 'classification' | 'replyAt' | 'campaignId' | 'body'
>;

export interface StoredDelivery extends Pick<ReplyRow, 'state' | 'reason'> {
  readonly isOther: boolean;
}

export interface ReceiptDependencies {
  readonly tombstones: Tombstones;
  readonly suppressions: Pick<Suppressions, 'addIn'>;
}

/** Less than a sender notices; at 200 deliveries a second, two or three share a commit. */
const gatheredWithinMs = 10;

/** Deliveries in one transaction. */
const mostGathered = 100;

interface Received {
  readonly reply: ReceivedReply;
  readonly refusedBy: readonly Identifier[];
  readonly resolve: (stored: StoredDelivery) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * @returns a function that stores a delivery with its body, or counts it if its id is known. A reply that names a forgotten person or company
 * is stored without its body, whatever its state. `refusedBy` are suppressed in the same transaction: a refusal does not wait for Temporal
 * or a worker. It returns the stored reply's state and reason, and whether this delivery has another body under the same id.
 */
export function createReplyReceipt(db: Database, { tombstones, suppressions }: ReceiptDependencies) {
  let waiting: Received[] = [];

  const storeTogether = (gathered: readonly Received[]): Promise<StoredDelivery[]> =>
    db.transaction().execute(async (transaction) => {
      const test = await tombstones.test(transaction);
      const stored: StoredDelivery[] = [];
      for (const received of gathered) stored.push(await storeDelivery(transaction, suppressions, received, test));
      return stored;
    });

  async function settle(gathered: readonly Received[]): Promise<void> {
    try {
      const stored = await storeTogether(gathered);
      for (const [index, delivery] of stored.entries()) gathered[index]?.resolve(delivery);
    } catch (error) {
      const [first, ...others] = gathered;
      if (others.length === 0) first?.reject(error);
      // One of them may have failed all.
      else await Promise.all(gathered.map((received) => settle([received])));
    }
  }

  async function gather(): Promise<void> {
    await sleep(gatheredWithinMs);
    const gathered = waiting;
    waiting = [];
    for (let from = 0; from < gathered.length; from += mostGathered)
      await settle(gathered.slice(from, from + mostGathered));
  }

  return (reply: ReceivedReply, refusedBy: readonly Identifier[]): Promise<StoredDelivery> =>
    new Promise((resolve, reject) => {
      if (waiting.push({ reply, refusedBy, resolve, reject }) === 1) void gather();
    });
}

async function storeDelivery(
  transaction: Database,
  suppressions: ReceiptDependencies['suppressions'],
  { reply, refusedBy }: Received,
  test: IdentifierTest | null,
): Promise<StoredDelivery> {
  const body = reply.body === null ? null : toStorableText(reply.body);
  const row = toStoredReply({ ...reply, body }, refusedBy, test);
  const { state, reason, deliveries, ...known } = await transaction
    .insertInto('replies')
    .values({ ...row, deliveries: 1, dueAt: reply.receivedAt })
    .onConflict((conflict) =>
      conflict.column('webhookId').doUpdateSet((eb) => ({ deliveries: eb('replies.deliveries', '+', 1) })),
    )
    .returning(['state', 'reason', 'deliveries', 'body'])
    .executeTakeFirstOrThrow();
  const suppression = { at: reply.receivedAt, by: `reply ${reply.webhookId}`, reason: 'do_not_contact' };
  const isOther = known.body !== null && known.body !== body;
  // Another body under a known id is dropped, but a refusal in it suppresses the person.
  if (deliveries === 1 || isOther)
    for (const identifier of refusedBy) await suppressions.addIn(transaction, { identifier, ...suppression });
  return { state, reason, isOther };
}
