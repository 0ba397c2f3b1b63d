/** Assigns blacklists to the prospect search of a profile. The service replaces all assignments, so those of other clients are sent again. */
import type { ExclusionPlan, RunPlan } from '../../config/run-plan.ts';
import { limits } from '../../service/contract/index.ts';
import { nonRetryable } from '../../base/failures/application-failure.ts';
import { digest } from '../../base/json/canonical-json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ProspectingClient } from '../../service/client/prospecting-client.ts';
import { readBlacklistId } from './existing-blacklist.ts';

interface AssignmentDependencies {
  readonly prospecting: Pick<ProspectingClient, 'blacklists'>;
  readonly ledger: Pick<Ledger, 'blacklists' | 'attachedBlacklists' | 'searchAssignments'>;
}

export interface SearchToAssign {
  readonly prospectSearchId: string;
  readonly blacklistIds: readonly string[];
}

export interface AssignedSearch {
  readonly assigned: number;
  readonly unassigned: number;
}

/** Another client may replace the assignments between the read and the write. */
const attempts = 3;

/**
 * Assigns the blacklists, and removes earlier assignments of prospect-sync that are no longer configured. Reads the result back.
 * @throws TooManyAssignments or AssignmentsChanging
 */
export async function assignToSearch(
  dependencies: AssignmentDependencies,
  { prospectSearchId, blacklistIds }: SearchToAssign,
  signal: AbortSignal,
): Promise<AssignedSearch> {
  const { prospecting, ledger } = dependencies;
  const assignedByUs = new Set(await ledger.searchAssignments.list(prospectSearchId));
  if (blacklistIds.length === 0 && assignedByUs.size === 0) return { assigned: 0, unassigned: 0 };
  const wanted = new Set(blacklistIds);
  const unwanted = new Set([...assignedByUs].filter((id) => !wanted.has(id)));
  const added = new Set<string>();
  for (let attempt = 0; attempt <= attempts; attempt += 1) {
    const current = (await prospecting.blacklists.assigned(prospectSearchId, { signal })).map(({ id }) => id);
    const missing = blacklistIds.filter((id) => !current.includes(id));
    const isDone = missing.length === 0 && !current.some((id) => unwanted.has(id));
    if (isDone) {
      await ledger.searchAssignments.remove(prospectSearchId, [...unwanted]);
      return { assigned: added.size, unassigned: unwanted.size };
    }
    const next = [...current.filter((id) => !unwanted.has(id)), ...missing];
    assertWithinLimit(prospectSearchId, { next, wanted });
    // Stored before the request: a retry after a lost answer finds the assignments and must recognise them as its own.
    await ledger.searchAssignments.add(prospectSearchId, missing);
    for (const id of missing) added.add(id);
    await prospecting.blacklists.assign(prospectSearchId, next, { signal });
  }
  throw nonRetryable(
    'AssignmentsChanging',
    `prospect search ${prospectSearchId} had other blacklists than were assigned, ${attempts} times in a row`,
  );
}

function assertWithinLimit(
  prospectSearchId: string,
  { next, wanted }: { next: readonly string[]; wanted: ReadonlySet<string> },
): void {
  const { max } = limits.blacklistIdsPerAssignment;
  if (next.length <= max) return;
  const others = next.filter((id) => !wanted.has(id)).length;
  throw nonRetryable(
    'TooManyAssignments',
    `prospect search ${prospectSearchId} has ${others} blacklists of others, and ${wanted.size} are to be assigned: at most ${max} are possible. Nothing was changed`,
  );
}

/** The blacklists that all configured discovery runs with this profile assign to its prospect search. */
export async function readWantedAssignments(
  ledger: AssignmentDependencies['ledger'],
  runs: readonly Pick<RunPlan, 'kind' | 'profile' | 'exclusions'>[],
  profile: RunPlan['profile'],
): Promise<string[]> {
  const profileDigest = digest(profile);
  const exclusions = runs
    .filter((run) => run.kind === 'discovery' && digest(run.profile) === profileDigest)
    .flatMap((run) => run.exclusions.filter(isAssigned));
  const ids = await Promise.all(exclusions.map((exclusion) => readBlacklistId(ledger, exclusion)));
  return [...new Set(ids.flatMap((id) => id ?? []))];
}

function isAssigned({ attach }: ExclusionPlan): boolean {
  return attach !== undefined;
}
