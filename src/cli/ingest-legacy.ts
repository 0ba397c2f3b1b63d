/** `ingest --legacy`: writes the companies of the legacy listing of a profile to HubSpot, marked as unproved. */
import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config.ts';
import {
  readListing,
  surveyListing,
  writeListedPage,
  type ListingSurvey,
  type ListingTally,
} from '../delivery/crm/legacy-listing.ts';
import { preparePortal } from '../delivery/crm/prepare-portal.ts';
import type { Projection } from '../delivery/crm/slot-batch.ts';
import { toCrmPlan } from '../delivery/mapping/crm-plan.ts';
import { emptyTally, outcomeNames, type OutcomeTally } from '../ledger/crm-outcomes.ts';
import { toListingId } from '../ledger/identity.ts';
import { createDependencies } from '../worker/configured-clients.ts';
import { findRun, readConfiguration, type GlobalOptions } from './configuration.ts';
import { checkConnections, createWaitOutRefusals, toCommandError } from './connections.ts';
import { openAnnouncedLedger } from './data-folder.ts';
import {
  CommandError,
  confirmWarnings,
  exitCodes,
  signalOf,
  type ConfirmationFlags,
  type ExitCode,
  type Terminal,
} from './terminal.ts';

interface LegacyFlags {
  readonly prospectSearchId: string;
  readonly runName: string | undefined;
  readonly isDryRun: boolean;
}

export interface LegacyIngest extends Omit<ListingSurvey, 'knownKeys'> {
  readonly prospectSearchId: string;
  readonly runName: string;
  /** null: nothing was written. */
  readonly crm: ListingTally | null;
}

/** Reads the listing twice: first to count it, then to write it page by page. */
export async function ingestLegacy(
  terminal: Terminal,
  options: GlobalOptions & ConfirmationFlags,
  { prospectSearchId, isDryRun, ...flags }: LegacyFlags,
): Promise<LegacyIngest> {
  const config = await readConfiguration(options.config, terminal.env);
  const runName = chooseOnlyRun(config, flags.runName);
  const run = findRun(config, runName);
  if (!run.crm)
    throw new CommandError(
      `Run ${runName} writes nothing to HubSpot (crm: false). Name another run with --run. Nothing was started.`,
      exitCodes.usage,
    );
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  const { prospecting, hubspot, now, fields } = createDependencies(config, ledger);
  const waitOut = createWaitOutRefusals(terminal);
  await checkConnections(config, { prospecting, hubspot }, { ledger, waitOut });
  const signal = signalOf(terminal);
  const readPages = () =>
    readListing({
      ledger,
      baseUrl: prospecting.baseUrl,
      fields: fields ?? config.service.fields,
      // Each page has pauses of its own: a long listing may exceed the rate limit often.
      readPage: (offset) =>
        createWaitOutRefusals(terminal)('The prospecting service', () =>
          prospecting.deliveries.companies(prospectSearchId, offset, { signal }),
        ),
    });
  try {
    const { knownKeys, ...survey } = await surveyListing(ledger, readPages());
    const listed = { prospectSearchId, runName, ...survey };
    for (const line of toSurveyLines(listed)) terminal.say(line);
    if (isDryRun || survey.companies === survey.known.companies) return { ...listed, crm: null };
    await confirmWarnings(terminal, options, {
      warnings: [
        `Unproved: the legacy listing has companies of older and unrelated orders of the profile, and no order proves them. The records get the order id ${toListingId(prospectSearchId)}.`,
      ],
      question: `Write ${survey.companies - survey.known.companies} companies to HubSpot?`,
      declined: `the delivery of legacy listing ${prospectSearchId} was not confirmed`,
    });
    const plan = toCrmPlan(config.mapping, config.contacts);
    await waitOut('HubSpot', () => preparePortal({ hubspot, ledger, signal }, plan.mapping));
    for (const type of ['companies', 'contacts'] as const)
      await waitOut('HubSpot', () => hubspot.objects.requireWriteScope(type, signal));
    const orderId = toListingId(prospectSearchId);
    const projection: Projection = {
      orderId,
      projectionId: `${orderId}#${randomUUID()}`,
      provenance: { order: { id: orderId, run: runName, title: run.title }, mappingVersion: plan.mappingVersion },
      plan,
      externalIdsAreRecordIds: false,
      onlyUnfinished: false,
      force: false,
    };
    let crm: ListingTally = { companies: emptyTally, contacts: emptyTally };
    for await (const page of readPages()) {
      const dependencies = { hubspot, ledger, now, signal };
      const more = await createWaitOutRefusals(terminal)('HubSpot', () =>
        writeListedPage(dependencies, projection, page, { knownKeys }),
      );
      crm = { companies: addTally(crm.companies, more.companies), contacts: addTally(crm.contacts, more.contacts) };
    }
    return { ...listed, crm };
  } catch (error) {
    throw toCommandError(error, 'Run the command again: what is written already stays as it is.');
  }
}

function chooseOnlyRun({ runs }: Config, named: string | undefined): string {
  if (named !== undefined) return named;
  const [only, ...others] = Object.keys(runs);
  if (only !== undefined && others.length === 0) return only;
  throw new CommandError(
    `--legacy needs the run whose settings apply: the configuration has ${others.length === 0 ? 'none' : `${others.length + 1}`}. Add --run NAME, one of: ${Object.keys(runs).join(', ') || 'none'}`,
    exitCodes.usage,
  );
}

function addTally(sum: OutcomeTally, more: OutcomeTally): OutcomeTally {
  const total = { ...sum };
  for (const name of outcomeNames) total[name] += more[name];
  return total;
}

function toSurveyLines({ prospectSearchId, companies, contacts, known }: Omit<LegacyIngest, 'crm'>): string[] {
  return [
    `legacy listing ${prospectSearchId}: ${companies} companies, ${contacts} contacts`,
    `left out because an order of the ledger has them: ${known.companies} companies, ${known.contacts} contacts`,
  ];
}

export function toLegacyText({ prospectSearchId, companies, known, crm }: LegacyIngest): string {
  const left = companies - known.companies;
  if (crm === null)
    return left === 0
      ? 'Nothing to write: every listed company is in an order of the ledger'
      : `Dry run: ${left} companies would be compared with HubSpot and written; nothing was written`;
  const toLine = (name: string, tally: OutcomeTally) => {
    const counts = outcomeNames.filter((each) => tally[each] > 0).map((each) => `${tally[each]} ${each}`);
    return `${name.padEnd(10)}  ${counts.join(', ') || 'none'}`;
  };
  return [
    toLine('companies', crm.companies),
    toLine('contacts', crm.contacts),
    `Unproved: to see the records in HubSpot, filter by Order id ${toListingId(prospectSearchId)}`,
  ].join('\n');
}

export function toLegacyDocument(ingested: LegacyIngest) {
  const { prospectSearchId, runName, companies, contacts, known, crm } = ingested;
  return {
    ok: exitCodeOfLegacy(ingested) === exitCodes.done,
    prospect_search_id: prospectSearchId,
    order_id: toListingId(prospectSearchId),
    run: runName,
    companies,
    contacts,
    in_known_orders: { ...known },
    crm,
  };
}

export function exitCodeOfLegacy({ crm }: LegacyIngest): ExitCode {
  const tallies = crm === null ? [] : [crm.companies, crm.contacts];
  return tallies.some(({ quarantined, failed }) => quarantined + failed > 0) ? exitCodes.findings : exitCodes.done;
}
