import type { SlotOutcome } from '../../ledger/outcome-rows.ts';
import { toPrintable } from '../../text/printable-text.ts';

/** One outcome as a program reads it. */
export function toRowDocument(row: SlotOutcome) {
  return {
    order_id: row.orderId,
    run: row.runName,
    position: row.position,
    source_row: row.sourceRow,
    item: row.item,
    external_id: row.externalId,
    status: row.status,
    reason_codes: row.reasonCodes,
    outcome: row.outcome,
    rule: row.rule,
    matched_by: row.matchedBy,
    record_id: row.recordId,
    candidates: row.candidates,
    mapping_version: row.mappingVersion,
    projection: row.projectionId,
    at: row.at,
  };
}

/** The same as one line. */
export function toRowText(row: SlotOutcome): string {
  const others = row.candidates.filter((id) => id !== row.recordId);
  const words = [
    String(row.position).padStart(7),
    row.sourceRow === null ? '' : `row ${row.sourceRow}`.padEnd(9),
    row.item.padEnd(10),
    (row.outcome ?? 'open').padEnd(11),
    row.rule ?? '',
    `${row.status}${row.reasonCodes.length === 0 ? '' : ` (${row.reasonCodes.join(', ')})`}`,
    row.externalId === null ? '' : `external id ${row.externalId}`,
    row.recordId === null ? '' : `record ${row.recordId}`,
    row.matchedBy === null ? '' : `by ${row.matchedBy}`,
    others.length === 0 ? '' : `${row.status === 'DUPLICATE' ? 'same company as' : 'candidates'} ${others.join(', ')}`,
  ];
  return words
    .filter((word) => word !== '')
    .map(toPrintable)
    .join('  ');
}
