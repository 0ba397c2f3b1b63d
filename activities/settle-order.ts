/** Places an order so that it exists once, whatever becomes of the answers. */
import { activityInfo } from '@temporalio/activity';
import { nonRetryable } from '../src/failures/non-retryable.ts';
import type { OrderRequest } from '../src/ledger/order-requests.ts';
import { serviceScope } from '../src/ledger/shapes.ts';
import { ProspectingError } from '../src/prospecting/prospecting-error.ts';
import type { ListedOrder } from '../src/prospecting/orders.ts';
import { idempotencyKey } from '../src/prospecting/idempotency-key.ts';
import { describeSuggestions, suggestSettings } from '../src/shape/suggest-settings.ts';
import { isRecord } from '../src/shape/flatten-record.ts';
import type { FoundOrderId } from '../src/shape/find-order-id.ts';
import type { ActivityDependencies } from './activity-dependencies.ts';
import { cancellationSignal } from './activity-heartbeat.ts';

interface OrderToPlace {
  readonly runName: string;
  readonly runKey: string;
  /** Made once: what is sent is kept until its outcome is known. */
  readonly toRequest: () => Promise<{ readonly title: string; readonly profileId: string; readonly body: Body }>;
}

type Body = Readonly<Record<string, unknown>>;

/** A repetition finds an order sooner and more surely than the list does. */
const attemptsBeforeList = 4;
/** Clocks of both sides differ by less. */
const clockToleranceMs = 2 * 60_000;
/** More ids in one answer are no candidates. */
const candidatesAsked = 5;

/**
 * The id of the order. A request of an earlier run of that name whose outcome is not known goes first, under its own key.
 * The request is in the ledger before it is sent; a lost answer is followed by the same request under the same key
 * ("Retry guidance"). The order list is asked only where that leads to no id.
 */
export async function settleOrder(clients: ActivityDependencies, order: OrderToPlace): Promise<string> {
  const { ledger } = clients;
  const unresolved = await ledger.orderRequests.unresolvedOf(order.runName);
  if (unresolved !== undefined) return send(clients, unresolved, { mayBePlaced: true });
  const request = await openRequest(clients, order);
  if (request.state === 'placed' && request.orderId !== null) return request.orderId;
  return send(clients, request, { mayBePlaced: false });
}

/** A changed body needs another key: the first number of which nothing was refused. */
async function openRequest({ ledger, now }: ActivityDependencies, order: OrderToPlace): Promise<OrderRequest> {
  const { runName, runKey, toRequest } = order;
  for (let generation = 0; ; generation += 1) {
    const key = generation === 0 ? idempotencyKey('order', runKey) : idempotencyKey('order', runKey, generation);
    const known = await ledger.orderRequests.get(key);
    if (known?.state === 'refused') continue;
    if (known !== undefined) return known;
    const { title, profileId, body } = await toRequest();
    const bodyJson = JSON.stringify(body);
    const request = { idempotencyKey: key, runName, runKey, title, profileId, bodyJson, at: now().toISOString() };
    await ledger.orderRequests.open(request);
    return { ...request, state: 'open', orderId: null };
  }
}

async function send(
  clients: ActivityDependencies,
  request: OrderRequest,
  { mayBePlaced }: { mayBePlaced: boolean },
): Promise<string> {
  const { prospecting } = clients;
  const body = toBody(request);
  const place = () => prospecting.orders.place(body, request.idempotencyKey, { signal: cancellationSignal() });
  let isAccepted = false;
  try {
    const placed = await place();
    isAccepted = true;
    const found =
      (await confirm(clients, placed.candidates)) ??
      (await findInList(clients, request)) ??
      (await confirm(clients, (await place()).candidates));
    if (found !== null) return await settled(clients, request, found);
    throw unknownOutcome(
      request,
      `the service accepted the order, and no id was found (${placed.seen}; no Location, no entry in the order list)`,
    );
  } catch (error) {
    if (!(error instanceof ProspectingError)) throw error;
    if (error.isOutcomeUnknown) return await repeatOrFind(clients, request, error);
    return await refused(clients, request, { error, body, mayBePlaced: mayBePlaced || isAccepted });
  }
}

