import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { z } from 'zod';
import {
  activeOrderStatuses,
  companyRowSchema,
  unsuccessfulOrderStatuses,
  type OrderInput,
} from '../src/contract/index.ts';
import type { ReadOrder } from '../src/shape/read-answers.ts';
import { digest } from '../src/json/canonical-json.ts';
import type { ActivityTimeouts, RunPlan } from '../src/config/run-plan.ts';
import { checked, deliverySchema, runSchema, workflowKeySchema } from './checked-input.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { findConfiguredRun, planDelivery, planOrder } from './configured-run.ts';
import { formatTime, formatDuration } from '../src/text/format-time.ts';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import type { FailureType } from '../src/failures/failure-descriptions.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { placeOrderOnce } from './place-order-once.ts';
import { toStorableText } from '../src/text/storable.ts';

/** `runKey`: identity of the run; the order's idempotency key and the draft are named by it. */
const placeOrderSchema = z.object({ run: runSchema, runKey: workflowKeySchema });

interface OrderToPlace {
  readonly plan: RunPlan;
  readonly runKey: string;
  readonly profileId: string;
}

export interface PublishedOrder {
  readonly kind: 'discovery' | 'enrichment' | 'unknown';
  /** null: the order was not placed by a run. */
  readonly runName: string | null;
  readonly total: number;
  readonly externalIdsAreRecordIds: boolean;
}

/** A wait grows by this factor from poll to poll, up to the longest. */
const pollGrowth = 2;

