import {
  operations,
  reasonCodes,
  type OrderInput,
  type ReasonCodeName,
  type Slot,
} from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { createTestOrganization, type TestOrganization } from './test-organization.ts';

const outcomes = 'a server with selectable outcomes of rows';

export const controlledResultChecks: readonly Check[] = [
  {
    id: 'results.reason-codes',
    clause: 'Reason codes',
    title: 'each reason code of a row comes with its status, its message and its detail',
    needs: outcomes,
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      for (const [status, codes] of Object.entries(codesByStatus)) {
        for (const code of codes) await expectRowEndsWith(test, status, code);
      }
      await expectDetails(test);
    },
  },
  {
    id: 'results.order-codes',
    clause: 'Reason codes',
    title:
      'POLICY_ELIGIBLE, DUPLICATE_OF_SLOT, RESULT_LIMIT_EXCEEDED and the code of legacy orders come where they belong',
    needs: 'a server with selectable outcomes of orders',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const row = { company_name: 'Acme', website_url: 'https://acme.test' };
      const [first, , duplicate] = await enrich(test, [row, { company_name: 'Other' }, row]);
      expectReason(test, first, ['ENRICHED', 'POLICY_ELIGIBLE', undefined]);
      expectReason(test, duplicate, ['DUPLICATE', 'DUPLICATE_OF_SLOT', undefined]);
      test.expectEqual('the earlier row', duplicate?.duplicate_of_input_position, 0);
      const legacy = await test.readResults(await placeEnrichment(test, [row], 'outcome:HISTORICAL'));
      expectReason(test, legacy.items[0], ['ENRICHED', 'HISTORICAL_DELIVERY_CONFIRMED', undefined]);
      test.expectEqual('fully_enriched_count of a legacy order', legacy.summary.fully_enriched_count, 1);
      const order = { order_type: 'DISCOVERY', briefing_quantity: 2, title: 'outcome:RESULT_LIMIT_EXCEEDED' } as const;
      const page = await test.readResults(await test.finishOrder({ ...order, profile_id: await test.createProfile() }));
      const [within, beyond] = [page.items.slice(0, 2), page.items.slice(2)];
      for (const slot of within) expectReason(test, slot, ['ENRICHED', 'POLICY_ELIGIBLE', undefined]);
      test.probe.expect(beyond.length > 0, 'nothing was found outside the requested quantity');
      for (const slot of beyond) expectReason(test, slot, [slot.status, 'RESULT_LIMIT_EXCEEDED', undefined]);
      const { requested_count, fully_enriched_count, reasons } = page.summary;
      test.expectEqual('the summary', [requested_count, fully_enriched_count, reasons], [2, 2, []]);
    },
  },
  {
    id: 'results.every-status',
    clause: 'Result slot; Result summary; Results rule 4',
    title: 'an enrichment order with a row of every status returns every row, and its summary counts them',
    needs: outcomes,
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const orderId = await placeEnrichment(test, rowsOfEveryStatus);
      const { items, summary, total } = await test.readResults(orderId);
      const order = await test.probe.ask(operations.getOrder, 200, { params: { order_id: orderId } });
      const quantities = [order.briefing_quantity, order.available_briefing_quantity, total];
      test.expectEqual('quantities', quantities, [7, 7, 7]);
      const found = items.map((slot) => [
        slot.input_position,
        slot.status,
        slot.reason_codes.join(),
        'external_id' in slot ? slot.external_id : absent,
        'duplicate_of_input_position' in slot ? slot.duplicate_of_input_position : absent,
        slot.company === null ? null : (slot.company.source_id ?? 'none'),
      ]);
      test.expectEqual('slots', found, slotsOfEveryStatus);
      for (const { status, company } of items) {
        const contacts = company?.prospects?.length ?? 0;
        test.probe.expect(contacts > 0 === (status === 'ENRICHED'), `${contacts} contacts on ${status}`);
      }
      const { requested_count, fully_enriched_count, annotated_count } = summary;
      test.expectEqual('counts', [requested_count, fully_enriched_count, annotated_count], [7, 1, 6]);
      const counts = summary.reasons.map(({ code, count }) => `${code} ${count}`).toSorted();
      test.expectEqual('summary.reasons', counts, [
        'BLOCKED_FOR_REVIEW 1',
        'DUPLICATE_OF_SLOT 2',
        'UNRESOLVED_IDENTITY 1',
        'WEBSITE_MOVED 2',
      ]);
      for (const { label, message } of summary.reasons) {
        test.probe.expect(
          label !== undefined && label !== null && label.length < message.length,
          'label must be short',
        );
      }
      test.expectEqual('result_summary', order.result_summary, summary);
    },
  },
  {
    id: 'results.fewer-than-requested',
    clause: 'Result summary; Results rule 5',
    title: 'a discovery order that finds fewer companies returns those only, and counts the requested ones',
    needs: 'a server with selectable outcomes of orders',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const order = { order_type: 'DISCOVERY', briefing_quantity: 5, title: 'found:2' } as const;
      const page = await test.readResults(await test.finishOrder({ ...order, profile_id: await test.createProfile() }));
      const { requested_count, fully_enriched_count, annotated_count, reasons } = page.summary;
      test.expectEqual('counts', [requested_count, fully_enriched_count, annotated_count, reasons], [5, 2, 0, []]);
      const slots = page.items.map((slot) => [
        slot.input_position,
        slot.status,
        'external_id' in slot,
        'duplicate_of_input_position' in slot,
        (slot.company?.prospects ?? []).length > 0,
      ]);
      test.expectEqual('slots', slots, [
        [0, 'ENRICHED', false, false, true],
        [1, 'ENRICHED', false, false, true],
      ]);
    },
  },
];

