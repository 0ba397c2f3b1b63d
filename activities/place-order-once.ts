/** Places an order exactly once, also when answers are lost. */
import { activityInfo } from '@temporalio/activity';
import { nonRetryable } from '../src/base/failures/application-failure.ts';
import { assertKnownOrganization } from '../src/ledger/known-organization.ts';
import type { OrderRequest, Submission } from '../src/ledger/order-request-store.ts';
import { serviceScope } from '../src/ledger/shape-store.ts';
import { ProspectingError } from '../src/service/client/prospecting-error.ts';
import type { ListedOrder } from '../src/service/client/order-client.ts';
import { idempotencyKey } from '../src/service/client/idempotency-key.ts';
import { describeSuggestions, suggestSettings } from '../src/service/reading/order-requests.ts';

import type { FoundOrderId } from '../src/service/reading/find-record.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal } from './activity-heartbeat.ts';
import { isRecord } from '../src/base/json/own-property.ts';
import { withSentence } from '../src/base/text/normalize-text.ts';

interface OrderToPlace {
  readonly runName: string;
  readonly runKey: string;
  /** Called before a new request is stored. @throws ApplicationFailure if the order is not to be placed */
  readonly assertIntended: () => Promise<void>;
  /** Called once: the ledger keeps the body until the outcome of the order is known. */
  readonly toRequest: () => Promise<Omit<Submission, 'at'> & { readonly body: Body }>;
}

type Body = Readonly<Record<string, unknown>>;

/** Repeating the request finds an order more reliably than the order list. */
const attemptsBeforeList = 4;
/** Allowed difference between the clocks of the service and this machine. */
const clockToleranceMs = 2 * 60_000;
/** Further ids in an answer are ignored. */
const mostCandidates = 5;

/**
 * The id of the order. The ledger stores a request before it is sent, and repeats it under the same key until its outcome is known
 * ("Retry guidance"); an open request of an earlier run of that name goes first. The order list is read only when no answer has an id.
 */
export async function placeOrderOnce(dependencies: ActivityDependencies, order: OrderToPlace): Promise<string> {
  const { ledger } = dependencies;
  await assertKnownOrganization(dependencies, cancellationSignal());
  const unresolved = await ledger.orderRequests.unresolvedOf(order.runName);
  if (unresolved !== undefined) return send(dependencies, unresolved, { mayBePlaced: true });
  const request = await openRequest(dependencies, order);
  if (request.state === 'placed' && request.orderId !== null) return request.orderId;
  return send(dependencies, request, { mayBePlaced: false });
}

/**
 * The stored request, or a new one. A refused request is followed by one with another key, since its body may change. A new one is
 * compared with all others: when another run stores one meanwhile, it is compared again.
 */
async function openRequest({ ledger, now }: ActivityDependencies, order: OrderToPlace): Promise<OrderRequest> {
  const { runName, runKey, assertIntended, toRequest } = order;
  let generation = 0;
  for (;;) {
    const key = generation === 0 ? idempotencyKey('order', runKey) : idempotencyKey('order', runKey, generation);
    const compared = await ledger.orderRequests.count();
    const known = await ledger.orderRequests.get(key);
    if (known?.state === 'refused') {
      generation += 1;
      continue;
    }
    if (known !== undefined) return known;
    await assertIntended();
    const { body, ...submitted } = await toRequest();
    const bodyJson = JSON.stringify(body);
    const request = { idempotencyKey: key, runName, runKey, ...submitted, bodyJson, at: now().toISOString() };
    if (await ledger.orderRequests.open(request, compared)) return { ...request, state: 'open', orderId: null };
  }
}

async function send(
  dependencies: ActivityDependencies,
  request: OrderRequest,
  { mayBePlaced }: { mayBePlaced: boolean },
): Promise<string> {
  const { prospecting } = dependencies;
  const body = toBody(request);
  const place = () => prospecting.orders.place(body, request.idempotencyKey, { signal: cancellationSignal() });
  let isAccepted = false;
  try {
    const placed = await place();
    isAccepted = true;
    const found =
      (await confirmOrderId(dependencies, placed.candidates)) ??
      (await findListedOrder(dependencies, request)) ??
      (await confirmOrderId(dependencies, (await place()).candidates));
    if (found !== null) return await savePlaced(dependencies, request, found);
    throw outcomeUnknown(
      request,
      `the service accepted the order, but its answer has no order id (${placed.seen}; no Location header, no match in the order list)`,
    );
  } catch (error) {
    if (!(error instanceof ProspectingError)) throw error;
    if (error.isOutcomeUnknown) return await repeatOrFind(dependencies, request, error);
    return await handleErrorAnswer(dependencies, request, { error, body, mayBePlaced: mayBePlaced || isAccepted });
  }
}

/** Temporal repeats the request. When that does not help, for example because the service stores an error under the key, the list may. */
async function repeatOrFind(
  dependencies: ActivityDependencies,
  request: OrderRequest,
  error: ProspectingError,
): Promise<string> {
  const { attempt } = activityInfo();
  if (attempt < attemptsBeforeList) throw error;
  const found = await findListedOrder(dependencies, request).catch(() => null);
  if (found !== null) return savePlaced(dependencies, request, found);
  // The next answer would be as unreadable.
  if (error.facts.kind === 'unreadable') throw outcomeUnknown(request, error.message);
  throw error;
}

