/** What a run would order, exclude, leave out and write now. Nothing is changed: not the service, the CRM, the ledger or a file. */
import type { ExclusionPreview } from '../exclusions/preview-exclusion.ts';
import { readCompanies } from '../companies/enrichment-companies.ts';
import { managedProperties } from '../hubspot/managed-properties.ts';
import { toMappedProperties } from '../mapping/crm-properties.ts';
import type { SourceReport } from '../ledger/draft-store.ts';
import { toSourceText } from '../report/order-report.ts';
import { toRunPlan, type RunPlan } from '../config/run-plan.ts';
import { createSystems, type SystemClients } from '../runtime/configured-clients.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { toCommandError } from './command-error.ts';
import { checkConnections } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';
import { previewExclusions } from './exclusions-preview.ts';
import { toExclusionsDocument, toExclusionsLines } from './exclusions-report.ts';
import { toSourceDocument } from './print-report.ts';
import { createWaitOutRefusals } from './temporary-refusals.ts';
import { signalOf, type Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface DryRun {
  readonly plan: RunPlan;
  /** Companies that would be ordered. */
  readonly quantity: number;
  /** Enrichment only. */
  readonly source: SourceReport | null;
  readonly exclusions: readonly ExclusionPreview[];
  /** null where the run leaves HubSpot alone. */
  readonly crm: { readonly portalId: number; readonly missingProperties: readonly string[] } | null;
}

export async function dryRun(terminal: Terminal, options: GlobalOptions, name: string): Promise<DryRun> {
  const config = await readConfiguration(options.config, terminal.env);
  const plan = toRunPlan(config, name, findRun(config, name));
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { waitOut: createWaitOutRefusals(terminal) });
  const steps = { signal: signalOf(terminal), onRows: (count: number) => terminal.redraw(`${name}: ${count} rows`) };
  try {
    const draft = plan.kind === 'enrichment' ? await readCompanies(systems.hubspot, plan, steps) : null;
    const source = draft?.source.report ?? null;
    const { previews } = await previewExclusions(terminal, { systems, ledger }, plan.exclusions);
    const crm = plan.delivery.crm === null ? null : await examineCrm(systems.hubspot, plan.delivery.crm);
    return { plan, quantity: source?.ordered ?? plan.briefingQuantity ?? 0, source, exclusions: previews, crm };
  } catch (error) {
    throw toCommandError(error);
  } finally {
    terminal.redraw('');
  }
}

/** @throws HubSpotError where a mapped property is missing or cannot hold what is mapped to it, as the run itself would */
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

export function toDryRunDocument({ plan, quantity, source, exclusions, crm }: DryRun) {
  const { runName, kind, title, profile, features, delivery } = plan;
  const { spreadsheets, serviceOutputs } = delivery;
  return {
    ok: true,
    dry_run: true,
    run: runName,
    order: { kind, title, quantity, profile_name: profile.profile_name, features },
    source: source === null ? null : toSourceDocument(source),
    exclusions: exclusions.map(toExclusionsDocument),
    writes: {
      crm: crm === null ? null : { portal_id: crm.portalId, creates_properties: crm.missingProperties },
      files: spreadsheets === null ? [] : spreadsheets.kinds.map((each) => `${spreadsheets.directory}/ORDER.${each}`),
      service_outputs: (serviceOutputs?.wanted ?? []).map(({ type, language }) => `${type} ${language}`),
    },
  };
}

export function toDryRunText(dry: DryRun): string {
  const { plan, quantity, source, exclusions, crm } = dry;
  const { order, writes } = toDryRunDocument(dry);
  const line = (title: string, text: string) => `  ${title.padEnd(10)} ${toPrintable(text)}`;
  const created = crm?.missingProperties ?? [];
  return [
    `dry run of ${plan.runName}: nothing was ordered, excluded or written; a run would do this`,
    line('order', `${quantity.toLocaleString('en')} companies (${order.kind}), titled ${JSON.stringify(order.title)}`),
    line('profile', order.profile_name),
    ...(source === null ? [] : toSourceText(source)).map((text, index) => line(index === 0 ? 'source' : '', text)),
    ...exclusions.flatMap(toExclusionsLines),
    line('CRM', crm === null ? 'is not written' : `HubSpot portal ${crm.portalId}`),
    ...(created.length === 0 ? [] : [line('', `missing properties: ${created.join(', ')}`)]),
    ...writes.files.map((file, index) => line(index === 0 ? 'files' : '', file)),
    ...writes.service_outputs.map((output) => line('output', `${output} of the service`)),
  ].join('\n');
}
