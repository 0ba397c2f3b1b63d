/** The commands whose `--json` documents tools/compare-documents.ts writes, and the configuration that they run with. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

export interface Step {
  /** Name of the file that holds the document. */
  readonly name: string;
  readonly args: readonly string[];
}

const configurationSchema = z.looseObject({ runs: z.record(z.string(), z.looseObject({})) });
const runSchema = z.object({ orders: z.array(z.object({ order_id: z.string() })).min(1) });

/** Adds smaller runs, one with a schedule, and one that only writes files. */
export async function extendConfiguration(file: string): Promise<void> {
  const config = configurationSchema.parse(parse(await readFile(file, 'utf8')));
  const discovery = { ...config.runs['demo-discovery'], briefing_quantity: 40 };
  const runs = {
    'demo-discovery': discovery,
    'demo-enrichment': config.runs['demo-enrichment'],
    scheduled: { ...discovery, title: 'Scheduled', schedule: { cron: '0 6 * * 1', timezone: 'Europe/Berlin' } },
    'files-only': { ...discovery, title: 'Files only', crm: false },
  };
  await writeFile(file, stringify({ ...config, runs }));
}

interface StepDependencies {
  /** The checkout whose commands run. */
  readonly root: string;
  readonly controlUrl: string;
  readonly serviceUrl: string;
  readonly portalId: string;
}

/** Runs every command; later steps use orders and schedules of earlier ones. */
export async function executeSteps(
  execute: (step: Step) => Promise<unknown>,
  { root, controlUrl, serviceUrl, portalId }: StepDependencies,
): Promise<void> {
  const step = (name: string, ...args: string[]) => execute({ name, args });
  const control = (name: string, ...args: string[]) => step(name, 'sandbox', '--control-url', controlUrl, ...args);
  await step('validate', 'validate');
  await step('doctor-before', 'doctor');
  await step('status-before', 'status');
  await step('dry-run-discovery', 'run', 'demo-discovery', '--dry-run');
  await step('dry-run-enrichment', 'run', 'demo-enrichment', '--dry-run');
  await step('exclusions-preview-before', 'exclusions', 'preview');
  await step('exclusions-sync', 'exclusions', 'sync', 'customers');
  await step('exclusions-preview-after', 'exclusions', 'preview', 'customers', '--out', 'differences.csv');
  const orderId = toOrderId(await step('run-discovery', 'run', 'demo-discovery'));
  await step('run-enrichment', 'run', 'demo-enrichment');
  const filesOnly = toOrderId(await step('run-files-only', 'run', 'files-only'));
  await step('preview-order', 'preview', filesOnly);
  await step('preview-run', 'preview', 'files-only', '--out', 'preview.csv');
  await step('ingest', 'ingest', filesOnly, '--run', 'demo-discovery');
  await step('reconcile', 'reconcile', orderId);
  await step('rows', 'rows', orderId);
  await step('rows-skipped', 'rows', orderId, '--outcome', 'skipped');
  await step('retry', 'retry', orderId);
  await step('why', 'why', 'nowhere.example');
  await step('status', 'status');
  await step('status-of-run', 'status', 'demo-discovery');
  await step('service-show', 'service', 'show');
  await step('service-learn', 'service', 'learn', orderId);
  await step('service-forget', 'service', 'forget');
  await step('doctor-after', 'doctor');
  await step('schedule-plan', 'plan', '--exit-code');
  await step('schedule-apply', 'apply');
  await step('schedule-plan-applied', 'plan', '--exit-code');
  await step('schedule-pause', 'schedule', 'pause', 'scheduled', '--note', 'fixed note');
  await step('schedule-list', 'schedule', 'list');
  await step('schedule-resume', 'schedule', 'resume', 'scheduled', '--note', 'fixed note');
  await step('schedule-delete', 'schedule', 'delete', 'scheduled', '--yes');
  const history = path.join(root, 'test/workflows/histories/1.0.0-rc.1');
  await step('replay', 'replay', path.join(history, (await readdir(history)).toSorted()[0] ?? ''));
  await control('sandbox-clock', 'clock');
  await control('sandbox-clock-freeze', 'clock', 'freeze');
  await control('sandbox-clock-advance', 'clock', 'advance', '1d');
  await control('sandbox-clock-resume', 'clock', 'resume');
  await control('sandbox-faults-add', 'faults', 'add', '/api/v1/never', '--status', '503');
  await control('sandbox-faults-add-portal', 'faults', '--portal', portalId, 'add', '/never', '--preset', 'locked');
  await control('sandbox-faults', 'faults');
  await control('sandbox-faults-clear', 'faults', 'clear');
  await control('sandbox-journal', 'journal', '--path', '/api/v1/blacklists', '--method', 'POST');
  await control('sandbox-journal-portal', 'journal', '--portal', portalId, '--path', '/account-info');
  await control('sandbox-trigger', 'trigger', 'reply.interested', '--to', 'https://127.0.0.1:9/closed');
  await step('conformance', 'conformance', '--base-url', serviceUrl, '--api-key-env', 'PROSPECTING_API_KEY');
  await step('error-unknown-run', 'run', 'no-such-run');
  await step('error-order-id', 'reconcile', 'xyz');
  await step('error-unknown-order', 'rows', '7c1e2f34-0000-4000-8000-000000000000');
  await step('error-ingest-unknown-order', 'ingest', '7c1e2f34-0000-4000-8000-000000000000', '--run', 'demo-discovery');
  await step('error-unknown-option', 'run', '--no-such-option');
  await step('error-configuration', 'validate', '--config', 'no-such-file.yaml');
  await step('error-digest', 'exclusions', 'approve', 'no-such-digest');
  await step('error-replay', 'replay', 'prospect-sync.yaml');
}

function toOrderId(document: unknown): string {
  const [order] = runSchema.parse(document).orders;
  if (order === undefined) throw new Error('the run has no order');
  return order.order_id;
}
