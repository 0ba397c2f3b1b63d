/** Checks of `doctor` on the blacklists of the exclusions. */
import type { Config } from '../../config/config.ts';
import type { ExclusionPlan } from '../../config/run-plan.ts';
import type { Blacklist } from '../../service/contract/index.ts';
import { readBlacklistOverview } from '../../companies/exclusions/list-blacklists.ts';
import { findRename } from '../../companies/exclusions/exclusion-blacklist.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import type { ListedExclusion } from '../../companies/exclusions/list-blacklists.ts';
import { describeFailure } from './source-checks.ts';
import { emptyExistingText, toDeletedInServiceText, toRenameText } from '../print-exclusions.ts';
import { createdElsewhere, toConfigured, toOrphanText } from '../exclusions-blacklists.ts';

/** One check for each exclusion, and one for the blacklists that no exclusion uses. `ledger`: null if there is none yet. */
export async function checkBlacklists(
  config: Config,
  dependencies: { readonly prospecting: ProspectingClient; readonly ledger: Ledger | null },
  signal: AbortSignal,
): Promise<Check[]> {
  const { exclusions, orphans, ownIds } = await readBlacklistOverview(dependencies, toConfigured(config), signal);
  const copies = new Set(exclusions.flatMap((exclusion) => exclusion.copies.map(({ id }) => id)));
  const unused = orphans.filter(({ id }) => !copies.has(id));
  return [
    ...exclusions.map((listed): Check => ({
      check: `exclusions.${listed.plan.name}`,
      ...describeListed(listed, ownIds),
    })),
    ...unused.map((orphan): Check => {
      const state = ownIds.has(orphan.id) ? 'warning' : 'ok';
      return { check: 'exclusions', state, message: toOrphanText(orphan, ownIds) };
    }),
  ];
}

/**
 * One problem for each exclusion of a run whose blacklist its syncs cannot use, and a warning of an existing one without entries: nothing
 * needs to be read or ordered to know that.
 */
export async function checkUsableBlacklists(
  exclusions: readonly ExclusionPlan[],
  dependencies: { readonly prospecting: ProspectingClient; readonly ledger: Ledger | null },
  signal: AbortSignal,
): Promise<Check[]> {
  if (exclusions.length === 0) return [];
  try {
    const overview = await readBlacklistOverview(dependencies, { exclusions, runs: [] }, signal);
    return overview.exclusions.flatMap((listed): Check[] => {
      const { plan, problem, blacklist } = listed;
      const check = `exclusions.${plan.name}`;
      if (problem !== null) return [{ check, state: 'problem', message: problem }];
      return plan.existing && blacklist?.entry_count === 0 ? [{ check, ...judgeExisting(blacklist) }] : [];
    });
  } catch (error) {
    signal.throwIfAborted();
    return [{ check: 'exclusions', ...describeFailure(error, 'start') }];
  }
}

function describeListed(
  { plan, blacklist, deletedId, problem, copies }: ListedExclusion,
  ownIds: ReadonlySet<string>,
): Pick<Check, 'state' | 'message'> {
  if (problem !== null) return { state: 'problem', message: problem };
  if (deletedId !== null) return { state: 'warning', message: toDeletedInServiceText(deletedId) };
  if (blacklist === null) return { state: 'ok', message: 'no blacklist yet: the first sync creates it' };
  if (plan.existing) return judgeExisting(blacklist);
  const ownCopies = copies.filter(({ id }) => ownIds.has(id));
  const otherCopies = copies.filter(({ id }) => !ownIds.has(id));
  const rename = findRename(plan.blacklist, blacklist);
  const notes = [
    rename === null ? [] : toRenameText(rename),
    ownCopies.length > 0
      ? `prospect-sync also created ${ownCopies.map(toText).join(', ')} of the same name, and does not update it. To see what deleting it removes, run: prospect-sync exclusions delete ID`
      : [],
    otherCopies.length > 0 ? `of the same name is ${otherCopies.map(toText).join(', ')}, ${createdElsewhere}` : [],
  ].flat();
  if (notes.length === 0) return { state: 'ok', message: toText(blacklist) };
  return { state: 'warning', message: [`uses ${toText(blacklist)}`, ...notes].join('; ') };
}

function judgeExisting(blacklist: Blacklist): Pick<Check, 'state' | 'message'> {
  return blacklist.entry_count === 0
    ? { state: 'warning', message: `${toText(blacklist)}: ${emptyExistingText}` }
    : { state: 'ok', message: `${toText(blacklist)}, existing, never changed` };
}

function toText({ id, entry_count: entries }: Blacklist): string {
  return `blacklist ${id} (${entries} entries)`;
}
