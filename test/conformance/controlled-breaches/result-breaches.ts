import {
  counted,
  inBody,
  inPage,
  inSlots,
  inSummary,
  oneOrder,
  results,
  row,
  rows,
  someContact,
  where,
  type BreachesByCheck,
} from '../breach-changes.ts';

export const resultBreaches: BreachesByCheck = {
  'results.snapshot': [
    [
      'pages that change from day to day',
      'pages of three',
      'GET',
      results,
      counted((seen, time) => inSlots((slot) => ({ ...slot, delivered_at: toTime(time) }))(seen)),
    ],
    [
      'a set that is smaller at the end',
      'the whole set again',
      'GET',
      results,
      counted(({ body }, time) =>
        time === 5 ? { body: { ...body, items: rows(body['items']).slice(1) } } : undefined,
      ),
    ],
    ['a has_more that ends too soon', 'has_more: expected true', 'GET', results, inBody(() => ({ has_more: false }))],
    [
      'a has_more without an end',
      'total and has_more',
      'GET',
      results,
      inPage('?limit=100', () => ({ has_more: true })),
    ],
  ],
  'results.page-size': [
    [
      'a smaller page without a limit',
      'page {}',
      'GET',
      results,
      inPage('', ({ items }) => ({ items: rows(items).slice(9) })),
    ],
    [
      'a page of 50 at most',
      'page {"limit":100}',
      'GET',
      results,
      inPage('?limit=100', ({ items }) => ({ items: rows(items).slice(50) })),
    ],
    [
      'more after the last page',
      'page {"limit":100,"offset":100}',
      'GET',
      results,
      inPage('?limit=100&offset=100', () => ({ has_more: true })),
    ],
    [
      'another total on a small page',
      'page {"limit":1,',
      'GET',
      results,
      inPage('?limit=1&offset=0', () => ({ total: 1 })),
    ],
  ],
  'results.every-status': [
    [
      'a row that is left out',
      'slots: expected',
      'GET',
      results,
      inBody(({ items }) => ({ items: rows(items).slice(1) })),
    ],
    ['null for a field that is left out', 'slots: expected', 'GET', results, where('PARTIAL', { external_id: null })],
    [
      'an earlier row on a row that is no duplicate',
      'slots: expected',
      'GET',
      results,
      where('BLOCKED', { duplicate_of_input_position: 0 }),
    ],
    [
      'another source_id',
      'slots: expected',
      'GET',
      results,
      inSlots((slot) => (slot['company'] ? { ...slot, company: { ...row(slot['company']), source_id: 'x' } } : slot)),
    ],
    [
      'contacts on a duplicate',
      '1 contacts on DUPLICATE',
      'GET',
      results,
      inSlots((slot) =>
        slot['status'] === 'DUPLICATE' ? { ...slot, company: { ...row(slot['company']), ...someContact } } : slot,
      ),
    ],
    [
      'an enriched row without contacts',
      '0 contacts on ENRICHED',
      'GET',
      results,
      inSlots((slot) =>
        slot['status'] === 'ENRICHED' ? { ...slot, company: { ...row(slot['company']), prospects: [] } } : slot,
      ),
    ],
    [
      'fewer available than submitted',
      'quantities: expected [7,7,7]',
      'GET',
      oneOrder,
      inBody(() => ({ available_briefing_quantity: 6 })),
    ],
    ['a count that is wrong', 'counts: expected [7,1,6]', 'GET', results, inSummary(() => ({ annotated_count: 5 }))],
    [
      'a reason that is not counted',
      'summary.reasons: expected',
      'GET',
      results,
      inSummary(({ reasons }) => ({ reasons: rows(reasons).slice(1) })),
    ],
    [
      'a label as long as the message',
      'label must be short',
      'GET',
      results,
      inSummary(({ reasons }) => ({
        reasons: rows(reasons).map((reason) => ({ ...reason, label: reason['message'] })),
      })),
    ],
    [
      'another summary on the order',
      'result_summary: expected',
      'GET',
      oneOrder,
      inBody(({ result_summary: summary }) => ({ result_summary: { ...row(summary), annotated_count: 5 } })),
    ],
  ],
  'results.fewer-than-requested': [
    ['a count of the found companies', 'counts: expected', 'GET', results, inSummary(() => ({ requested_count: 2 }))],
    ['a company that is not enriched', 'slots: expected', 'GET', results, where('ENRICHED', { status: 'PARTIAL' })],
    [
      'an external_id that was not submitted',
      'slots: expected',
      'GET',
      results,
      where('ENRICHED', { external_id: 'x' }),
    ],
    [
      'companies without contacts',
      'slots: expected',
      'GET',
      results,
      inSlots((slot) => ({ ...slot, company: { ...row(slot['company']), prospects: [] } })),
    ],
  ],
};

function toTime(count: number): string {
  return `2026-11-01T10:00:00.${String(count).padStart(6, '0')}Z`;
}
