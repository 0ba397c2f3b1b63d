/** Checks before a run is started or an order placed: for one run (`run`) or all runs (`doctor`). Changes nothing. */
import { findFolderProblem } from '../../base/host/folder-problem.ts';
import { describeRows, type NamedRows } from '../../base/text/named-rows.ts';
import type { ActivityContext } from '../../companies/sources/company-source.ts';
import type { Draft } from '../../companies/sources/enrichment-companies.ts';
import type { Config } from '../../config/config.ts';
import { findConfigurationWarnings } from '../../config/configuration-warnings.ts';
import { toRunPlan } from '../../config/run-plan.ts';
import { selectRun } from '../../config/select-run.ts';
import { findGoneRows } from '../../delivery/crm/gone-rows.ts';
import type { KnownRecordSources } from '../../delivery/crm/record-match.ts';
import { checkLists, describeNewList } from '../../delivery/crm/list-members.ts';
import type { ListNames } from '../../delivery/mapping/list-names.ts';
import { toMappedProperties, toWrittenContent } from '../../delivery/mapping/written-content.ts';
import { examinePortal, type Examination } from '../../hubspot/examine-portal.ts';
import { managedProperties } from '../../hubspot/managed-properties.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { assertKnownOrganization } from '../../ledger/known-organization.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { loadEndpointSecrets } from '../../replies/endpoint-secrets.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { ProspectingError } from '../../service/client/prospecting-error.ts';
import type { SystemClients } from '../../worker/configured-clients.ts';
import { checkExclusionSources } from './exclusion-source-checks.ts';
import { checkOrderReceivers } from './receiver-checks.ts';
import { checkServiceScopes } from './service-scope-checks.ts';
import { checkSource, describeFailure, toSourceCheckName, type PreflightDepth } from './source-checks.ts';

export interface PreflightSystems extends SystemClients {
  /** null: there is none yet. */
  readonly ledger: Ledger | null;
}

export interface Preflight {
  readonly checks: readonly Check[];
  /** Drafts of the enrichments by run; absent if the source was not read completely. */
  readonly drafts: ReadonlyMap<string, Draft>;
}

/** The systems must be reachable: a run checks this before it opens its ledger. `runName`: null for all runs. */
export async function preflight(
  file: Config,
  runName: string | null,
  { prospecting, hubspot, ledger }: PreflightSystems,
  { context, depth }: { readonly context: ActivityContext; readonly depth: PreflightDepth },
): Promise<Preflight> {
  const { signal } = context;
  const config = runName === null ? file : selectRun(file, runName);
  const checks: Check[] = [
    ...(await checkServiceScopes(config, prospecting, signal)),
    ...(await checkOrganization({ prospecting, ledger }, signal, depth)),
  ];
  const drafts = new Map<string, Draft>();
  for (const [name, run] of Object.entries(config.runs)) {
    const found = await checkSource({ hubspot, ledger, context }, toRunPlan(config, name, run), depth);
    if (found === null) continue;
    checks.push(found.check);
    if (found.draft === null) continue;
    drafts.set(name, found.draft);
    if (ledger !== null && run.crm)
      checks.push(...(await checkGoneRows({ hubspot, ledger, signal }, name, found.draft)));
  }
  checks.push(...(await checkExclusionSources(config, hubspot, { context, depth })));
  checks.push(...(await checkFolders(config)));
  checks.push(...(await checkOrderReceivers(config, { fetch: globalThis.fetch, signal })));
  checks.push(...(await checkSigningSecrets(config)));
  const examination = toExamination(config, (await ledger?.portal.get()) ?? null);
  if (examination !== null) checks.push(...(await examinePortal(hubspot, examination)));
  for (const [name, { hubspotLists }] of Object.entries(config.runs))
    if (hubspotLists !== null)
      checks.push({
        check: `lists of ${name}`,
        ...(await judgeLists(hubspot, hubspotLists, signal).catch((error: unknown) => describeFailure(error, depth))),
      });
  const warnings = findConfigurationWarnings(file, runName);
  checks.push(...warnings.map((message): Check => ({ check: 'configuration', state: 'warning', message })));
  return { checks, drafts };
}

/** The record of a company that a person has deleted or merged is not created again, but its row is paid. */
async function checkGoneRows(sources: KnownRecordSources, runName: string, { rows }: Draft): Promise<Check[]> {
  const { deleted, merged } = await findGoneRows(sources, rows);
  const toCheck = (gone: NamedRows, how: string, otherwise: string): Check[] => {
    if (gone.rows === 0) return [];
    const message = `rows whose company a person has ${how} since an earlier order: ${describeRows(gone)}. They are ordered, and their results are not written to HubSpot: take them out of the source, or ${otherwise}`;
    return [{ check: toSourceCheckName(runName), state: 'warning', message }];
  };
  return [
    ...toCheck(deleted, 'deleted in HubSpot', 'restore the companies'),
    ...toCheck(
      merged,
      'merged into another company of prospect-sync in HubSpot',
      'order only the company that is left',
    ),
  ];
}

