/** Compares an order as a whole: its sums, files, outputs, and what is missing in it. */
import { companyKey } from '../../ledger/identity.ts';
import type { OrderRow } from '../../ledger/order-store.ts';
import { boundWords } from '../../base/text/bound-text.ts';
import type { IdentityCheck } from '../checks/check.ts';
import type { Submission } from '../../ledger/order-request-store.ts';
import type { ReadOrder } from '../../service/reading/read-answers.ts';
import { toStorableText } from '../../base/text/storable.ts';
import {
  countDelivered,
  toDeliveryFindings,
  toMissingValueFindings,
  toOrderChecks,
  toOrderKind,
  toOutputFindings,
  type OrderFields,
} from '../checks/order-checks.ts';
import { isSameContent } from '../checks/slot-comparison.ts';
import { toFindings } from '../checks/slot-findings.ts';
import type { Finding } from '../report/order-report.ts';
import type { ProofContext } from './proof-context.ts';
import { checkFiles, reconcileServiceOutputs } from './reconcile-files.ts';

export type OrderToProve = OrderRow & { readonly total: number };
/** Slots by status. */
type StatusCounts = Readonly<Record<string, number>>;

/** The comparison of two sources for each sum of the order. */
export async function checkSums(
  context: ProofContext,
  stored: OrderRow,
  byStatus: StatusCounts,
): Promise<IdentityCheck[]> {
  const { orderId } = stored;
  const published = await context.prospecting.orders.get(orderId, { signal: context.signal });
  const kind = toOrderKind(stored.kind);
  const submission = await context.ledger.orderRequests.submission(orderId);
  const isSameSummary = isSameContent(JSON.parse(stored.summaryJson ?? 'null'), published.result_summary);
  const sums = toOrderChecks({
    status: published.status,
    resultsPublished: published.results_published,
    availableQuantity: published.available_briefing_quantity,
    briefingQuantity: published.briefing_quantity,
    summary: published.result_summary,
    kind,
    publishedKind: toOrderKind(published.order_type),
    submission,
    fields: toFields(stored, submission, published),
    slots: await context.ledger.slots.count(orderId),
    byStatus,
    annotatedByReason: kind === 'enrichment' ? await countAnnotated(context, orderId) : {},
  });
  return [
    ...sums,
    ...(await checkSourceRows(context, orderId)),
    ...(kind === 'discovery' ? [await checkRepeated(context, orderId)] : []),
    {
      code: 'summary_changed_since_collection',
      expectedFrom: 'summary at collection',
      expected: 1,
      foundIn: 'summary of the service',
      found: Number(isSameSummary),
    },
  ];
}

/** What was ordered, or what the service returned when the results were collected; null: neither is known. */
function toFields(stored: OrderRow, submission: Submission | null, published: ReadOrder): OrderFields {
  const toWords = (words: readonly string[] | null | undefined) =>
    words?.map((word) => word.toUpperCase()).toSorted() ?? null;
  const ordered = toWords(stored.features);
  // A service that takes no features in an order may answer with an empty list. Features beyond the ordered ones are accepted.
  const answered = published.features?.length === 0 ? null : toWords(published.features);
  const kept = answered?.filter((word) => ordered?.includes(word) === true) ?? null;
  const toTitle = (title: string | null | undefined) =>
    title == null ? null : toStorableText(title).replaceAll(/\s+/g, ' ').trim();
  return {
    order_id: { sent: stored.orderId, returned: null, now: published.order_id },
    profile_id: { sent: submission?.profileId ?? null, returned: stored.profileId, now: published.profile_id },
    features: { sent: ordered?.join(' ') ?? null, returned: null, now: kept?.join(' ') ?? null },
    title: { sent: toTitle(submission?.title), returned: toTitle(stored.title), now: toTitle(published.title) },
  };
}

