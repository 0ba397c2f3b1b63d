import type { Config } from '../config/config.ts';
import { examinePortal } from '../hubspot/examine-portal.ts';
import type { Check } from '../hubspot/portal-checks.ts';
import { managedProperties } from '../hubspot/managed-properties.ts';
import { toMappedProperties } from '../mapping/written-content.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { resultsOperation, serviceScope } from '../ledger/shape-store.ts';
import { orderShapeSchema } from '../response-shape/shape.ts';
import type { ProspectingClient } from '../prospecting/prospecting-client.ts';
import { listDrift, listUnsavedDrift, saveAnswerShapes, toDriftText } from '../report/service-drift.ts';
import type { AnswerDrift } from '../response-shape/find-drift.ts';
import { createConfiguredHubSpot, createConfiguredProspecting } from '../runtime/configured-clients.ts';
import { toDiagnosis, type Diagnosis } from '../report/installation-document.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { findServiceProblem, createWaitOutRefusals } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';
import { exitCodes, signalOf, type ExitCode, type Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';
import { checkBlacklists } from './doctor-blacklists.ts';
import { checkCompanySources } from './doctor-company-sources.ts';
import { checkOrderReceivers } from './doctor-order-receivers.ts';
import { checkServiceScopes } from './doctor-scopes.ts';

export interface DoctorFlags {
  /** Lists how the answers of the service differ from the specification. */
  readonly drift: boolean;
}

/** Checks the service and HubSpot as a run would use them. It writes nothing except missing properties of prospect-sync, if it may create them. */
export async function doctor(terminal: Terminal, options: GlobalOptions, flags: DoctorFlags): Promise<Diagnosis> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  // The check must not create a ledger.
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const prospecting = createConfiguredProspecting(config);
  const problem = await findServiceProblem(config, prospecting, createWaitOutRefusals(terminal));
  const service: Check =
    problem === null
      ? { check: 'prospecting service', state: 'ok', says: `available at ${config.service.baseUrl}` }
      : { check: 'prospecting service', state: 'problem', says: problem };
  // Without the daily reserve: when only the reserve is left, the few calls of this check report it instead of waiting.
  const budget = { ...config.hubspot.budget, dailyReservePercent: 0 };
  const hubspot = createConfiguredHubSpot({ ...config.hubspot, budget });
  const fields = await checkServiceFields(config, ledger);
  const canList = problem === null && Object.keys(config.exclusions).length > 0;
  const blacklists = canList ? await checkBlacklists(config, { prospecting, ledger }, signalOf(terminal)) : [];
  const portal = await examinePortal(hubspot, toExamination(config));
  const scopes = await checkServiceScopes(config, prospecting);
  const receivers = await checkOrderReceivers(config, { fetch: globalThis.fetch, signal: signalOf(terminal) });
  const sources = await checkCompanySources(config, signalOf(terminal));
  const checks = [
    service,
    ...scopes,
    fields,
    ...receivers,
    ...sources,
    ...checkEncryption(config),
    ...blacklists,
    ...portal,
  ];
  return toDiagnosis(checks, flags.drift ? await readDrift(ledger, prospecting) : null);
}

/** Includes what the answers of this check have shown. */
async function readDrift(ledger: Ledger | null, prospecting: ProspectingClient): Promise<AnswerDrift[]> {
  await prospecting.recordContractVersion();
  if (ledger === null) return listUnsavedDrift(prospecting);
  await saveAnswerShapes(ledger, prospecting);
  return listDrift(ledger, prospecting.baseUrl);
}

/** The fields of the results that prospect-sync has learned. */
async function checkServiceFields(config: Config, ledger: Ledger | null): Promise<Check> {
  const check = 'service fields';
  const { baseUrl, requests } = config.service;
  const unknown = 'nothing learned about this service yet; the first collected order is analysed';
  const row = await ledger?.shapes.get(serviceScope(baseUrl), resultsOperation);
  if (row === undefined) return { check, state: 'ok', says: unknown };
  const { company, prospect } = orderShapeSchema.parse(JSON.parse(row.json)).shape;
  const places = [
    ['people', company.prospects],
    ['company name', company.name],
    ['domain', company.domain],
    ['email', prospect.email],
  ] as const;
  const says = places.map(([name, reading]) => `${name} in ${reading?.path ?? 'no field'}`).join(', ');
  const reference = requests.profile_reference;
  return {
    check,
    state: 'ok',
    says: `${says}; orders name the profile as ${reference}. Details: prospect-sync service show`,
  };
}

/** Empty without encryption. */
function checkEncryption({ temporal: { encryption } }: Config): Check[] {
  if (encryption === null) return [];
  const check = 'encryption';
  const key = `payloads in Temporal are encrypted with key ${encryption.key.id}`;
  if (!encryption.acceptPlain) return [{ check, state: 'ok', says: `${key}; unencrypted payloads are rejected` }];
  const risk = 'anyone who may start workflows in the namespace can do so without a key';
  const says = `temporal.encryption.accept_plain is true: ${risk}. Set it to false when the runs that were started before encryption have ended`;
  return [{ check, state: 'warning', says }];
}

export function toDoctorText({ checks, drift }: Diagnosis): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const counted = (wanted: Check['state']) => {
    const count = checks.filter(({ state }) => state === wanted).length;
    return `${count} ${wanted}${count === 1 ? '' : 's'}`;
  };
  return [
    ...checks.map(
      ({ check, state, says }) => `${check.padEnd(width)}  ${state.padEnd('warning'.length)}  ${toPrintable(says)}`,
    ),
    '',
    `${counted('problem')}, ${counted('warning')}`,
    ...(drift === undefined ? [] : ['', toDriftText(drift)]),
  ].join('\n');
}

export function doctorExitCode({ ok }: Diagnosis): ExitCode {
  return ok ? exitCodes.done : exitCodes.failed;
}

function toExamination({ hubspot, mapping, exclusions, runs }: Config): Parameters<typeof examinePortal>[1] {
  const { portal, versions, budget, createProperties } = hubspot;
  const [companies, contacts] = [Object.keys(mapping.companies), Object.keys(mapping.contacts)];
  const sources = Object.values(exclusions).map(({ source }) => source);
  return {
    portal: { id: portal.id ?? undefined, type: portal.type ?? undefined },
    versions,
    budget,
    createProperties,
    mustExist: [
      ...toMappedProperties(mapping),
      ...sources
        .flatMap(({ doNotContact }) => doNotContact ?? [])
        .map((name) => ({ type: 'companies', name }) as const),
    ],
    filled: {
      companies: [...companies, ...managedProperties.companies.map(({ name }) => name)],
      contacts: [...contacts, ...managedProperties.contacts.map(({ name }) => name)],
    },
    lists: [...new Set(sources.flatMap(({ lists }) => lists))],
    readsDeals: sources.some(({ openDeals, closedWonWithinDays }) => openDeals || closedWonWithinDays !== null),
    writesLists: Object.values(runs).some(({ hubspotLists }) => hubspotLists !== null),
    now: new Date(),
  };
}
