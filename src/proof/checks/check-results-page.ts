/** Checks a page of results by the rules of the specification and turns its slots into ledger rows. */
import { nonRetryable } from '../../base/failures/application-failure.ts';
import { digest } from '../../base/json/canonical-json.ts';
import { yieldIfLarge } from '../../base/http/http-answer.ts';
import { isBeyondJsonLimits } from '../../base/json/json-limits.ts';
import type { StoredSlot } from '../../ledger/stored-slot.ts';
import type { ResultsPage } from '../../service/reading/read-answers.ts';
import { readSlotFields } from '../../service/reading/read-slot.ts';
import { boundWord, boundWords } from '../../base/text/bound-text.ts';

export interface PublishedResults {
  readonly orderId: string;
  readonly isEnrichment: boolean;
  /** Announced by the order; every page must repeat it. */
  readonly total: number;
}

/** A company with a thousand people has as many values. */
const mostSlotValues = 20_000;
const mostSlotCharacters = 16_000_000;

/** Reading a larger slot would block the event loop for too long. */
export function isOversizedSlot(json: string): boolean {
  return json.length > mostSlotCharacters || isBeyondJsonLimits(json, mostSlotValues);
}

/** "Results rules" 1, 2, 4 and 6. @throws ResultsInconsistent, non-retryable */
export function assertPage(
  { orderId, isEnrichment, total }: PublishedResults,
  offset: number,
  page: ResultsPage,
): void {
  const refuse = (what: string) => nonRetryable('ResultsInconsistent', `order ${orderId}, page at ${offset}: ${what}`);
  if (page.total !== null && page.total !== total)
    throw refuse(`total is ${page.total}, but the order announced ${total}`);
  const end = offset + page.slots.length;
  if (page.slots.length === 0) throw refuse('it is empty, but more slots were announced');
  if (end > total) throw refuse(`slots up to ${end} of ${total}`);
  if (page.hasMore !== null && page.hasMore !== end < total)
    throw refuse(`has_more is ${page.hasMore} at ${end} of ${total}`);
  const positions = page.slots.map((slot) => readSlotFields(slot).input_position);
  if (new Set(positions).size !== positions.length) throw refuse('a position is repeated');
  if (!isEnrichment) return;
  const misplaced = positions.findIndex((position, index) => position !== offset + index);
  if (misplaced >= 0) throw refuse(`expected position ${offset + misplaced}, found ${positions[misplaced]}`);
}

/** @param position place in the published set; for an enrichment it is the submitted row, as `assertPage` has checked */
export async function toStoredSlot(
  orderId: string,
  raw: ResultsPage['slots'][number],
  position: number,
): Promise<StoredSlot> {
  const json = JSON.stringify(raw);
  // Each pass over a large slot takes long: other work runs between them.
  await yieldIfLarge(json.length);
  if (isOversizedSlot(json)) {
    throw nonRetryable(
      'ResultsInconsistent',
      `order ${orderId}: the slot at ${position} has more than ${mostSlotValues.toLocaleString('en')} values or ${mostSlotCharacters / 1e6} MB`,
    );
  }
  await yieldIfLarge(json.length);
  const { status, reason_codes: reasonCodes, external_id: externalId = null } = readSlotFields(raw);
  return {
    position,
    hash: digest(raw),
    status: boundWord(status),
    reasonCodes: boundWords(reasonCodes),
    externalId,
    json,
  };
}
