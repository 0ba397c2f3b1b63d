import { setTimeout } from 'node:timers/promises';
import { poll, stageAt } from '../lifecycle.ts';
import { productKey } from './output-state.ts';
import type { OutputProducts } from './output-products.ts';
import type { Organization } from '../store/organization.ts';
import type { StoredOutput } from '../store/stored-records.ts';

/** Of the machine's time. Longer work shows as RUNNING. */
const patienceMilliseconds = 1_000;

/** Waits for the work behind an output that is due, so that small ones are COMPLETED on time, to the millisecond. */
export async function readyOutput(
  organization: Organization,
  output: StoredOutput,
  { now, products }: { readonly now: number; readonly products: OutputProducts },
): Promise<void> {
  const isDue = stageAt(poll(output.life, now), now).status === 'COMPLETED';
  const order = organization.orders.get(output.orderId);
  if (!isDue || !order || organization.products.get(productKey(output))) return;
  const waited = new AbortController();
  const patience = setTimeout(patienceMilliseconds, undefined, { signal: waited.signal, ref: false });
  try {
    await Promise.race([products.make(organization, order, output.type), patience]);
  } finally {
    waited.abort();
    await patience.catch(() => undefined);
  }
}