/** Reads from an error answer whether the order exists. */
async function handleErrorAnswer(
  dependencies: ActivityDependencies,
  request: OrderRequest,
  { error, body, mayBePlaced }: ErrorAnswer,
): Promise<string> {
  const { prospecting, ledger } = dependencies;
  const { kind, status = 0, code, fields = [] } = error.facts;
  if (kind !== 'http' || status === 408 || status === 429 || code === 'IDEMPOTENCY_KEY_IN_USE') throw error;
  if (status === 409) {
    // The service knows the key, so the order may exist.
    const ids = prospecting.orders.idsIn(error, body);
    const found = (await confirmOrderId(dependencies, ids)) ?? (await findListedOrder(dependencies, request));
    if (found !== null) return savePlaced(dependencies, request, found);
    if (mayBePlaced) throw outcomeUnknown(request, error.message);
  }
  // A rejected API key leaves open whether an earlier request placed the order.
  if (mayBePlaced && (status === 401 || status === 403)) throw error;
  await ledger.orderRequests.settle(request.idempotencyKey, { state: 'refused' });
  const proposals = suggestSettings(fields, prospecting.requests, body);
  throw proposals.length === 0
    ? error
    : nonRetryable('OrderRefused', withSentence(error.message, `Proposed: ${describeSuggestions(proposals)}`));
}

interface ErrorAnswer {
  readonly error: ProspectingError;
  readonly body: Body;
  readonly mayBePlaced: boolean;
}

function toBody({ bodyJson }: OrderRequest): Body {
  const body: unknown = JSON.parse(bodyJson ?? 'null');
  if (!isRecord(body)) throw new TypeError('an open order request has no body');
  return body;
}

/** @throws OrderOutcomeUnknown, non-retryable, if another request has placed that order: the id of the new one is then unknown */
async function savePlaced({ ledger }: ActivityDependencies, request: OrderRequest, orderId: string): Promise<string> {
  const { idempotencyKey: key } = request;
  if (await ledger.orderRequests.isPlacedByAnother(orderId, key))
    throw outcomeUnknown(request, `the service answered with the id of order ${orderId}, which was placed before`);
  await ledger.orderRequests.settle(key, { state: 'placed', orderId });
  return orderId;
}

/** The first candidate that is an order of the service. Its path in the answer is stored as part of the service's shape. */
async function confirmOrderId(
  dependencies: ActivityDependencies,
  candidates: readonly FoundOrderId[],
): Promise<string | null> {
  const { prospecting, ledger, now } = dependencies;
  for (const { orderId, at, isCertain } of candidates.slice(0, mostCandidates)) {
    if (!isCertain && !(await isOrder(dependencies, orderId))) continue;
    const scope = serviceScope(prospecting.baseUrl);
    const json = JSON.stringify({ order_id: at });
    await ledger.shapes.save({ scope, operation: 'createOrder', json, learntAt: now().toISOString() });
    return orderId;
  }
  return null;
}

async function isOrder({ prospecting }: ActivityDependencies, orderId: string): Promise<boolean> {
  try {
    await prospecting.orders.get(orderId, { signal: cancellationSignal() });
    return true;
  } catch (error) {
    const isRefused =
      error instanceof ProspectingError && error.facts.kind === 'http' && (error.facts.status ?? 500) < 500;
    if (isRefused) return false;
    throw error;
  }
}

/** The only listed order that matches the request and is not in the ledger; null also when there are several. */
async function findListedOrder(
  { prospecting, ledger }: ActivityDependencies,
  request: OrderRequest,
): Promise<string | null> {
  const listed = await prospecting.orders.list({ signal: cancellationSignal() });
  if (listed === null) return null;
  const found: string[] = [];
  for (const order of listed) {
    if (matchesRequest(order, request) && (await ledger.orders.get(order.order_id)) === undefined)
      found.push(order.order_id);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A wrong match would deliver the order of another run: every listed field must agree, and the creation time must be listed. */
function matchesRequest(order: ListedOrder, request: OrderRequest): boolean {
  const body = toBody(request);
  const isDiscovery = body['order_type'] === 'DISCOVERY';
  const quantity = isDiscovery
    ? body['briefing_quantity']
    : Array.isArray(body['companies'])
      ? body['companies'].length
      : null;
  const { title, profile_id: profileId, order_type: type, briefing_quantity: ordered, created_at: createdAt } = order;
  const agrees = (listed: unknown, requested: unknown) => listed === null || listed === requested;
  return (
    (title === null ? profileId === request.profileId : title === request.title) &&
    agrees(profileId, request.profileId) &&
    agrees(ordered, quantity) &&
    (type === null || /discover/i.test(type) === isDiscovery) &&
    createdAt !== null &&
    Date.parse(createdAt) >= Date.parse(request.at) - clockToleranceMs
  );
}

function outcomeUnknown({ title, idempotencyKey: key, runName }: OrderRequest, why: string) {
  return nonRetryable(
    'OrderOutcomeUnknown',
    `an order may have been placed: ${why}. Its title is ${JSON.stringify(title)}, its Idempotency-Key ${key}. Every run of ${runName} repeats this request under this key until the order is found`,
  );
}
