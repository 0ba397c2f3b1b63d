/** Checks which blacklist of the service each exclusion uses, and finds unused ones that prospect-sync created. */
import { chooseBlacklist, type BlacklistChoice } from '../exclusions/exclusion-blacklist.ts';
import type { Config } from '../config/config.ts';
import type { Blacklist } from '../contract/index.ts';
import type { Check } from '../hubspot/portal-checks.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** One check for each exclusion. `ledger`: null when there is none yet. */
export async function checkBlacklists(
  { exclusions }: Pick<Config, 'exclusions'>,
  listed: readonly Blacklist[],
  ledger: Pick<Ledger, 'blacklists'> | null,
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, { blacklist, adopt }] of Object.entries(exclusions)) {
    const known = await ledger?.blacklists.get(blacklist);
    const choice = chooseBlacklist(listed, blacklist, known?.blacklistId ?? null);
    checks.push({ check: `exclusions.${name}`, ...describeChoice(choice, adopt) });
  }
  return checks;
}

function describeChoice({ used, isOurs, unused }: BlacklistChoice, adopt: boolean): Pick<Check, 'state' | 'says'> {
  if (used === null) return { state: 'ok', says: 'no blacklist yet: the first sync creates it' };
  if (!isOurs && !adopt) {
    const says = `prospect-sync did not create blacklist ${used.id}. Choose another name, or set adopt: true to replace its entries`;
    return { state: 'problem', says };
  }
  if (unused.length === 0) return { state: 'ok', says: toText(used) };
  const others = unused.map(toText).join(', ');
  const says = `uses ${toText(used)}; prospect-sync created another one of that name and does not update it: ${others}. Delete it in the service, unless a prospect search uses it`;
  return { state: 'warning', says };
}

function toText({ id, entry_count: entries }: Blacklist): string {
  return `blacklist ${id} (${entries} entries)`;
}