/** Temporal repeats the request; where that leads to nothing, as with a fault that is kept under the key, the list may. */
async function repeatOrFind(
  clients: ActivityDependencies,
  request: OrderRequest,
  error: ProspectingError,
): Promise<string> {
  const { attempt } = activityInfo();
  if (attempt < attemptsBeforeList) throw error;
  const found = await findInList(clients, request).catch(() => null);
  if (found !== null) return settled(clients, request, found);
  // An answer that cannot be read will not be readable the next time.
  if (error.facts.kind === 'unreadable') throw unknownOutcome(request, error.message);
  throw error;
}

/** An error answer that says what became of the order, or leaves it open. */
async function refused(
  clients: ActivityDependencies,
  request: OrderRequest,
  { error, body, mayBePlaced }: Refused,
): Promise<string> {
  const { prospecting, ledger } = clients;
  const { kind, status = 0, code, fields = [] } = error.facts;
  if (kind !== 'http' || status === 408 || status === 429 || code === 'IDEMPOTENCY_KEY_IN_USE') throw error;
  if (status === 409) {
    // The key is known to the service: the order may be there.
    const ids = prospecting.orders.idsIn(error, body);
    const found = (await confirm(clients, ids)) ?? (await findInList(clients, request));
    if (found !== null) return settled(clients, request, found);
    if (mayBePlaced) throw unknownOutcome(request, error.message);
  }
  // A key that is refused says nothing of an order that was placed before.
  if (mayBePlaced && (status === 401 || status === 403)) throw error;
  await ledger.orderRequests.settle(request.idempotencyKey, { state: 'refused' });
  const proposals = suggestSettings(fields, prospecting.requests, body);
  throw proposals.length === 0
    ? error
    : nonRetryable('OrderRefused', `${error.message}. Proposed: ${describeSuggestions(proposals)}`);
}

interface Refused {
  readonly error: ProspectingError;
  readonly body: Body;
  readonly mayBePlaced: boolean;
}

function toBody({ bodyJson }: OrderRequest): Body {
  const body: unknown = JSON.parse(bodyJson ?? 'null');
  if (!isRecord(body)) throw new TypeError('an open order request has no body');
  return body;
}

async function settled(
  { ledger }: ActivityDependencies,
  { idempotencyKey: key }: OrderRequest,
  orderId: string,
): Promise<string> {
  await ledger.orderRequests.settle(key, { state: 'placed', orderId });
  return orderId;
}

/** The first candidate that the service knows as an order; where it stands is kept as part of the service's shape. */
async function confirm(clients: ActivityDependencies, candidates: readonly FoundOrderId[]): Promise<string | null> {
  const { prospecting, ledger, now } = clients;
  for (const { orderId, at, isCertain } of candidates.slice(0, candidatesAsked)) {
    if (!isCertain && !(await isOrder(clients, orderId))) continue;
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

/** The only listed order that is new to the ledger, since then, and as it was asked for; null also when there are several. */
async function findInList(
  { prospecting, ledger }: ActivityDependencies,
  request: OrderRequest,
): Promise<string | null> {
  const listed = await prospecting.orders.list({ signal: cancellationSignal() });
  if (listed === null) return null;
  const found: string[] = [];
  for (const order of listed) {
    if (isAsRequested(order, request) && (await ledger.orders.get(order.order_id)) === undefined)
      found.push(order.order_id);
  }
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Another order taken for ours would be delivered as ours: what is told must agree, and its age must be told. */
function isAsRequested(order: ListedOrder, request: OrderRequest): boolean {
  const body = toBody(request);
  const isDiscovery = body['order_type'] === 'DISCOVERY';
  const quantity = isDiscovery
    ? body['briefing_quantity']
    : Array.isArray(body['companies'])
      ? body['companies'].length
      : null;
  const { title, profile_id: profileId, order_type: type, briefing_quantity: ordered, created_at: createdAt } = order;
  const agrees = (told: unknown, own: unknown) => told === null || told === own;
  return (
    (title === null ? profileId === request.profileId : title === request.title) &&
    agrees(profileId, request.profileId) &&
    agrees(ordered, quantity) &&
    (type === null || /discover/i.test(type) === isDiscovery) &&
    createdAt !== null &&
    Date.parse(createdAt) >= Date.parse(request.at) - clockToleranceMs
  );
}

function unknownOutcome({ title, idempotencyKey: key, runName }: OrderRequest, why: string) {
  return nonRetryable(
    'OrderOutcomeUnknown',
    `an order may have been placed: ${why}. Its title is ${JSON.stringify(title)}, its Idempotency-Key ${key}; every run of ${runName} repeats this request under this key until the order is found`,
  );
}
