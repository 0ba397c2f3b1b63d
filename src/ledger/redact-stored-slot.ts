import type { Identifier, IdentifierTest } from './redaction/identifiers.ts';
import { erasedKey } from '../base/json/erased-mark.ts';
import { parseJsonWithinLimits } from '../base/json/json-limits.ts';
import { jsonNamesForgotten, redactSlot, type RedactedSlot } from './redaction/redact-slot.ts';

import { readSlotFields } from '../service/reading/read-slot.ts';
import type { StoredSlot } from './stored-slot.ts';
import type { Database } from './tables.ts';
import { isRecord } from '../base/json/own-property.ts';

export interface RedactedStoredSlot {
  readonly stored: StoredSlot;
  readonly slot: Readonly<Record<string, unknown>>;
  /** Further identifiers of the removed people and companies. */
  readonly identifiers: readonly Identifier[];
}

/** Removes forgotten people and companies from JSON and columns. @returns null if the slot contains none */
export function redactStoredSlot(
  stored: StoredSlot,
  test: IdentifierTest,
  options: { readonly keepExternalId: boolean },
): RedactedStoredSlot | null {
  const published = parseJsonWithinLimits(stored.json);
  const redacted = isRecord(published) ? redactSlot(published, test, options) : redactUnreadable(stored, test);
  if (redacted === null) return null;
  const { slot, identifiers } = redacted;
  const externalId = readSlotFields(slot).external_id === null ? null : stored.externalId;
  return { stored: { ...stored, externalId, json: JSON.stringify(slot) }, slot, identifiers };
}

/** JSON that was changed in the ledger, or is beyond the limits of what is received. */
function redactUnreadable({ json }: StoredSlot, test: IdentifierTest): RedactedSlot | null {
  return jsonNamesForgotten(json, test) ? { slot: { [erasedKey]: true }, identifiers: [] } : null;
}

/** A HubSpot record id does not identify a person; any other external id is a free text of the user. */
export async function keepsExternalIds(db: Database, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('externalIdsAreRecordIds')
    .where('orderId', '=', orderId)
    .executeTakeFirst();
  return row?.externalIdsAreRecordIds === 1;
}
