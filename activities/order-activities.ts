import type { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import {
  activeOrderStatuses,
  prospectSearchIdOf,
  unsuccessfulOrderStatuses,
  type OrderInput,
} from '../src/service/contract/index.ts';
import { guessOrderKind, toOrderKind, type OrderKind } from '../src/proof/checks/order-checks.ts';
import type { ReadOrder } from '../src/service/reading/read-answers.ts';
import { digest } from '../src/base/json/canonical-json.ts';
import type { PollingConfig } from '../src/config/polling-settings.ts';
import type { RunPlan } from '../src/config/run-plan.ts';
import {
  checked,
  countSchema,
  deliverySchema,
  digestSchema,
  runNameSchema,
  runSchema,
  workflowKeySchema,
} from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { findConfiguredRun, planDelivery, planOrder } from './configured-run.ts';
import { formatTime, formatDuration } from '../src/base/text/format-time.ts';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import type { FailureType } from '../src/base/failures/failure-descriptions.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { placeOrderOnce } from './place-order-once.ts';
import { pollAgain } from './poll-again.ts';
import { toDestination } from './service-output-row.ts';
import { toStorableText } from '../src/base/text/storable.ts';
import { writeRejectsFile } from '../src/delivery/files/rejects-file.ts';
import { draftCompanies } from './draft-companies.ts';
import { readBlacklistId } from '../src/companies/exclusions/existing-blacklist.ts';
import { toOrderTexts } from '../src/config/profile-settings.ts';
import { assertIntended } from '../src/companies/purchases/assert-intended.ts';

/** `runKey`: identity of the run; the draft and the idempotency key of the order derive from it. */
const orderSchema = z.object({ run: runSchema, runKey: workflowKeySchema });

/** `isConfirmed`: a user or a schedule accepts what looks like a mistake. */
const placementSchema = orderSchema.extend({ isConfirmed: z.boolean().default(false) });

/** `excluding`: snapshots of the blacklists of the run's exclusions. */
const draftSchema = orderSchema.extend({
  excluding: z.array(z.object({ name: runNameSchema, digest: digestSchema })).default([]),
  announced: z.object({ rows: countSchema, digest: digestSchema }).nullable().default(null),
});

interface OrderToPlace {
  readonly plan: RunPlan;
  readonly runKey: string;
  readonly profileId: string;
}

export interface PublishedOrder {
  readonly kind: OrderKind;
  /** null when no run placed the order. */
  readonly runName: string | null;
  readonly total: number;
}

export function createOrderActivities(dependencies: ActivityDependencies) {
  const { prospecting, ledger, now, configuration } = dependencies;
  return {
    /** Stores the companies of an enrichment order once, so that every attempt to place it sends the same bytes. */
    draftOrder: checked(draftSchema, async ({ run, runKey, ...options }) => {
      // A retry uses the stored draft: the file may have changed or been deleted since.
      const stored = await ledger.drafts.source(runKey);
      const source =
        stored ?? (await draftCompanies(dependencies, planOrder(dependencies, run), { runKey, ...options }));
      // Read from the ledger, so that the file of a retry is the same.
      await writeRejectsFile(ledger, runKey, source, { now, signal: cancellationSignal() });
      const { report } = source;
      return { rows: report.ordered, unusable: report.unusable, source: report };
    }),

    /** Places the order under an idempotency key of the run, so that a retry after a lost answer finds the same order. */
    placeOrder: checked(placementSchema, async ({ run, runKey, isConfirmed }) => {
      const { runName } = run;
      // An order that was requested before is found even if the configuration has changed since.
      const isRequested = await ledger.orderRequests.isRequested({ runName, runKey });
      const found = isRequested ? findConfiguredRun(dependencies, runName).plan : planOrder(dependencies, run);
      // The stored title equals the sent one: an order is found in the list by its title.
      const plan = { ...found, title: toStorableText(found.title) };
      const orderId = await placeOrderOnce(dependencies, {
        runName,
        runKey,
        assertIntended: () => assertIntended(dependencies, plan, { runKey, isConfirmed }),
        toRequest: async () => {
          const profileId = await readProfileId(plan);
          const input = await toOrderInput({ plan, runKey, profileId });
          const quantity = input.companies?.length ?? plan.briefingQuantity ?? 0;
          return { title: plan.title, profileId, kind: plan.kind, quantity, body: prospecting.orders.toBody(input) };
        },
      });
      const order = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
      const { externalIdsAreRecordIds } = plan.delivery;
      // The submitted quantity, so that later checks can compare it with the service's.
      const submission = await ledger.orderRequests.submission(orderId);
      const requested = submission?.quantity ?? plan.briefingQuantity ?? (await ledger.drafts.count(runKey));
      await ledger.orders.save({
        ...toFacts(order, requested),
        runName,
        kind: plan.kind,
        externalIdsAreRecordIds,
        features: plan.features,
        minDeliveredPercent: plan.minDeliveredPercent,
        maxWithoutPeoplePercent: plan.maxWithoutPeoplePercent,
      });
      return { orderId, requested };
    }),

    /** Polls once. Fails as a benign retry until the order is published. */
    awaitPublication: checked(deliverySchema, async (delivery): Promise<PublishedOrder> => {
      const { orderId, runName: deliveringRun } = delivery;
      const order = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
      const known = await ledger.orders.get(orderId);
      const runName = known?.runName ?? null;
      const kind = await readKind(order, known?.kind, deliveringRun);
      const plan = planDelivery(dependencies, delivery);
      await ledger.orders.save({
        ...toFacts(order, known?.requestedCount || order.briefing_quantity || 0),
        runName,
        kind,
        // Both the submission and the delivering run must say so: a run named by mistake, and a setting that was corrected after the
        // order, would update unrelated CRM records.
        externalIdsAreRecordIds: plan.externalIdsAreRecordIds && known?.externalIdsAreRecordIds !== false,
        features: order.features,
        title: order.title ? toStorableText(order.title) : null,
        deliveringRun,
      });
      assertNotFailed(order);
      if (order.status !== 'COMPLETED') throw notPublishedYet(order, configuration.polling, now());
      if (!order.results_published) {
        const profileId = order.profile_id ?? known?.profileId ?? null;
        const searchId = profileId === null ? 'PROSPECT_SEARCH_ID' : prospectSearchIdOf({ profile_id: profileId });
        throw nonRetryable(
          'OrderCompletedUnpublished',
          `order ${orderId} is COMPLETED, but its results were not published. To write the companies of its profile to HubSpot, marked as unproved, run: prospect-sync ingest --legacy ${searchId} --run ${deliveringRun}`,
        );
      }
      const total = order.available_briefing_quantity ?? (await readTotal(orderId));
      await ledger.orders.publish(orderId, { total, summaryJson: JSON.stringify(order.result_summary) });
      await ledger.orders.saveDelivery(orderId, {
        crm: plan.crm !== null,
        spreadsheets: plan.spreadsheets?.kinds ?? [],
        serviceOutputs: (plan.serviceOutputs?.wanted ?? []).map(toDestination),
      });
      return { kind, runName, total };
    }),
  };

  /** Order of precedence: the stored request, the answer of the service, an earlier ingest, the sums, and the named run. */
  async function readKind(order: ReadOrder, knownKind: string | undefined, runName: string): Promise<OrderKind> {
    const { order_id: orderId, result_summary: summary, available_briefing_quantity: total } = order;
    const run = configuration.findRun(runName);
    const kinds = [
      (await ledger.orderRequests.submission(orderId))?.kind,
      toOrderKind(order.order_type),
      toOrderKind(knownKind),
      total === null ? 'unknown' : guessOrderKind({ total, summary }),
      run?.plan.kind,
    ];
    return kinds.find((kind) => kind !== undefined && kind !== 'unknown') ?? 'unknown';
  }

  async function readProfileId({ runName, profile }: RunPlan): Promise<string> {
    const known = await ledger.profiles.get(digest(profile));
    if (known?.profileId != null) return known.profileId;
    throw nonRetryable('ProfileNotPrepared', `the profile of run ${runName} is not in the ledger. Nothing was ordered`);
  }

  async function readBlacklistIds({ exclusions }: RunPlan): Promise<string[]> {
    const ids: string[] = [];
    for (const exclusion of exclusions) {
      if (exclusion.attach === 'search') continue;
      const id = await readBlacklistId(ledger, exclusion);
      if (id === undefined)
        throw nonRetryable(
          'ExclusionsNotSynced',
          `exclusions.${exclusion.name} has never been synced. Nothing was ordered`,
        );
      ids.push(id);
    }
    return ids;
  }

  async function toOrderInput({ plan, runKey, profileId }: OrderToPlace): Promise<OrderInput> {
    const common = {
      profile_id: profileId,
      title: plan.title,
      features: [...plan.features],
      ...toOrderTexts(plan),
      ...(plan.webhookUrl === null ? {} : { webhook_url: plan.webhookUrl }),
    };
    if (plan.kind === 'discovery') {
      const blacklistIds = await readBlacklistIds(plan);
      return {
        ...common,
        order_type: 'DISCOVERY',
        ...(plan.briefingQuantity === null ? {} : { briefing_quantity: plan.briefingQuantity }),
        ...(blacklistIds.length === 0 ? {} : { blacklist_ids: blacklistIds }),
      };
    }
    return { ...common, order_type: 'ENRICHMENT', companies: await ledger.drafts.read(runKey) };
  }

  /** For orders without `available_briefing_quantity`. */
  async function readTotal(orderId: string): Promise<number> {
    const { total } = await prospecting.results.page(orderId, 0, { signal: cancellationSignal() });
    if (total === null)
      throw nonRetryable('ResultsInconsistent', `order ${orderId}: neither the order nor its results have a total`);
    return total;
  }
}

function toFacts({ order_id: orderId, status, profile_id: profileId }: ReadOrder, requestedCount: number) {
  return { orderId, status, profileId, requestedCount };
}

const endTypes = { REJECTED: 'OrderRejected', FAILED: 'OrderFailed', CANCELLED: 'OrderCancelled' } as const;

function assertNotFailed({ order_id, status }: ReadOrder): void {
  const ended = unsuccessfulOrderStatuses.find((candidate) => candidate === status);
  if (ended === undefined) return;
  throw nonRetryable(endTypes[ended], `order ${order_id} ended as ${status}`);
}

const notPublished = 'OrderNotPublished' satisfies FailureType;

/** Unknown statuses are polled like active ones. */
function notPublishedYet(
  { order_id, status }: ReadOrder,
  { orderFirstMilliseconds, orderMaxMilliseconds }: PollingConfig,
  at: Date,
): ApplicationFailure {
  const known = activeOrderStatuses.some((active) => active === status);
  const delays = { firstMs: orderFirstMilliseconds, longestMs: orderMaxMilliseconds };
  return pollAgain(notPublished, delays, (delayMs) => {
    const due = new Date(at.getTime() + delayMs);
    return `order ${order_id} is ${status}${known ? '' : ', a status unknown to this version'}; next poll in ${formatDuration(delayMs)}, at ${formatTime(due)}`;
  });
}
