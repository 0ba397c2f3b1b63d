/** Fills a ledger for `console.ts`: with SQL, which is the same for both databases, because the stores would need an hour. */
import type { Ledger } from '../src/ledger/ledger.ts';

export interface LedgerSize {
  readonly orders: number;
  readonly rows: number;
}

export interface FilledOrder {
  readonly orderId: string;
  /** Rows, from position 0. */
  readonly size: number;
}

/** Of the first order. */
const largestShare = 10;
/** Of 100 rows, so many have a company that is in an earlier row too. */
const repeatedPercent = 30;

/** A company that is in the first row of each order. */
export const everywhere = { name: 'everywhere', domain: 'everywhere.example' } as const;

export const companyOf = (number: number) => ({
  name: `company ${10_000_000 + number}`,
  domain: `company-${10_000_000 + number}.example`,
  email: `jane@company-${10_000_000 + number}.example`,
  recordId: String(5_000_000_000 + number),
  externalId: `ext-${10_000_000 + number}`,
});

/** The newest order is the last one; the first has a tenth of the rows. */
export async function fillOrders(
  ledger: Ledger,
  run: (statement: string) => Promise<void>,
  { orders, rows }: LedgerSize,
): Promise<FilledOrder[]> {
  const largest = Math.floor(rows / largestShare);
  const others = Math.floor((rows - largest) / (orders - 1));
  const filled = Array.from({ length: orders }, (_, number) => ({
    orderId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    size: number === 0 ? largest : others,
  }));
  const companies = Math.floor((rows * (100 - repeatedPercent)) / 100);
  let start = 0;
  for (const [number, { orderId, size }] of filled.entries()) {
    await fillFacts(ledger, filled[number] ?? { orderId, size }, number);
    // 7919 is prime: the companies of an order are spread over all of them, as domains are.
    const company = `(cast(${start} + n.position as bigint) * 7919 % ${companies})`;
    // Each tenth order was delivered twice; of the largest one, every tenth row was retried.
    const repeated = number === 0 ? 'n.position % 100 < 8' : number % 10 === 0 ? 'n.position % 10 < 8' : null;
    await run(rowsOf(orderId, { size, company, repeated }));
    start += size;
  }
  await run(inboxOf({ replies: Math.floor(rows / 20), suppressed: Math.floor(rows / 200), companies }));
  return filled;
}

async function fillFacts(ledger: Ledger, { orderId, size }: FilledOrder, number: number): Promise<void> {
  const facts = { orderId, runName: `run ${number % 12}`, kind: 'discovery', status: 'COMPLETED', profileId: null };
  await ledger.orders.save({ ...facts, requestedCount: size, externalIdsAreRecordIds: false });
  await ledger.orders.publish(orderId, { total: size, summaryJson: '{}' });
  await ledger.orders.saveDelivered(orderId, Math.floor(size * 0.8));
  const findingsJson = number % 7 === 0 ? '[{"code":"LEAKS","count":3}]' : '[]';
  const certificate = { orderId, reconciled: size, total: size, findingsJson, documentJson: '{}', path: '/evidence' };
  for (const day of ['24', '25'])
    await ledger.certificates.save({ ...certificate, at: `2026-11-${day}T07:00:00.000Z` });
}

interface OrderRows {
  readonly size: number;
  /** SQL for the number of the company at a position. */
  readonly company: string;
  /** SQL for the rows of a second pass. */
  readonly repeated: string | null;
}