/** Every usable row of the source was ordered, excluded or rejected. Empty for orders that left no row out. */
async function checkSourceRows(context: ProofContext, orderId: string): Promise<IdentityCheck[]> {
  const report = (await context.ledger.drafts.ofOrder(orderId))?.report;
  if (report?.excluded === undefined && report?.rejected === undefined) return [];
  const expected = report.rows - report.blank - report.unusable;
  const rejected = (await context.ledger.rejectedRows.countOf([orderId])).get(orderId) ?? 0;
  const found =
    (await context.ledger.slots.count(orderId)) + (await context.ledger.excludedRows.count(orderId)) + rejected;
  const sources = { expectedFrom: 'rows of the source', foundIn: 'slots, excluded and rejected rows in the ledger' };
  return [{ code: 'source_rows_differ', ...sources, expected, found }];
}

/** A discovery delivers each company once. In an enrichment, a row that repeats a company is a DUPLICATE. */
async function checkRepeated(context: ProofContext, orderId: string): Promise<IdentityCheck> {
  const parse = await context.ledger.slots.parser(orderId);
  const keys = new Set<string>();
  let companies = 0;
  for await (const slots of context.ledger.slots.stream(orderId)) {
    for (const stored of slots) {
      const { company, status } = parse(stored).slot;
      const key = company === null || status !== 'ENRICHED' ? null : companyKey(company);
      if (key === null) continue;
      companies += 1;
      keys.add(key);
    }
    context.recordProgress(slots.at(-1)?.position ?? 0);
  }
  const sources = { expectedFrom: 'enriched slots in the ledger', foundIn: 'different companies in them' };
  return { code: 'company_delivered_twice', ...sources, expected: companies, found: keys.size };
}

/** Findings of the order as a whole, one list for each subject. */
export async function checkOrder(
  context: ProofContext,
  stored: OrderToProve,
  byStatus: StatusCounts,
): Promise<Finding[][]> {
  const { orderId } = stored;
  const delivery = toDeliveryFindings({
    kind: toOrderKind(stored.kind),
    ordered: stored.requestedCount,
    delivered: countDelivered(byStatus),
    minDeliveredPercent: stored.minDeliveredPercent,
  });
  return [
    delivery,
    await checkFiles(context, orderId, stored.delivery),
    await reconcileServiceOutputs(context, stored),
    await readLeaks(context, orderId, stored.total),
    toMissingValueFindings(await context.ledger.shapes.ofOrder(orderId), {
      features: stored.features ?? null,
      maxWithoutPeoplePercent: stored.maxWithoutPeoplePercent,
    }),
    await checkWebsites(context, orderId),
    toOutputFindings(await context.ledger.outputs.list(orderId)),
  ];
}

/** Slots that are not ENRICHED, by reason code. The summary of the service does not count codes of enriched slots. */
async function countAnnotated(context: ProofContext, orderId: string): Promise<Record<string, number>> {
  const counts = new Map<string, number>();
  for await (const slots of context.ledger.slots.stream(orderId)) {
    for (const { status, reasonCodes } of slots) {
      if (status === 'ENRICHED') continue;
      for (const code of boundWords(reasonCodes)) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    context.recordProgress(slots.at(-1)?.position ?? 0);
  }
  return Object.fromEntries(counts);
}

/** The texts are not fetched again: each is compared with its digest at the time it was fetched. */
async function checkWebsites({ ledger }: ProofContext, orderId: string): Promise<Finding[]> {
  const { failed, changed } = await ledger.websites.findProblems(orderId);
  return toFindings([
    ...failed.map((position) => ({ code: 'website_text_not_fetched', position })),
    ...changed.map((position) => ({ code: 'website_text_changed', position })),
  ]);
}

/** Companies that the service should not have returned. The verdicts LATE and WEAK are no findings. */
async function readLeaks(context: ProofContext, orderId: string, total: number): Promise<Finding[]> {
  const verdicts = await context.ledger.leaks.read(orderId, { from: 0, to: total });
  const leaks = [...verdicts].filter(([, { verdict }]) => verdict === 'LEAK');
  return toFindings(leaks.map(([position]) => ({ code: 'exclusion_leak', position })));
}
