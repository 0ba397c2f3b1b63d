/** Orders of the service that the ledger does not have: what a new run would buy may be theirs. */
import { formatDateTime } from '../../base/text/format-time.ts';
import { toStorableText } from '../../base/text/storable.ts';
import type { RunPlan } from '../../config/run-plan.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ListedOrder } from '../../service/client/order-client.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { unsuccessfulOrderStatuses } from '../../service/contract/index.ts';

export interface UnknownOrderSources {
  /** null where there is none yet. */
  readonly ledger: Pick<Ledger, 'orders' | 'profiles'> | null;
  /** null: the orders of the service are not compared. */
  readonly prospecting: { readonly orders: Pick<ProspectingClient['orders'], 'list'> } | null;
}

/**
 * An order of the service that this ledger does not have: the ledger may be a new one, an older copy, or that of another folder. Only the
 * newest order of the run's title counts, and the newest one of the profiles that this ledger has created; for a ledger without any order
 * the newest one of whatever title, if it is recent.
 */
export async function warnOfUnknownOrder(
  { ledger, prospecting }: UnknownOrderSources,
  { runName, title: ownTitle, repeatAfterMilliseconds }: Pick<RunPlan, 'runName' | 'title' | 'repeatAfterMilliseconds'>,
  now: Date,
): Promise<string[]> {
  const unsuccessful: readonly (string | null)[] = unsuccessfulOrderStatuses;
  const listed = ((await prospecting?.orders.list()) ?? []).filter(({ status }) => !unsuccessful.includes(status));
  const orders = ledger?.orders ?? null;
  const isNew = orders === null || (await orders.newestIds(1)).length === 0;
  const created = (await ledger?.profiles.createdIds()) ?? new Set();
  const isYoung = ({ created_at: at }: ListedOrder) =>
    at !== null && now.getTime() - new Date(at).getTime() < repeatAfterMilliseconds;
  const sameTitle = listed.find(({ title }) => title === toStorableText(ownTitle));
  const candidates = [
    sameTitle,
    listed.find(({ profile_id: profileId }) => created.has(profileId ?? '')),
    isNew ? listed.find(isYoung) : undefined,
  ];
  for (const order of candidates) {
    if (order === undefined || (await orders?.get(order.order_id)) !== undefined) continue;
    const { order_id: orderId, created_at: createdAt, profile_id: profileId } = order;
    const placed = createdAt === null ? '' : ` of ${formatDateTime(new Date(createdAt))}`;
    const ofProfile = created.has(profileId ?? '') ? ' with a profile of this ledger' : '';
    const origin = order === sameTitle ? ` with the title of run ${runName}` : ofProfile;
    const lacks = isNew ? 'has no order' : 'does not have it';
    const advice = isNew ? ', and has none of the suppressions of another: import them first' : '';
    const ingest = `prospect-sync ingest ${orderId} --run`;
    const command =
      order === sameTitle ? `: ${ingest} ${runName}` : ` ${ingest} with the name of the run that placed it`;
    const remedy = origin === '' ? '' : `; to continue with that order, run${command}`;
    return [
      `Unknown order: the service has order ${orderId}${placed}${origin}, and this ledger ${lacks}. The ledger may be a new one, an older copy, or that of another folder${advice}. A new run may buy the same companies again${remedy}`,
    ];
  }
  return [];
}
