/** A run whose servers are killed while its activities write to the CRM, and what proves that nothing was done twice. */
import type { Client } from '@temporalio/client';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import type { RunPlan } from '../../src/config/run-plan.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import type { runProspecting } from '../../workflows/run-prospecting.ts';
import type { RunningSandbox } from '../helpers/command.ts';
import { until } from '../helpers/until.ts';
import { readCrm, readOrderKeys, repeated } from './evidence.ts';

type WrittenType = 'companies' | 'contacts';

/** Holds back the first answer to a write of each type, so that its activity still waits when a server dies. */
export async function startHeldRun({ ready: { control, hubspot } }: RunningSandbox, client: Client, plan: RunPlan) {
  const faults = createControlClient({ baseUrl: control.url });
  const portal_id = hubspot.portalId;
  const pathOf = (type: WrittenType) => `*/${type}/batch/upsert`;
  for (const type of ['companies', 'contacts'] as const)
    await faults.POST('/faults', { body: { method: 'POST', path: pathOf(type), portal_id, times: 1, delay_ms: 500 } });
  const { handle } = await startRun(client, plan, { label: 'today' });
  return {
    /** The sandbox removes a rule that has had its effect. */
    isHeld: (type: WrittenType) =>
      until(async () => {
        const { data } = await faults.GET('/faults', { params: { query: { portal_id } } });
        return data !== undefined && !data.faults.some((fault) => fault['path'] === pathOf(type));
      }),
    resultFrom: (later: Client) => later.workflow.getHandle<typeof runProspecting>(handle.workflowId).result(),
  };
}

/** Each order was placed once, and no company or contact of the CRM is there twice. */
export async function expectNoRepetition(
  sandbox: RunningSandbox,
  { orders, companies: expected }: { readonly orders: number; readonly companies?: number },
): Promise<void> {
  expect(await readOrderKeys(sandbox)).toHaveLength(orders);
  const { companies, contacts } = await readCrm(sandbox);
  expect(repeated(companies.map(({ domain }) => domain))).toEqual([]);
  for (const kept of [companies, contacts]) expect(repeated(kept.map(({ key }) => key))).toEqual([]);
  if (expected !== undefined) expect(companies.filter(({ key }) => key !== null)).toHaveLength(expected);
}
