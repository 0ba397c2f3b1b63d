/** Lists the blacklists that exclusions use, where they are attached, and unused ones. */
import type { ExclusionPlan, RunPlan } from '../../config/run-plan.ts';
import { prospectSearchIdOf, type Blacklist } from '../../service/contract/index.ts';
import { digest } from '../../base/json/canonical-json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isNotFound } from '../../service/client/prospecting-error.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { chooseExisting, describeUnclear } from './existing-blacklist.ts';
import { withRemedy } from '../../base/failures/application-failure.ts';
import { findOtherOwner, hasOwnershipMark, isOfInstallation, toElsewhereText } from './blacklist-owner.ts';
import { chooseBlacklist, findEarlierBlacklist } from './exclusion-blacklist.ts';

export interface ListedExclusion {
  readonly plan: ExclusionPlan;
  /** null: the next sync creates it, or there is a problem. */
  readonly blacklist: Blacklist | null;
  /** The blacklist of the last sync, where the service no longer has it, nor another one for the exclusion; otherwise null. */
  readonly deletedId: string | null;
  /** Why no sync uses the blacklist. */
  readonly problem: string | null;
  /** Other blacklists of that name that any installation of prospect-sync created, and this one does not update. */
  readonly copies: readonly Blacklist[];
  /** Names of the runs that use the exclusion. */
  readonly runs: readonly string[];
}

export interface ListedSearch {
  readonly prospectSearchId: string;
  /** Discovery runs with this profile. */
  readonly runs: readonly string[];
  readonly blacklists: readonly { readonly blacklist: Blacklist; readonly assignedByUs: boolean }[];
}

export interface BlacklistOverview {
  readonly exclusions: readonly ListedExclusion[];
  readonly searches: readonly ListedSearch[];
  /** Blacklists that any installation of prospect-sync made, and no exclusion of this configuration uses. */
  readonly orphans: readonly Blacklist[];
  /** Ids of the blacklists that this installation made. */
  readonly ownIds: ReadonlySet<string>;
}

interface OverviewDependencies {
  readonly prospecting: Pick<ProspectingClient, 'blacklists'>;
  /** null if there is none yet. */
  readonly ledger: Pick<
    Ledger,
    'installation' | 'blacklists' | 'exclusionScans' | 'profiles' | 'searchAssignments'
  > | null;
}

interface ConfiguredBlacklists {
  readonly exclusions: readonly ExclusionPlan[];
  readonly runs: readonly RunPlan[];
}

/** Only reads. */
export async function readBlacklistOverview(
  dependencies: OverviewDependencies,
  { exclusions: plans, runs }: ConfiguredBlacklists,
  signal: AbortSignal,
): Promise<BlacklistOverview> {
  const { prospecting, ledger } = dependencies;
  const listed = await prospecting.blacklists.list({ signal });
  const exclusions: ListedExclusion[] = [];
  for (const plan of plans) {
    const users = runs.filter((run) => run.exclusions.some(({ name }) => name === plan.name));
    const found = plan.existing === undefined ? await findOwn(ledger, plan, listed) : findExisting(plan, listed);
    exclusions.push({ plan, ...found, runs: users.map(({ runName }) => runName) });
  }
  const used = new Set(exclusions.flatMap(({ blacklist }) => blacklist?.id ?? []));
  const orphans: Blacklist[] = [];
  for (const blacklist of listed) {
    const isManaged = hasOwnershipMark(blacklist) || (await ledger?.blacklists.isKnown(blacklist.id)) === true;
    if (isManaged && !used.has(blacklist.id)) orphans.push(blacklist);
  }
  const installation = ledger?.installation ?? null;
  const own = listed.filter((blacklist) => isOfInstallation(blacklist, installation)).map(({ id }) => id);
  const searches = await readSearches(dependencies, runs, signal);
  return { exclusions, searches, orphans, ownIds: new Set(own) };
}

type FoundBlacklist = Pick<ListedExclusion, 'blacklist' | 'deletedId' | 'problem' | 'copies'>;

async function findOwn(
  ledger: OverviewDependencies['ledger'],
  { name, blacklist, adopt }: ExclusionPlan,
  listed: readonly Blacklist[],
): Promise<FoundBlacklist> {
  const known = await ledger?.blacklists.get(blacklist);
  const {
    used,
    isOurs,
    unused: copies,
  } = chooseBlacklist(listed, blacklist, {
    knownId: known?.blacklistId ?? null,
    installation: ledger?.installation ?? null,
  });
  if (used === null) {
    const earlier = ledger === null ? null : await findEarlierBlacklist(ledger, name, listed);
    const deletedId = earlier === null ? (known?.blacklistId ?? null) : null;
    return { blacklist: earlier, deletedId, problem: null, copies };
  }
  const owner = findOtherOwner(used, ledger?.installation ?? null);
  if (owner !== null) {
    const problem = withRemedy('BlacklistElsewhere', await toElsewhereText(used, owner, ledger));
    return { blacklist: used, deletedId: null, problem, copies };
  }
  if (isOurs || adopt) return { blacklist: used, deletedId: null, problem: null, copies };
  const problem = `prospect-sync did not create blacklist ${used.id}. Choose another name, attach it with existing, or set adopt: true to replace its entries`;
  return { blacklist: null, deletedId: null, problem, copies };
}

function findExisting(plan: ExclusionPlan, listed: readonly Blacklist[]): FoundBlacklist {
  const found = chooseExisting(listed, plan.blacklist);
  const [only = null] = found;
  return found.length === 1
    ? { blacklist: only, deletedId: null, problem: null, copies: [] }
    : { blacklist: null, deletedId: null, problem: describeUnclear(plan.blacklist, listed, found), copies: [] };
}

/** The prospect searches of the profiles of all discovery runs, as far as the profiles exist. */
async function readSearches(
  { prospecting, ledger }: OverviewDependencies,
  runs: readonly RunPlan[],
  signal: AbortSignal,
): Promise<ListedSearch[]> {
  if (ledger === null) return [];
  const discoveries = runs.filter(({ kind }) => kind === 'discovery');
  const searches: ListedSearch[] = [];
  for (const [contentHash, users] of Map.groupBy(discoveries, ({ profile }) => digest(profile))) {
    const profileId = (await ledger.profiles.get(contentHash))?.profileId;
    if (profileId == null) continue;
    const prospectSearchId = prospectSearchIdOf({ profile_id: profileId });
    const assigned = await readAssigned(prospecting, prospectSearchId, signal);
    const ownIds = new Set(await ledger.searchAssignments.list(prospectSearchId));
    searches.push({
      prospectSearchId,
      runs: users.map(({ runName }) => runName),
      blacklists: assigned.map((blacklist) => ({ blacklist, assignedByUs: ownIds.has(blacklist.id) })),
    });
  }
  return searches;
}

/** Returns an empty list for a prospect search that was deleted in the service. */
async function readAssigned(
  { blacklists }: Pick<ProspectingClient, 'blacklists'>,
  prospectSearchId: string,
  signal: AbortSignal,
): Promise<Blacklist[]> {
  try {
    return await blacklists.assigned(prospectSearchId, { signal });
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
