/** `blacklist`, `existing`, `description` and `attach` of an exclusion: which blacklist of the service it uses, and where. */
import { z } from 'zod';
import { limits } from '../service/contract/index.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { childOf, namedEntries } from './partial-validation.ts';
import { filledText } from './setting-values.ts';

/** Mark in the description of every blacklist that any installation of prospect-sync created. */
export const ownershipMark = 'Kept by prospect-sync; entries made by hand are removed.';

/** Name of the blacklist of an exclusion that has only `within`. */
export const defaultDeliveredBlacklist = 'Delivered by prospect-sync';

const nameOfBlacklist = filledText.max(limits.blacklistName.max);

export const blacklistNameSchema = nameOfBlacklist.describe(
  'Name of the blacklist in the service; a change renames it there',
);

export const existingSchema = nameOfBlacklist.describe(
  'Name or id of an existing blacklist of the service, which is attached and never changed',
);

/** Enough to distinguish the installations of an organization. */
const installationDigits = 12;

/** `installation`: `ledger.installation`. */
export function toInstallationName(installation: string): string {
  return installation.slice(0, installationDigits);
}

/** The line by which an installation recognises the blacklists that it created. `installation`: `ledger.installation`. */
export function toInstallationMark(installation: string): string {
  return `${ownershipMark} Installation ${toInstallationName(installation)}.`;
}

/** The name of the installation in the mark of a blacklist; null: there is none. */
export function readInstallationName(description: string): string | null {
  const [, rest = ''] = description.split(`${ownershipMark} Installation `);
  return /^([0-9a-f]{12})\./.exec(rest)?.[1] ?? null;
}

const markLength = toInstallationMark('0'.repeat(installationDigits)).length;

/** The mark needs a line of its own. */
const longestDescription = limits.blacklistDescription.max - markLength - 1;

export const descriptionSchema = filledText
  .max(longestDescription)
  .describe(
    `Description of the blacklist in the service, which prospect-sync follows by its mark of ${markLength} characters`,
  );

export const attachSchema = z
  .enum(['order', 'search', 'both'])
  .describe(
    'Where discovery runs attach the blacklist: to their orders (default), to the prospect search of their profile, or both',
  );

/** The description as the service stores it. */
export function toMarkedDescription(description: string | null, installation: string): string {
  const mark = toInstallationMark(installation);
  return description === null ? mark : `${description}\n${mark}`;
}

const settingsOfExisting = ['existing', 'attach'];

export function checkBlacklistName(path: readonly PropertyKey[], exclusion: unknown): PathProblem[] {
  const isSet = (key: string) => childOf(exclusion, key) !== undefined;
  if (isSet('existing')) {
    const remedy = 'Remove it: an existing blacklist is attached as it is. Known there: existing, attach';
    return namedEntries(exclusion)
      .filter(([key]) => !settingsOfExisting.includes(key))
      .map(([key]) => problemAt([...path, key], 'cannot be used together with existing', remedy, 'key'));
  }
  const hasName = isSet('blacklist') || (isSet('within') && !['hubspot', 'csv', 'xlsx'].some(isSet));
  if (hasName) return [];
  const remedy = 'Add blacklist: the name of a blacklist to create, or existing: the name or id of one that exists';
  return [problemAt(path, 'needs a blacklist', remedy, 'key')];
}

/** `nameOf`: exclusion by the name of its blacklist; receives this one. */
export function checkUniqueName(
  path: readonly [...PropertyKey[], PropertyKey],
  exclusion: unknown,
  nameOf: Map<string, string>,
): PathProblem[] {
  const [, exclusionName = ''] = path;
  const blacklist = nameOfBlacklist
    .default(defaultDeliveredBlacklist)
    .safeParse(childOf(exclusion, String(path.at(-1))));
  if (!blacklist.success) return [];
  const earlier = nameOf.get(blacklist.data);
  nameOf.set(blacklist.data, earlier ?? String(exclusionName));
  if (earlier === undefined) return [];
  const rule = `is already the blacklist of exclusions.${earlier}`;
  const remedy = 'Use another name: two exclusions with one blacklist would remove each other’s entries';
  return [problemAt(path, rule, remedy)];
}