function rowsOf(orderId: string, { size, company, repeated }: OrderRows): string {
  const at = `'2026-11-25T07:00:00.000Z'`;
  const positions = `with recursive n(position) as (select 0 union all select position + 1 from n where position + 1 < ${size})`;
  const items = `${positions}, items(item, number) as (select 'company', 0 union all select 'contact:0', 1 union all select 'contact:1', 2)`;
  const status = `case when n.position % 10 < 6 then 'ENRICHED' when n.position % 10 < 8 then 'PARTIAL' when n.position % 100 = 99 then 'BLOCKED' else 'UNRESOLVED' end`;
  const reason = `case when n.position % 10 < 6 then 'POLICY_ELIGIBLE' when n.position % 10 < 8 then 'NO_EMAIL_FOUND' when n.position % 1000 = 999 then 'RARE_REASON' else 'NOT_FOUND' end`;
  const outcome = (pass: number) =>
    pass === 2
      ? `'unchanged'`
      : `case n.position % 5 when 0 then 'updated' when 1 then 'skipped' when 2 then 'quarantined' else 'created' end`;
  const passes = [
    { pass: 1, rows: 'n.position % 10 < 8' },
    ...(repeated === null ? [] : [{ pass: 2, rows: repeated }]),
  ];
  return [
    `insert into order_requests (idempotency_key, run_name, run_key, title, profile_id, kind, quantity, state, order_id, at)
      values ('${orderId}', 'run', 'draft ${orderId}', 'title', 'profile', 'discovery', ${size}, 'placed', '${orderId}', ${at})`,
    `insert into slots ${positions} select '${orderId}', n.position, 'hash', ${status}, '["' || ${reason} || '"]',
      'ext-' || (10000000 + ${company}), '${JSON.stringify({ text: 'x'.repeat(1_000) })}' from n`,
    `insert into slot_reasons ${positions} select '${orderId}', ${reason}, n.position from n`,
    `insert into company_index ${positions} select 'slot', '${orderId}', n.position,
      case n.position when 0 then '${everywhere.domain}' else 'company-' || (10000000 + ${company}) || '.example' end,
      case n.position when 0 then '${everywhere.name}' else 'company ' || (10000000 + ${company}) end from n`,
    ...passes.flatMap(({ pass, rows }) => [
      `insert into passes values ('${orderId}', ${pass}, 'pass-${pass}')`,
      `insert into outcomes (order_id, sink, position, item, pass, projection_id, planned, outcome, rule, record_id, match_key, matched_by, at)
        ${items} select '${orderId}', 'hubspot', n.position, items.item, ${pass}, 'pass-${pass}', 'update', ${outcome(pass)}, null,
        cast(5000000000 + number * 1000000000 + ${company} as text),
        case number when 0 then 'company-' || (10000000 + ${company}) || '.example' else 'hmac:' || number || '-' || ${company} end,
        'domain', ${at} from n, items where ${rows}`,
    ]),
    ...['companies', 'contacts'].map(
      (object) => `insert into value_changes ${positions} select '${orderId}', '${object}',
        cast(7000000000 + n.position as text), ${at}, '{"city":{"before":"Ulm","after":"Bonn"},"phone":{"before":"","after":"1"}}'
        from n where n.position % 10 = 0`,
    ),
  ].join(';\n');
}

function inboxOf({ replies, suppressed, companies }: Record<'replies' | 'suppressed' | 'companies', number>): string {
  const numbers = (count: number) =>
    `with recursive n(number) as (select 0 union all select number + 1 from n where number + 1 < ${count})`;
  const at = `'2026-11-25T07:00:00.000Z'`;
  const body = `'{"data":{"prospect_email":"jane@company-' || (10000000 + number * 11 % ${companies}) || '.example","reply_text":"${'I am out of the office. '.repeat(60)}"}}'`;
  return [
    `insert into replies (webhook_id, received_at, state, classification, body, deliveries, due_at)
      ${numbers(replies)} select 'msg_' || number, ${at}, case number % 50 when 0 then 'quarantined' else 'processed' end, 'out_of_office', ${body}, 1, ${at} from n`,
    `insert into suppressions (kind, key, value, added_at, added_by, reason)
      ${numbers(suppressed)} select 'company', 'company-' || (10000000 + number * 13) || '.example', 'company-' || (10000000 + number * 13) || '.example', ${at}, 'bench', 'asked' from n`,
  ].join(';\n');
}
