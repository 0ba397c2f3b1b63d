import { toRunPlan } from '../run-plan.ts';
import { startRun } from '../temporal.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { awaitRun } from './outcome.ts';
import type { Summary } from './report.ts';
import type { Terminal } from './terminal.ts';
import { withWorkplace } from './workplace.ts';

/** Runs one configured run from exclusions to proof; joins it when it is going on already. */
export async function run(terminal: Terminal, options: GlobalOptions, name: string): Promise<Summary> {
  const config = await readConfiguration(options.config, terminal.env);
  const plan = toRunPlan(config, name, findRun(config, name));
  const { result: orders, ...done } = await withWorkplace(terminal, config, options, async ({ client, queue }) => {
    const { handle, joined } = await startRun(client, plan, { label: new Date().toISOString().slice(0, 10), queue });
    terminal.say(`${joined ? 'joined' : 'started'} ${handle.workflowId}`);
    const { order, ...figures } = await awaitRun(terminal, client, name, handle);
    return [{ ...order, ...figures }];
  });
  return { ...done, orders };
}
