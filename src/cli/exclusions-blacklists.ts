/** Lists the blacklists of the exclusions, and deletes a blacklist that prospect-sync made. */
import type { Config } from '../config/config.ts';
import { toWorkerConfiguration } from '../config/run-plan.ts';
import type { Blacklist } from '../service/contract/index.ts';
import { readBlacklistOverview } from '../companies/exclusions/list-blacklists.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isNotFound } from '../service/client/prospecting-error.ts';
import type { BlacklistOverview, ListedSearch } from '../companies/exclusions/list-blacklists.ts';
import { createSystems, type SystemClients } from '../worker/configured-clients.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import { toDeletedInServiceText } from './print-exclusions.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { checkConnections, createWaitOutRefusals, toCommandError } from './connections.ts';
import { confirmDeletion, type Deletion, type DeletionFlags } from './confirm-deletion.ts';
import { openExistingLedger } from './data-folder.ts';
import { CommandError, exitCodes, signalOf, type Terminal } from './terminal.ts';

/** Changes nothing. */
export function list(terminal: Terminal, options: GlobalOptions): Promise<BlacklistOverview> {
  return withOverview(terminal, options, ({ overview }) => Promise.resolve(overview));
}

/** `name`: of an exclusion, or name or id of a blacklist that no exclusion uses. */
export function remove(
  terminal: Terminal,
  options: GlobalOptions,
  name: string,
  flags: DeletionFlags,
): Promise<Blacklist> {
  return withOverview(terminal, options, async ({ overview, prospecting, ledger }) => {
    const blacklist = findDeletable(overview, name);
    await confirmDeletion(terminal, { json: options.json, ...flags }, toDeletion(overview, blacklist));
    await prospecting.blacklists.remove(blacklist.id, { signal: signalOf(terminal) }).catch((error: unknown) => {
      // An earlier attempt whose answer was lost, or another client, has deleted it.
      if (!isNotFound(error)) throw error;
    });
    await ledger?.blacklists.forget(blacklist.id);
    await ledger?.exclusionScans.forget(blacklist.id);
    await ledger?.searchAssignments.forget(blacklist.id);
    return blacklist;
  });
}

interface OpenOverview {
  readonly overview: BlacklistOverview;
  readonly prospecting: SystemClients['prospecting'];
  readonly ledger: Ledger | null;
}

async function withOverview<T>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (open: OpenOverview) => Promise<T>,
): Promise<T> {
  const config = await readConfiguration(options.config, terminal.env);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openExistingLedger(terminal, config, options), (opened) => opened?.close());
  const systems = createSystems(config);
  await checkConnections(config, systems, { needed: ['service'], ledger, waitOut: createWaitOutRefusals(terminal) });
  const { prospecting } = systems;
  try {
    const overview = await readBlacklistOverview({ prospecting, ledger }, toConfigured(config), signalOf(terminal));
    return await work({ overview, prospecting, ledger });
  } catch (error) {
    throw toCommandError(error);
  }
}

export function toConfigured(config: Config) {
  const configuration = toWorkerConfiguration(config);
  return { exclusions: configuration.listExclusions(), runs: configuration.listRuns() };
}

/** @throws {CommandError} unless the name means one blacklist that prospect-sync created */
function findDeletable({ exclusions, orphans }: BlacklistOverview, name: string): Blacklist {
  const exclusion = exclusions.find(({ plan }) => plan.name === name);
  if (exclusion?.plan.existing) {
    const text = `exclusions.${name} attaches an existing blacklist, which prospect-sync never deletes. Delete it in the service.`;
    throw new CommandError(text, exitCodes.usage);
  }
  if (exclusion?.blacklist) return exclusion.blacklist;
  if (exclusion !== undefined && exclusion.problem !== null)
    throw new CommandError(`exclusions.${name}: ${exclusion.problem}. Nothing was deleted.`, exitCodes.usage);
  if (exclusion !== undefined)
    throw new CommandError(`exclusions.${name} has no blacklist yet. Nothing was deleted.`, exitCodes.usage);
  const found = orphans.filter((blacklist) => blacklist.id === name.toLowerCase() || blacklist.name === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const text =
    found.length > 1
      ? `Several blacklists that no exclusion uses are named ${toPrintable(name)}: ${found.map(({ id }) => id).join(', ')}. Use the id of one of them.`
      : `No exclusion and no unused blacklist of prospect-sync is named ${toPrintable(name)}. To see them, run: prospect-sync exclusions list`;
  throw new CommandError(text, exitCodes.usage);
}

function toDeletion({ searches, ownIds }: BlacklistOverview, blacklist: Blacklist): Deletion {
  const isOwn = ownIds.has(blacklist.id);
  const uses = searches.filter(({ blacklists }) => blacklists.some((each) => each.blacklist.id === blacklist.id));
  const places = uses.length === 0 ? '' : `, and its assignments to ${uses.map(toSearchName).join(', ')}`;
  const maker = isOwn ? '' : `, which was ${createdElsewhere} and may be in use there`;
  return { text: `This deletes ${toText(blacklist)}${maker}${places}.`, exactName: blacklist.name, isOwn };
}

function toMissingText(deletedId: string | null): string {
  return deletedId === null ? 'no blacklist yet; the first sync creates it' : toDeletedInServiceText(deletedId);
}

export function toListText({ exclusions, searches, orphans, ownIds }: BlacklistOverview): string {
  if (exclusions.length + searches.length + orphans.length === 0) return 'no exclusions configured';
  return [
    ...exclusions.flatMap(({ plan, blacklist, deletedId, problem, copies, runs }) => [
      `exclusions.${plan.name}: ${problem ?? (blacklist === null ? toMissingText(deletedId) : toText(blacklist))}${plan.existing ? ', existing, never changed' : ''}`,
      `  attach: ${plan.attach ?? 'order'}; runs: ${runs.join(', ') || 'none'}`,
      ...copies.map((copy) => `  not updated: ${toText(copy)} of the same name`),
    ]),
    ...searches.flatMap((search) => [
      `${toSearchName(search)}${search.blacklists.length === 0 ? ': no blacklists assigned' : ''}`,
      ...search.blacklists.map(
        ({ blacklist, assignedByUs }) =>
          `  assigned by ${assignedByUs ? 'prospect-sync' : 'others'}: ${toText(blacklist)}`,
      ),
    ]),
    ...orphans.map((orphan) => toOrphanText(orphan, ownIds)),
  ]
    .map(toPrintable)
    .join('\n');
}

/** No command for a blacklist that another installation may be using. */
export function toOrphanText(orphan: Blacklist, ownIds: ReadonlySet<string>): string {
  const text = `not used by an exclusion: ${toText(orphan)}`;
  return ownIds.has(orphan.id)
    ? `${text}, created by this installation. To see what deleting it removes, run: prospect-sync exclusions delete ${orphan.id}`
    : `${text}, ${createdElsewhere}`;
}

/** Adopted blacklists have no mark, and those of a lost ledger have another one. */
export const createdElsewhere = 'not created by this installation with its current ledger';

export function toDeletedText(blacklist: Blacklist): string {
  return toPrintable(`Deleted ${toText(blacklist)}. An exclusion that is still configured creates it again.`);
}

function toSearchName({ prospectSearchId, runs }: ListedSearch): string {
  return `prospect search ${prospectSearchId} of ${runs.join(', ')}`;
}

function toText({ id, name, entry_count: entries }: Blacklist): string {
  return `blacklist ${id} ${JSON.stringify(name)} (${entries} entries)`;
}
