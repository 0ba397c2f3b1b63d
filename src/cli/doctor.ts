import type { Config } from '../config/shape.ts';
import { examinePortal } from '../hubspot/doctor.ts';
import type { Check } from '../hubspot/doctor-checks.ts';
import { ownProperties } from '../hubspot/properties.ts';
import { toMappedProperties } from '../mapping/written-content.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { resultsOperation, serviceScope } from '../ledger/shapes.ts';
import { orderShapeSchema } from '../shape/order-shape.ts';
import { createConfiguredHubSpot, createConfiguredProspecting } from '../runtime/configured-clients.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { findServiceProblem } from './connections.ts';
import { openExistingLedger } from './data-folder.ts';
import { checkBlacklists } from './doctor-blacklists.ts';
import { createWaitOutRefusals } from './temporary-refusals.ts';
import { exitCodes, type ExitCode, type Terminal } from './terminal.ts';
import { toPrintable } from '../text/printable-text.ts';

export interface Diagnosis {
  /** False when something would make runs fail; warnings do not. */
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

/** Looks at both sides as a run would find them. Nothing is written but our own properties, where they are missing and may be created. */
export async function doctor(terminal: Terminal, options: GlobalOptions): Promise<Diagnosis> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  // A ledger that is not there is not made.
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const prospecting = createConfiguredProspecting(config);
  const problem = await findServiceProblem(config, prospecting, createWaitOutRefusals(terminal));
  const service: Check =
    problem === null
      ? { check: 'prospecting service', state: 'ok', says: `reached at ${config.service.baseUrl}` }
      : { check: 'prospecting service', state: 'problem', says: problem };
  // A few calls, so that a day whose rest is kept for others is told of, not run into.
  const budget = { ...config.hubspot.budget, dailyReservePercent: 0 };
  const hubspot = createConfiguredHubSpot({ ...config.hubspot, budget });
  const fields = await checkServiceFields(config, ledger);
  const canList = problem === null && Object.keys(config.exclusions).length > 0;
  const blacklists = canList ? await checkBlacklists(config, await prospecting.blacklists.list(), ledger) : [];
  const portal = await examinePortal(hubspot, toExamination(config));
  const checks = [service, fields, ...checkEncryption(config), ...blacklists, ...portal];
  return { ok: checks.every(({ state }) => state !== 'problem'), checks };
}

/** How the answers of the service are read. */
async function checkServiceFields(config: Config, ledger: Ledger | null): Promise<Check> {
  const check = 'service fields';
  const { baseUrl, requests } = config.service;
  const unknown = 'nothing is learnt of this service yet: the first order that is collected is learnt from';
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
    says: `${says}; orders name the profile as ${reference} (prospect-sync service show tells all)`,
  };
}

/** None where nothing is encrypted. */
function checkEncryption({ temporal: { encryption } }: Config): Check[] {
  if (encryption === null) return [];
  const check = 'encryption';
  const key = `Temporal keeps everything encrypted with key ${encryption.key.id}`;
  if (!encryption.acceptPlain) return [{ check, state: 'ok', says: `${key}; what is not encrypted is refused` }];
  const risk = 'whoever may start workflows in the namespace needs no key for it';
  const says = `temporal.encryption.accept_plain is true: ${risk}. Set it to false once the runs from before encryption have ended`;
  return [{ check, state: 'warning', says }];
}

export function toDoctorText({ checks }: Diagnosis): string {
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
  ].join('\n');
}

export function doctorExitCode({ ok }: Diagnosis): ExitCode {
  return ok ? exitCodes.done : exitCodes.failed;
}

function toExamination({ hubspot, mapping, exclusions }: Config): Parameters<typeof examinePortal>[1] {
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
      companies: [...companies, ...ownProperties.companies.map(({ name }) => name)],
      contacts: [...contacts, ...ownProperties.contacts.map(({ name }) => name)],
    },
    lists: [...new Set(sources.flatMap(({ lists }) => lists))],
    readsDeals: sources.some(({ openDeals, closedWonWithinDays }) => openDeals || closedWonWithinDays !== null),
    now: new Date(),
  };
}
