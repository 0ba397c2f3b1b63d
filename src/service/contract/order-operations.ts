import { conflictSchema } from './errors.ts';
import { limits } from './limits.ts';
import { invalid, keyed, missing, missingOrNoBlacklist, orderId, page, type Operation } from './operation.ts';
import { orderInputSchema, orderSchema, ordersPageSchema } from './order.ts';
import { resultsPageSchema } from './result.ts';
import { assumed } from './schema.ts';

export const orderOperations = {
  createOrder: {
    method: 'post',
    path: '/api/v1/orders',
    summary: 'Place a discovery or enrichment order',
    scopes: ['orders:write'],
    scopesWithBlacklists: ['orders:read', 'orders:write', 'blacklists:read'],
    idempotency: 'optional',
    keyAssumed: 'A17',
    params: null,
    query: null,
    body: orderInputSchema,
    responses: { 201: orderSchema, 409: conflictSchema, ...missingOrNoBlacklist },
    assumed: 'A03',
  },
  listOrders: {
    method: 'get',
    path: '/api/v1/orders',
    summary: 'List the orders of the organization, newest first',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: null,
    query: assumed('A79', page(50, 100)),
    body: null,
    responses: { 200: ordersPageSchema, ...invalid },
    assumed: 'A79',
  },
  getOrder: {
    method: 'get',
    path: '/api/v1/orders/{order_id}',
    summary: 'Read an order and its status',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: orderId,
    query: null,
    body: null,
    responses: { 200: orderSchema, ...missing },
    assumed: 'A13',
  },
  listResults: {
    method: 'get',
    path: '/api/v1/orders/{order_id}/results',
    summary: 'Page through the immutable published result set',
    scopes: ['orders:read'],
    idempotency: 'none',
    params: orderId,
    query: page(limits.resultsPage.default, limits.resultsPage.max, 'A52'),
    body: null,
    responses: { 200: resultsPageSchema, ...keyed },
    assumed: 'A01',
  },
} as const satisfies Record<string, Operation>;