export function createOrderActivities(clients: ActivityDependencies) {
  const { prospecting, ledger, now, configuration } = clients;
  return {
    /** Places the order under a key of the run: a lost answer is followed by the same request, which finds the same order. */
    placeOrder: checked(placeOrderSchema, async ({ run, runKey }) => {
      const { runName } = run;
      // An order that may exist is found whatever the configuration says now.
      const isRequested = await ledger.orderRequests.isRequested({ runName, runKey });
      const found = isRequested ? findConfiguredRun(clients, runName).plan : planOrder(clients, run);
      // What is sent and what is kept are the same title, which an order is found by.
      const plan = { ...found, title: toStorableText(found.title) };
      const orderId = await placeOrderOnce(clients, {
        runName,
        runKey,
        toRequest: async () => {
          const profileId = await readProfileId(plan);
          const input = await toOrderInput({ plan, runKey, profileId });
          return { title: plan.title, profileId, body: prospecting.orders.toBody(input) };
        },
      });
      const order = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
      const { externalIdsAreRecordIds } = plan.delivery;
      // What was submitted, not what the service says of it: later checks compare the two.
      const requested = plan.briefingQuantity ?? (await ledger.drafts.count(runKey));
      await ledger.orders.save({
        ...toFacts(order, requested),
        runName,
        kind: plan.kind,
        externalIdsAreRecordIds,
        features: plan.features,
        minDeliveredPercent: plan.minDeliveredPercent ?? null,
      });
      return { orderId, requested };
    }),

    /** Returns once the order is published. While it is not, the attempt fails as expected and Temporal tries again later. */
    awaitPublication: checked(deliverySchema, async ({ orderId, runName: deliveringRun }): Promise<PublishedOrder> => {
      const order = await prospecting.orders.get(orderId, { signal: cancellationSignal() });
      const known = await ledger.orders.get(orderId);
      const kind = toKind(order.order_type) === 'unknown' ? toKind(known?.kind) : toKind(order.order_type);
      // What was submitted decides, not which run an ingest names: a foreign id taken for a record id would hit somebody's record.
      const areRecordIds =
        known?.externalIdsAreRecordIds ??
        (await planDelivery(clients, { orderId, runName: deliveringRun })).externalIdsAreRecordIds;
      await ledger.orders.save({
        ...toFacts(order, known?.requestedCount || order.briefing_quantity || 0),
        runName: known?.runName ?? null,
        kind,
        externalIdsAreRecordIds: areRecordIds,
        features: order.features,
      });
      assertNotFailed(order);
      if (order.status !== 'COMPLETED') throw notPublishedYet(order, configuration.pace, now());
      if (!order.results_published) {
        throw nonRetryable(
          'OrderCompletedUnpublished',
          `order ${orderId} is COMPLETED, but its results were never published`,
        );
      }
      const total = order.available_briefing_quantity ?? (await readTotal(orderId));
      await ledger.orders.publish(orderId, { total, summaryJson: JSON.stringify(order.result_summary) });
      const runName = known?.runName ?? null;
      return { kind, runName, total, externalIdsAreRecordIds: areRecordIds };
    }),
  };

  /** Of the profile that the run has prepared. */
  async function readProfileId({ runName, profile }: RunPlan): Promise<string> {
    const known = await ledger.profiles.get(digest(profile));
    if (known?.profileId != null) return known.profileId;
    throw nonRetryable('ProfileNotPrepared', `the profile of run ${runName} is not in the ledger. Nothing was ordered`);
  }

  /** Of the blacklists that the run has synced. */
  async function readBlacklistIds({ exclusions }: RunPlan): Promise<string[]> {
    const ids: string[] = [];
    for (const { name, blacklist } of exclusions) {
      const known = await ledger.blacklists.get(blacklist);
      if (known === undefined)
        throw nonRetryable('ExclusionsNotSynced', `exclusions.${name} has never been synced. Nothing was ordered`);
      ids.push(known.blacklistId);
    }
    return ids;
  }

  async function toOrderInput({ plan, runKey, profileId }: OrderToPlace): Promise<OrderInput> {
    const common = {
      profile_id: profileId,
      title: plan.title,
      features: [...plan.features],
      ...overridesOf(plan),
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
    const draft = await ledger.drafts.read(runKey);
    return {
      ...common,
      order_type: 'ENRICHMENT',
      companies: z.array(companyRowSchema).parse(draft.map((json) => JSON.parse(json))),
    };
  }

  /** Of an order that does not tell how much it holds. */
  async function readTotal(orderId: string): Promise<number> {
    const { total } = await prospecting.results.page(orderId, 0, { signal: cancellationSignal() });
    if (total === null)
      throw nonRetryable(
        'ResultsInconsistent',
        `order ${orderId}: neither the order nor its results tell how many there are`,
      );
    return total;
  }
}

/** What an order may repeat of its profile, where `service.requests` says so. */
function overridesOf({ profile }: RunPlan) {
  const { ideal_customer_profile, seller_offering, target_countries } = profile;
  return { ideal_customer_profile, target_countries, ...(seller_offering === undefined ? {} : { seller_offering }) };
}

function toFacts({ order_id: orderId, status, profile_id: profileId }: ReadOrder, requestedCount: number) {
  return { orderId, status, profileId, requestedCount };
}

/** The service's word, or ours of an order that we placed. */
function toKind(word: string | null | undefined): PublishedOrder['kind'] {
  const kind = word?.toLowerCase() ?? '';
  if (kind.includes('enrich')) return 'enrichment';
  return kind.includes('discover') ? 'discovery' : 'unknown';
}

const endTypes = { REJECTED: 'OrderRejected', FAILED: 'OrderFailed', CANCELLED: 'OrderCancelled' } as const;

function assertNotFailed({ order_id, status }: ReadOrder): void {
  const ended = unsuccessfulOrderStatuses.find((candidate) => candidate === status);
  if (ended === undefined) return;
  throw nonRetryable(endTypes[ended], `order ${order_id} ended as ${status}`);
}

const notPublished = 'OrderNotPublished' satisfies FailureType;

/** Statuses that this version does not know are waited for, as the active ones. */
function notPublishedYet(
  { order_id, status }: ReadOrder,
  { orderFirstPollMs, orderLongestPollMs }: ActivityTimeouts,
  at: Date,
): ApplicationFailure {
  const known = activeOrderStatuses.some((active) => active === status);
  const delayMs = Math.round(
    Math.min(orderLongestPollMs, orderFirstPollMs * pollGrowth ** (activityInfo().attempt - 1)),
  );
  const due = new Date(at.getTime() + delayMs);
  return ApplicationFailure.create({
    type: notPublished,
    message: `order ${order_id} is ${status}${known ? '' : ', a status unknown to this version'}; next poll in ${formatDuration(delayMs)}, at ${formatTime(due)}`,
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}
