/** The HubSpot portal of the ledger: its record ids and written values mean nothing in another one. */
import type { Database } from './tables.ts';

const name = 'hubspot_portal';

export function createPortalStore(db: Database) {
  const read = async (): Promise<number | null> => {
    const row = await db.selectFrom('ledgerSettings').select('value').where('name', '=', name).executeTakeFirst();
    return row === undefined ? null : Number(row.value);
  };
  return {
    /** null: nothing was written to HubSpot yet. */
    get: read,

    /** Remembers the first portal. @returns that of the ledger */
    async bind(portalId: number): Promise<number> {
      await db
        .insertInto('ledgerSettings')
        .values({ name, value: String(portalId) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await read()) ?? portalId;
    },
  };
}
