export { handleReply } from './handle-reply.ts';
export { ingestOrder } from './ingest-order.ts';
export { orderCompanies } from './order-companies.ts';
export { reconcileOrder } from './reconcile-order.ts';
export { retryRows } from './retry-rows.ts';
export { runProspecting } from './run-prospecting.ts';
export { syncExclusions } from './sync-exclusions.ts';
