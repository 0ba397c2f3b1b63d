/** Which installation a blacklist belongs to, by the mark in its description. */
import {
  ownershipMark,
  readInstallationName,
  toInstallationMark,
  toInstallationName,
} from '../../config/blacklist-settings.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Blacklist } from '../../service/contract/index.ts';

/** `installation`: null without a ledger: no blacklist was created yet. */
export function isOfInstallation({ description }: Blacklist, installation: string | null): boolean {
  return installation !== null && description?.includes(toInstallationMark(installation)) === true;
}

/** True if any installation created the blacklist. */
export function hasOwnershipMark({ description }: Blacklist): boolean {
  return description?.includes(ownershipMark) === true;
}

/** The name of the other installation that the mark names; null: it names this one, or none. */
export function findOtherOwner({ description }: Blacklist, installation: string | null): string | null {
  const owner = readInstallationName(description ?? '');
  return installation !== null && owner === toInstallationName(installation) ? null : owner;
}

/** `ledger`: null if there is none yet. Without the name of the exclusion. */
export async function toElsewhereText(
  { id, name }: Blacklist,
  owner: string,
  ledger: Pick<Ledger, 'blacklists'> | null,
): Promise<string> {
  const isNew = ledger === null || (await ledger.blacklists.isUnused());
  const check =
    'this ledger is new: if there is an earlier one, correct --data-dir or the setting ledger first. Blacklist';
  return `${isNew ? check : 'blacklist'} ${id} ${JSON.stringify(name)} belongs to another installation (${owner})`;
}
