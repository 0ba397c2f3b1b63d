/** Creates a note or a task once, although HubSpot has no key for them. */
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

interface ItemToCreate {
  readonly type: EngagementType;
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

/** An answer that was lost may belong to a request that HubSpot carries out later. */
const settledAfterMs = 60_000;

/** @throws ItemUnsettledError when another attempt may still create it; HubSpotError */
export async function createItemOnce(
  { hubspot, now, signal }: ItemDependencies,
  { known, claim, save }: ItemMemory,
  { type, name, parent, marker, properties }: ItemToCreate,
): Promise<'created' | 'existing'> {
  if (known.id !== null) return 'existing';
  const existing = await hubspot.engagements.findMarked(type, { parent, marker }, signal);
  if (existing !== null) {
    await save(existing);
    return 'existing';
  }
  const at = now();
  const waitMs = known.sentAt === null ? 0 : Date.parse(known.sentAt) + settledAfterMs - at.getTime();
  if (waitMs > 0) throw new ItemUnsettledError(name, waitMs);
  if (!(await claim(at.toISOString()))) throw new ItemUnsettledError(name, settledAfterMs);
  try {
    await save(await hubspot.engagements.create(type, { parent, properties }, signal));
    return 'created';
  } catch (error) {
    if (isRefusal(error)) await save(null);
    throw error;
  }
}

/** HubSpot has certainly not created anything. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof HubSpotError)) return false;
  const { kind, status = 0 } = error;
  return kind === 'postponed' || (kind === 'http' && status >= 400 && status < 500);
}
