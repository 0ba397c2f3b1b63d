import { toAnnouncedRows } from '../companies/purchases/announced-rows.ts';
import type { Client } from '@temporalio/client';
import { withoutExcluded } from '../companies/sources/enrichment-companies.ts';
import { toShownRows } from '../companies/sources/shown-rows.ts';
import { toInstallationName } from '../config/blacklist-settings.ts';
import type { Config } from '../config/config.ts';
import { toRunPlan, type RunPlan } from '../config/run-plan.ts';
import { ScheduleError } from '../temporal/schedules/schedule-errors.ts';
import { TemporalUnavailableError } from '../temporal/temporal-unavailable-error.ts';
import { readStartedDigest } from '../temporal/started-digest.ts';
import { findRunInProgress, startRun } from '../worker/start-workflows.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { toCommandError, checkConnections, createWaitOutRefusals } from './connections.ts';
import { checkUsableBlacklists } from './preflight/blacklist-checks.ts';
import { preflight, type Preflight, type PreflightSystems } from './preflight/preflight.ts';
import { toSourceCheckName } from './preflight/source-checks.ts';
import { CommandError, confirmWarnings, type ConfirmationFlags, type Terminal } from './terminal.ts';
import { toSourceText } from '../proof/report/source-text.ts';
import { toOrderText, toSearchTexts } from './order-text.ts';
import { awaitRun, beginWorkflow } from './await-workflow.ts';
import { type OrderSummary, toDryRunDocument, type DryRun } from './documents/order-document.ts';
import { withRunningTemporal, withRuntime, type OpenRuntime } from './with-runtime.ts';
import { findOrderWarnings, toPlannedOrder } from '../companies/purchases/order-warnings.ts';
import { managedProperties } from '../hubspot/managed-properties.ts';
import { toMappedProperties } from '../delivery/mapping/written-content.ts';
import { createSystems, type SystemClients } from '../worker/configured-clients.ts';
import { openExistingLedger } from './data-folder.ts';
import { previewExclusions } from './exclusions-preview.ts';
import { toExclusionsLines } from './print-exclusions.ts';
import { toPrintable } from '../base/text/printable-text.ts';

/** Executes a configured run, from exclusions to reconciliation; attaches to a run of that name if one is in progress. */
export async function run(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  name: string,
): Promise<OrderSummary> {
  const config = await readConfiguration(options.config, terminal.env);
  const settings = findRun(config, name);
  const plan = toRunPlan(config, name, settings);
  const prepare = async ({ client, queue, ledger, systems }: OpenRuntime) => {
    // Attaching places no order.
    if ((await findRunInProgress(client, name, queue)) !== null) return { isConfirmed: options.yes, announced: null };
    const { drafts } = await assertReady(terminal, config, plan, { ...systems, ledger }, { isPreview: false });
    const draft = drafts.get(name) ?? null;
    for (const text of toOrderText(plan, draft, { showsRows: terminal.canAsk })) terminal.say(`${name}: ${text}`);
    const sources = { ledger, prospecting: systems.prospecting };
    const { warnings, notes } = await findOrderWarnings(sources, toPlannedOrder(plan, draft, config), new Date());
    for (const note of notes) terminal.say(note, 'warn');
    await confirmWarnings(terminal, options, {
      warnings,
      isOrder: true,
      question: `Place an order with run ${name}?`,
      declined: `run ${name} was not confirmed`,
    });
    return {
      isConfirmed: options.yes || warnings.length > 0,
      announced: draft === null ? null : toAnnouncedRows(draft),
    };
  };
  const work = async ({ client, queue, ledger }: OpenRuntime, prepared: Awaited<ReturnType<typeof prepare>>) => {
    const installation = toInstallationName(ledger.installation);
    const start = { label: new Date().toISOString().slice(0, 10), installation, ...prepared, queue };
    const { handle, joined } = await beginWorkflow(terminal, startRun(client, plan, start), name);
    if (joined) await warnOfOtherSettings(terminal, client, { workflowId: handle.workflowId, digest: settings.digest });
    const { order, ...figures } = await awaitRun(terminal, client, name, handle);
    return [{ ...order, ...figures }];
  };
  const { result: orders, ...done } = await withRuntime(terminal, config, options, { prepare, runName: name }, work);
  return { ...done, orders };
}

/**
 * Says what a run would order, and what may keep it from its end. `isPreview`: the source must be read here, since no worker elsewhere does.
 * @throws {CommandError} with every problem
 */
async function assertReady(
  terminal: Terminal,
  config: Config,
  { runName, exclusions, kind }: RunPlan,
  systems: PreflightSystems,
  { isPreview }: { readonly isPreview: boolean },
): Promise<Preflight> {
  // Ctrl-C ends the command at once: nothing was started.
  const context = { signal: new AbortController().signal, recordProgress: () => {} };
  const blacklists = await checkUsableBlacklists(exclusions, systems, context.signal);
  const { drafts, ...found } = await preflight(config, runName, systems, { context, depth: 'start' });
  const checks = [...blacklists, ...found.checks];
  const lacksSource = isPreview && kind === 'enrichment' && !drafts.has(runName);
  const problems = checks.filter(
    ({ check, state }) => state === 'problem' || (lacksSource && check === toSourceCheckName(runName)),
  );
  if (problems.length > 0) {
    const lines = problems.map(({ check, message }) => `${check}: ${message}`);
    throw new CommandError([...lines, 'Nothing was started.'].join('\n'));
  }
  for (const { check, state, message } of checks) if (state === 'warning') terminal.say(`${check}: ${message}`, 'warn');
  return { checks, drafts };
}

