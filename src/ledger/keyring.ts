/** Digests under the secret of the ledger: without it, they do not show whether a person is in the ledger. */
import { createHmac, createSecretKey } from 'node:crypto';
import type { Database } from './tables.ts';
import { LedgerError } from './ledger-error.ts';
import { identifierText, type Identifier } from './redaction/identifiers.ts';

export type Keyring = ReturnType<typeof createKeyring>;

export function createKeyring(secret: string) {
  // Bytes would be made a key anew for each digest, which takes eight times as long.
  const key = createSecretKey(secret, 'base64url');
  const digest = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    /** Names this ledger outside of it: the same for all its workers and its backups, and different for every other ledger. */
    installation: createHmac('sha256', key).update('installation').digest('hex'),
    /** The form in which the ledger stores a `prospect_sync_contact_key`. */
    contactKey: (plain: string): string => `hmac:${digest(`contact\n${plain}`)}`,
    tombstone: (identifier: Identifier): string => digest(`tombstone\n${identifierText(identifier)}`),
  };
}

/** The first migration has stored the secret. */
export async function readKeyring(db: Database): Promise<Keyring> {
  const row = await db.selectFrom('ledgerSettings').select('value').where('name', '=', 'secret').executeTakeFirst();
  if (row === undefined)
    throw new LedgerError('damaged', 'the ledger has lost its secret (table ledger_settings). Restore a backup');
  return createKeyring(row.value);
}