async function judgeLists(
  hubspot: SystemClients['hubspot'],
  names: ListNames,
  signal: AbortSignal,
): Promise<Omit<Check, 'check'>> {
  const texts: string[] = [];
  for (const list of await checkLists(hubspot, names, signal)) texts.push(await describeNewList(hubspot, list, signal));
  if (texts.length > 0) return { state: 'warning', message: texts.join('; ') };
  return { state: 'ok', message: 'available for the written records' };
}

/** null: nothing reads or writes HubSpot. */
export function toExamination(
  { hubspot, mapping, exclusions, runs, replies }: Config,
  portalOfLedger: number | null,
): Examination | null {
  const { portal, versions, createProperties } = hubspot;
  const configured = Object.values(runs);
  const sources = Object.values(exclusions).map(({ source }) => source);
  const selections = configured.flatMap((run) => (run.companies?.from === 'hubspot' ? [run.companies] : []));
  const usesReplies = replies.secrets.length > 0;
  const writes = usesReplies || configured.some(({ crm }) => crm);
  const readsDeals = sources.some(({ openDeals, closedWonWithinDays }) => openDeals || closedWonWithinDays !== null);
  const readsLists = sources.some(({ lists }) => lists.length > 0) || selections.some(({ lists }) => lists !== null);
  const reads =
    readsDeals ||
    readsLists ||
    selections.length > 0 ||
    sources.some(({ lifecycleStages, doNotContact }) => lifecycleStages.length > 0 || doNotContact !== null);
  if (!reads && !writes && configured.length > 0) return null;
  const statuses = Object.values(replies.policy.classes).flatMap(({ leadStatus }) => leadStatus ?? []);
  const holds = { kind: 'text', words: [...new Set(statuses)], from: 'replies.classes', isConstant: true } as const;
  return {
    portal: { id: portal.id ?? portalOfLedger ?? undefined, type: portal.type ?? undefined },
    versions,
    createProperties,
    writes: writes || configured.length === 0,
    mustExist: [
      ...toMappedProperties(mapping),
      ...(usesReplies && statuses.length > 0
        ? [{ type: 'contacts', name: 'hs_lead_status', holds, setting: holds.from } as const]
        : []),
    ],
    filled: {
      companies: [...Object.keys(mapping.companies), ...managedProperties.companies.map(({ name }) => name)],
      contacts: [...Object.keys(mapping.contacts), ...managedProperties.contacts.map(({ name }) => name)],
    },
    owners: toOwners(mapping),
    readsDeals,
    readsLists,
    writesLists: configured.some(({ hubspotLists }) => hubspotLists !== null),
    unsubscribes: usesReplies && replies.policy.unsubscribe,
  };
}

/** Ids of owners in the mapping itself; those that a field holds are known only with the results. */
function toOwners(mapping: Config['mapping']): string[] {
  const fields = [mapping.companies['hubspot_owner_id'], mapping.contacts['hubspot_owner_id']];
  const words = fields.flatMap((field) => {
    if (field === undefined || 'from' in field) return [];
    return toWrittenContent(field).words ?? [];
  });
  return [...new Set(words)];
}

export async function checkFolders({ runs, certificates }: Pick<Config, 'runs' | 'certificates'>): Promise<Check[]> {
  const folders = [
    ...Object.entries(runs).map(([name, { spreadsheets }]) => {
      return { setting: `runs.${name}.spreadsheets.directory`, folder: spreadsheets.directory };
    }),
    ...(certificates.directory === null ? [] : [{ setting: 'certificates.directory', folder: certificates.directory }]),
  ];
  const byFolder = Map.groupBy(folders, ({ folder }) => folder);
  return Promise.all(
    [...byFolder].map(async ([folder, users]): Promise<Check> => {
      const settings = users.map(({ setting }) => setting).join(', ');
      const problem = await findFolderProblem(folder);
      if (problem === null) return { check: 'output folder', state: 'ok', message: `${folder} (${settings})` };
      return { check: 'output folder', state: 'problem', message: `${problem}. Correct it, or change ${settings}` };
    }),
  );
}

/** Empty while the ledger has no orders, or the service does not answer. */
export async function checkOrganization(
  { prospecting, ledger }: { readonly prospecting: ProspectingClient; readonly ledger: Ledger | null },
  signal: AbortSignal,
  depth: PreflightDepth,
): Promise<Check[]> {
  const check = 'organization';
  if (ledger === null) return [];
  try {
    const orderId = await assertKnownOrganization({ prospecting, ledger }, signal);
    return orderId === null ? [] : [{ check, state: 'ok', message: `it has order ${orderId} of the ledger` }];
  } catch (error) {
    signal.throwIfAborted();
    // The check of the connection reports what keeps the service from answering.
    if (error instanceof ProspectingError) return [];
    return [{ check, ...describeFailure(error, depth) }];
  }
}

async function checkSigningSecrets(config: Config): Promise<Check[]> {
  const secrets = await loadEndpointSecrets(config);
  return secrets.map(({ setting, problem, repetition }): Check => {
    const check = 'signing secret';
    if (problem !== null) return { check, state: 'problem', message: `${problem} (${setting})` };
    if (repetition !== null) return { check, state: 'warning', message: repetition };
    return { check, state: 'ok', message: `it can be read (${setting})` };
  });
}