async function warnOfOtherSettings(
  terminal: Terminal,
  client: Client,
  { workflowId, digest }: { readonly workflowId: string; readonly digest: string },
): Promise<void> {
  const started = await readStartedDigest(client, workflowId);
  if (started === null || started === digest) return;
  terminal.say(
    `Other settings: ${workflowId} is in progress with the settings of configuration ${started}, but the file has configuration ${digest}. This command only follows the run in progress. To use the new settings, run again when it has ended; that places another order.`,
    'warn',
  );
}

/** Says nothing where Temporal cannot be asked. */
async function warnOfRunInProgress(terminal: Terminal, options: GlobalOptions, name: string): Promise<void> {
  try {
    const workflowId = await withRunningTemporal(terminal, options, ({ client, queue }) =>
      findRunInProgress(client, name, queue),
    );
    if (workflowId === null) return;
    terminal.say(
      `Run in progress: until ${workflowId} ends, run ${name} only follows it and orders nothing. What follows is what a run after it would do.`,
      'warn',
    );
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError || error instanceof ScheduleError)) throw error;
  }
}

/** Previews a run: its order, exclusions and destinations. Changes nothing: not the service, HubSpot, the ledger or a file. */
export async function dryRun(terminal: Terminal, options: GlobalOptions, name: string): Promise<DryRun> {
  const config = await readConfiguration(options.config, terminal.env);
  const plan = toRunPlan(config, name, findRun(config, name));
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { ledger, waitOut: createWaitOutRefusals(terminal) });
  try {
    await warnOfRunInProgress(terminal, options, name);
    const { drafts } = await assertReady(terminal, config, plan, { ...systems, ledger }, { isPreview: true });
    const draft = drafts.get(name) ?? null;
    const known = { ledger, prospecting: systems.prospecting };
    const rows = draft?.rows ?? [];
    const { previews, excluded } = await previewExclusions(terminal, { systems, ledger }, plan.exclusions, { rows });
    const ordered = draft === null || plan.exclusions.length === 0 ? draft : withoutExcluded(draft, excluded, plan);
    const planned = { ...toPlannedOrder(plan, ordered, config), isBeforeExclusions: false };
    const { warnings, notes } = await findOrderWarnings(known, planned, new Date());
    for (const text of [...warnings, ...notes]) terminal.say(text, 'warn');
    const source = ordered?.source.report ?? null;
    const crm = plan.delivery.crm === null ? null : await examineCrm(systems.hubspot, plan.delivery.crm);
    const quantity = source?.ordered ?? plan.briefingQuantity ?? 0;
    const shownRows = ordered === null ? [] : toShownRows(ordered.rows);
    return { plan, quantity, source, shownRows, exclusions: previews, crm };
  } catch (error) {
    throw toCommandError(error);
  }
}

/** @throws {HubSpotError} if a mapped property is missing or has an unsuitable type; the run itself would fail too */
async function examineCrm(
  hubspot: SystemClients['hubspot'],
  { mapping }: NonNullable<RunPlan['delivery']['crm']>,
): Promise<DryRun['crm']> {
  const mustExist = toMappedProperties(mapping);
  const missingProperties: string[] = [];
  for (const type of ['companies', 'contacts'] as const) {
    const { missing } = await hubspot.properties.check(type, { properties: managedProperties[type], mustExist });
    missingProperties.push(...missing.map((property) => `${type}.${property.name}`));
  }
  return { portalId: (await hubspot.account()).portalId, missingProperties };
}

export function toDryRunText(dryRun: DryRun): string {
  const { plan, quantity, source, shownRows, exclusions, crm } = dryRun;
  const { order, writes } = toDryRunDocument(dryRun);
  const line = (title: string, text: string) => `  ${title.padEnd(10)} ${toPrintable(text)}`;
  const created = crm?.missingProperties ?? [];
  // The preview is that of a full scan.
  const isLimit = plan.exclusions.some(({ name, fullScanEveryMs }) => {
    return fullScanEveryMs !== null && exclusions.some((preview) => preview.name === name && preview.removed > 0);
  });
  const limit =
    plan.kind === 'enrichment' && isLimit
      ? '; fewer if the sync reads changes only, because the entries to remove stay until the next full scan'
      : '';
  return [
    `dry run of ${plan.runName}: nothing was ordered, excluded or written; a run would do this`,
    line(
      'order',
      `${quantity.toLocaleString('en')} companies (${order.kind}), titled ${JSON.stringify(order.title)}${limit}`,
    ),
    line('profile', order.profile_name ?? `existing profile ${order.profile_id}`),
    ...toSearchTexts(plan).map(([what, text]) => line(what, text)),
    ...(source === null ? [] : toSourceText(source)).map((text, index) => line(index === 0 ? 'source' : '', text)),
    ...shownRows.map((text) => line('', text)),
    ...exclusions.flatMap(toExclusionsLines),
    line('CRM', crm === null ? 'nothing is written' : `HubSpot portal ${crm.portalId}`),
    ...(created.length === 0 ? [] : [line('', `missing properties: ${created.join(', ')}`)]),
    ...writes.files.map((file, index) => line(index === 0 ? 'files' : '', file)),
    ...writes.service_outputs.map((output) => line('output', `${output} of the service`)),
  ].join('\n');
}
