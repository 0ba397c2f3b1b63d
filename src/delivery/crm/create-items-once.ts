/** Creates notes or tasks once, although HubSpot has no key for them. */
import { ItemUnsettledError, type EngagementParent, type EngagementType } from '../../hubspot/engagements.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import { HubSpotError } from '../../hubspot/hubspot-error.ts';

/** State of one item in the ledger. */
export interface ItemMemory {
  /** `sentAt`: when its creation was last sent, with an unknown result. */
  readonly known: { readonly id: string | null; readonly sentAt: string | null };
  /** Notes that the item is about to be created. @returns false when another attempt has noted it since it was read */
  readonly claim: (at: string) => Promise<boolean>;
  /** The id of the item; null when HubSpot refused to create it. */
  readonly save: (id: string | null) => Promise<void>;
}

export interface ItemToCreate {
  readonly memory: ItemMemory;
  /** For messages, without personal data: `note of the reply`. */
  readonly name: string;
  readonly parent: EngagementParent;
  /** Part of the item's text, by which a second attempt finds it. */
  readonly marker: string;
  readonly properties: Readonly<Record<string, string>>;
}

interface ItemDependencies {
  readonly hubspot: Pick<HubSpotClient, 'engagements'>;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
}

/** ItemUnsettledError: another attempt may still create it. HubSpotError: HubSpot refused it, or did not answer for it. */
export type ItemResult = 'created' | 'existing' | ItemUnsettledError | HubSpotError;

/** An answer that was lost may belong to a request that HubSpot carries out later. */
const settledAfterMs = 60_000;

/**
 * @returns result i belongs to item i
 * @throws HubSpotError when HubSpot cannot be called; an item may be created then, and is found by the next attempt
 */
export async function createItemsOnce(
  { hubspot, now, signal }: ItemDependencies,
  type: EngagementType,
  items: readonly ItemToCreate[],
): Promise<ItemResult[]> {
  const results = new Map<ItemToCreate, ItemResult>();
  const open = items.filter(({ memory }) => memory.known.id === null);
  const found = await hubspot.engagements.findMarked(type, open, signal);
  const claimed: ItemToCreate[] = [];
  for (const [index, item] of open.entries()) {
    const existing = found[index] ?? null;
    const unsettled = existing === null ? await claim(item, now()) : null;
    if (existing !== null) await item.memory.save(existing);
    else if (unsettled === null) claimed.push(item);
    else results.set(item, unsettled);
  }
  const written = await hubspot.engagements.create(type, claimed, signal).catch(async (error: unknown) => {
    if (isRefusal(error)) for (const { memory } of claimed) await memory.save(null);
    throw error;
  });
  for (const [index, item] of claimed.entries()) {
    const result = written[index];
    if (result === undefined) throw new RangeError('an item was sent, but has no result');
    if (result.ok) await item.memory.save(result.id);
    else if (isRefusal(result.error)) await item.memory.save(null);
    results.set(item, result.ok ? 'created' : result.error);
  }
  return items.map((item) => results.get(item) ?? 'existing');
}

/** null: this attempt may create the item. */
async function claim({ memory, name }: ItemToCreate, at: Date): Promise<ItemUnsettledError | null> {
  const { sentAt } = memory.known;
  const waitMs = sentAt === null ? 0 : Date.parse(sentAt) + settledAfterMs - at.getTime();
  if (waitMs > 0) return new ItemUnsettledError(name, waitMs);
  return (await memory.claim(at.toISOString())) ? null : new ItemUnsettledError(name, settledAfterMs);
}

/** HubSpot has certainly not created anything. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof HubSpotError)) return false;
  const { kind, status = 0 } = error;
  return kind === 'postponed' || (kind === 'http' && status >= 400 && status < 500);
}