const codesByStatus: Readonly<Record<string, readonly ReasonCodeName[]>> = {
  PARTIAL: [
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
  ],
  UNRESOLVED: ['UNRESOLVED_IDENTITY'],
  BLOCKED: ['BLOCKED_FOR_REVIEW'],
};

/** The second row is the same company as the first. */
const rowsOfEveryStatus = [
  { company_name: 'Acme', website_url: 'https://acme.test', external_id: 'crm-1' },
  { company_name: 'Acme', website_url: 'https://www.acme.test/about', external_id: 'crm-2' },
  { company_name: 'Moved', website_url: 'https://acme.website-moved.example' },
  { company_name: 'Nobody', website_url: 'https://acme.unresolved-identity.example', external_id: 'crm-4' },
  { company_name: 'Held', website_url: 'https://acme.blocked-for-review.example' },
  { company_name: 'Gone', website_url: 'https://other.website-moved.example' },
  { company_name: 'Acme', website_url: 'http://acme.test' },
];

/** An optional field that is left out, instead of null. */
const absent = 'absent';

/** Position, status, reason code, external_id, earlier row, and source_id of the company. */
const slotsOfEveryStatus = [
  [0, 'ENRICHED', 'POLICY_ELIGIBLE', 'crm-1', absent, 'crm-1'],
  [1, 'DUPLICATE', 'DUPLICATE_OF_SLOT', 'crm-2', 0, 'crm-2'],
  [2, 'PARTIAL', 'WEBSITE_MOVED', absent, absent, 'none'],
  [3, 'UNRESOLVED', 'UNRESOLVED_IDENTITY', 'crm-4', absent, null],
  [4, 'BLOCKED', 'BLOCKED_FOR_REVIEW', absent, absent, 'none'],
  [5, 'PARTIAL', 'WEBSITE_MOVED', absent, absent, 'none'],
  [6, 'DUPLICATE', 'DUPLICATE_OF_SLOT', absent, 0, 'none'],
];

type Rows = NonNullable<OrderInput['companies']>;

async function placeEnrichment(test: TestOrganization, companies: Rows, title = 'Enrichment'): Promise<string> {
  const profile_id = await test.createProfile();
  return test.finishOrder({ order_type: 'ENRICHMENT', profile_id, companies, title });
}

async function enrich(test: TestOrganization, companies: Rows, title?: string): Promise<readonly Slot[]> {
  return test.readSlots(await placeEnrichment(test, companies, title));
}

/** The sandbox ends a row with the code that its host names: `no-people-found.example`. */
function hostOf(code: ReasonCodeName): string {
  return `acme.${code.toLowerCase().replaceAll('_', '-')}.example`;
}

async function expectRowEndsWith(test: TestOrganization, status: string, code: ReasonCodeName): Promise<void> {
  const row = { company_name: 'Acme', website_url: `https://${hostOf(code)}` };
  const { items, summary } = await test.readResults(await placeEnrichment(test, [row]));
  const [slot] = items;
  const detail = slot?.reasons[0]?.detail;
  expectReason(test, slot, [status, code, reasonCodes[code].detail === 'none' ? undefined : detail]);
  const contacts = slot?.company?.prospects?.length ?? 0;
  test.expectEqual(`${code}: contacts`, contacts, 0);
  test.expectEqual(`${code}: company is null`, slot?.company === null, status === 'UNRESOLVED');
  const counts = summary.reasons.map((reason) => [reason.code, reason.count]);
  test.expectEqual(`${code}: summary`, counts, [[code, 1]]);
}

/** "the URL tried"; "the origin redirected to", which is not the company's own. */
async function expectDetails(test: TestOrganization): Promise<void> {
  const unreachable = `https://${hostOf('WEBSITE_UNREACHABLE')}`;
  const moved = `https://${hostOf('WEBSITE_MOVED')}`;
  const bare = `www.other-${hostOf('WEBSITE_UNREACHABLE')}`;
  const slots = await enrich(
    test,
    [unreachable, moved, bare].map((website_url, place) => ({ company_name: `Row ${place}`, website_url })),
  );
  const [tried, origin, triedBare] = slots.map(({ reasons }) => reasons[0]?.detail ?? '');
  test.expectEqual('the URL tried', tried, unreachable);
  test.expectEqual('the origin redirected to', URL.parse(origin ?? '')?.origin, origin);
  test.probe.expect(origin !== moved, "the origin redirected to must not be the company's own");
  test.probe.expect(URL.canParse(triedBare ?? ''), 'the URL tried must be a URL');
}

function expectReason(
  test: TestOrganization,
  slot: Slot | undefined,
  [status, code, detail]: readonly [string, ReasonCodeName, string | null | undefined],
): void {
  const reason = slot?.reasons[0];
  const found = [slot?.status, slot?.reason_codes, slot?.reasons.length, reason?.code, reason?.detail];
  test.expectEqual(code, found, [status, [code], 1, code, detail]);
  test.probe.expect(/^[A-Z].* /.test(reason?.message ?? ''), `${code}: message must be a text of several words`);
}
