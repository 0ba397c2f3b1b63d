import { inSlots, inSlotsWithStatus, results, row, rows, type BreachesByCheck, type Row } from '../breach-changes.ts';

export const deploymentSlotBreaches: BreachesByCheck = {
  'results.enrichment-slots': [
    [
      'rows in another order',
      'GET results: input_position must count from 0 in the order of the slots',
      'GET',
      results,
      inSlots((slot) => ({ ...slot, input_position: 5 - Number(slot['input_position']) })),
    ],
    [
      'a status that its reason codes contradict',
      'GET results: status must be the one that its reason codes belong to',
      'GET',
      results,
      inSlotsWithStatus('PARTIAL', { status: 'ENRICHED' }),
    ],
    [
      'codes that differ from reasons',
      'GET results: reasons must have the same codes as reason_codes',
      'GET',
      results,
      inSlotsWithStatus('PARTIAL', { reason_codes: ['NO_EMAIL_FOUND'] }),
    ],
    [
      'a duplicate that names no earlier row',
      'GET results: duplicate_of_input_position must be an earlier row when DUPLICATE, and null otherwise',
      'GET',
      results,
      inSlotsWithStatus('DUPLICATE', { duplicate_of_input_position: undefined }),
    ],
    [
      'an UNRESOLVED row with a company',
      'GET results: company must be null when UNRESOLVED',
      'GET',
      results,
      inSlotsWithStatus('UNRESOLVED', { company: { id: crypto.randomUUID() } }),
    ],
    [
      'an external_id that is lost',
      'GET results: external_id must be the one that was submitted for the row',
      'GET',
      results,
      inSlots(({ external_id: _id, ...slot }) => slot),
    ],
    [
      'a detail where the code has none',
      'reasons[].detail must be absent if the code has no detail',
      'GET',
      results,
      inReasons({ detail: 'x' }),
    ],
    [
      'a reason without a message',
      'reasons[].message must be a text, not empty and not the code',
      'GET',
      results,
      inReasons({ message: '' }),
    ],
    [
      'slots without reasons',
      'reason_codes must not be empty',
      'GET',
      results,
      inSlotsWithStatus('PARTIAL', { reason_codes: [], reasons: [] }),
    ],
    [
      'the code of legacy orders',
      'a new order must have no legacy reason code',
      'GET',
      results,
      inSlotsWithStatus('ENRICHED', { reason_codes: ['HISTORICAL_DELIVERY_CONFIRMED'] }),
    ],
    [
      'the code of discovery orders',
      'an enrichment order must have no RESULT_LIMIT_EXCEEDED',
      'GET',
      results,
      inSlotsWithStatus('PARTIAL', { reason_codes: ['RESULT_LIMIT_EXCEEDED'] }),
    ],
    [
      'an enriched row without a company',
      'company must be present when ENRICHED or PARTIAL',
      'GET',
      results,
      inSlotsWithStatus('ENRICHED', { company: null }),
    ],
    [
      'a duplicate without a company',
      'company must be present when DUPLICATE',
      'GET',
      results,
      inSlotsWithStatus('DUPLICATE', { company: null }),
    ],
  ],
  'results.discovery-slots': [
    [
      'a prospect with a removed field',
      'GET results: prospects must have no field that was removed from the specification',
      'GET',
      results,
      inSlots((slot) => ({ ...slot, company: { ...row(slot['company']), prospects: [{ bounce_risk_score: 1 }] } })),
    ],
    [
      'a discovered company that is PARTIAL',
      'GET results: status must be ENRICHED',
      'GET',
      results,
      inSlotsWithStatus('ENRICHED', { status: 'PARTIAL' }),
    ],
  ],
};

function inReasons(change: Row) {
  return inSlots((slot) => ({ ...slot, reasons: rows(slot['reasons']).map((reason) => ({ ...reason, ...change })) }));
}
