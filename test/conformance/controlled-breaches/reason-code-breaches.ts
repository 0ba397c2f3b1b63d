import {
  inBody,
  inSlots,
  inSummary,
  results,
  row,
  rows,
  someContact,
  inSlotsWithStatus,
  type Row,
  type BreachesByCheck,
} from '../breach-changes.ts';

const codesOfRows = [
  'HISTORICAL_POLICY_EXCLUDED',
  'WEBSITE_UNREACHABLE',
  'WEBSITE_MOVED',
  'WEBSITE_BLOCKED',
  'WEBSITE_EMPTY',
  'NO_PEOPLE_FOUND',
  'NO_EMAIL_FOUND',
  'NOT_PROCESSED',
  'REQUIRED_CONTACT_PATH_MISSING',
  'COMPANY_SCORE_BELOW_MINIMUM',
  'PROSPECT_SCORE_BELOW_MINIMUM',
  'UNRESOLVED_IDENTITY',
  'BLOCKED_FOR_REVIEW',
];

const hasCode = (slot: Row, code: string) => rows(slot['reasons'])[0]?.['code'] === code;
const withCode = (code: string, change: (slot: Row) => Row) =>
  inSlots((slot) => (hasCode(slot, code) ? { ...slot, ...change(slot) } : slot));
const inReason = (code: string, change: Row) =>
  withCode(code, ({ reasons }) => ({ reasons: rows(reasons).map((reason) => ({ ...reason, ...change })) }));
export const reasonCodeBreaches: BreachesByCheck = {
  'results.reason-codes': [
    ...codesOfRows.flatMap((code) => [
      [
        `${code} under another name`,
        `${code}: expected`,
        'GET',
        results,
        withCode(code, () => ({ reason_codes: ['OTHER'] })),
      ] as const,
      [
        `${code} with another status`,
        `${code}: expected`,
        'GET',
        results,
        withCode(code, () => ({ status: 'ENRICHED' })),
      ] as const,
      [
        `${code} without words`,
        `${code}: message must be a text of several words`,
        'GET',
        results,
        inReason(code, { message: code }),
      ] as const,
      [
        `${code} that the summary counts twice`,
        `${code}: summary`,
        'GET',
        results,
        inSummary(({ reasons }) => ({
          reasons: rows(reasons).map((reason) => (reason['code'] === code ? { ...reason, count: 2 } : reason)),
        })),
      ] as const,
    ]),
    [
      'a detail where none belongs',
      'NO_EMAIL_FOUND: expected',
      'GET',
      results,
      inReason('NO_EMAIL_FOUND', { detail: 'x' }),
    ],
    [
      'contacts on a row that has none',
      'WEBSITE_EMPTY: contacts',
      'GET',
      results,
      withCode('WEBSITE_EMPTY', ({ company }) => ({ company: { ...row(company), ...someContact } })),
    ],
    [
      'a company on a row without identity',
      'UNRESOLVED_IDENTITY: company is null',
      'GET',
      results,
      withCode('UNRESOLVED_IDENTITY', () => ({ company: { id: crypto.randomUUID() } })),
    ],
    [
      'another URL than the one tried',
      'the URL tried: expected',
      'GET',
      results,
      inReason('WEBSITE_UNREACHABLE', { detail: 'https://other.example' }),
    ],
    [
      'a tried URL that is none',
      'the URL tried must be a URL',
      'GET',
      results,
      inReason('WEBSITE_UNREACHABLE', { detail: 'www.other.example' }),
    ],
    [
      'a whole URL in place of the origin',
      'the origin redirected to',
      'GET',
      results,
      inReason('WEBSITE_MOVED', { detail: 'https://parking.example/a' }),
    ],
    [
      "the company's own origin",
      "the origin redirected to must not be the company's own",
      'GET',
      results,
      inReason('WEBSITE_MOVED', { detail: 'https://acme.website-moved.example' }),
    ],
  ],
  'results.order-codes': [
    [
      'an eligible row with a detail',
      'POLICY_ELIGIBLE: expected',
      'GET',
      results,
      inReason('POLICY_ELIGIBLE', { detail: 'x' }),
    ],
    [
      'a duplicate with a detail',
      'DUPLICATE_OF_SLOT: expected',
      'GET',
      results,
      inReason('DUPLICATE_OF_SLOT', { detail: 'x' }),
    ],
    [
      'a duplicate of another row',
      'the earlier row: expected 0',
      'GET',
      results,
      inSlotsWithStatus('DUPLICATE', { duplicate_of_input_position: 1 }),
    ],
    [
      'a legacy order without its code',
      'HISTORICAL_DELIVERY_CONFIRMED: expected',
      'GET',
      results,
      withCode('HISTORICAL_DELIVERY_CONFIRMED', () => ({ reason_codes: ['POLICY_ELIGIBLE'] })),
    ],
    [
      'a legacy order that counts nothing',
      'fully_enriched_count of a legacy order: expected 1, found 0',
      'GET',
      results,
      inSummary(() => ({ fully_enriched_count: 0 })),
    ],
    [
      'nothing beyond the quantity',
      'nothing was found outside the requested quantity',
      'GET',
      results,
      inBody(({ items }) => ({ items: rows(items).filter((slot) => !hasCode(slot, 'RESULT_LIMIT_EXCEEDED')) })),
    ],
    [
      'another code beyond the quantity',
      'RESULT_LIMIT_EXCEEDED: expected',
      'GET',
      results,
      withCode('RESULT_LIMIT_EXCEEDED', () => ({ reason_codes: ['NOT_PROCESSED'] })),
    ],
    [
      'a detail beyond the quantity',
      'RESULT_LIMIT_EXCEEDED: expected',
      'GET',
      results,
      inReason('RESULT_LIMIT_EXCEEDED', { detail: 'x' }),
    ],
    [
      'a summary that counts what is beyond the quantity',
      'the summary: expected [2,2,[]]',
      'GET',
      results,
      inSummary((_, { body }) =>
        rows(body['items']).some((slot) => hasCode(slot, 'RESULT_LIMIT_EXCEEDED')) ? { requested_count: 3 } : {},
      ),
    ],
  ],
};
