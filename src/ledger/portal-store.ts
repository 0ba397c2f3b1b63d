/** The HubSpot portal of the ledger: its record ids and written values are invalid in another portal. */
import type { Database } from './tables.ts';

const name = 'hubspot_portal';

export function createPortalStore(db: Database) {
  const read = async (): Promise<number | null> => {
    const row = await db.selectFrom('ledgerSettings').select('value').where('name', '=', name).executeTakeFirst();
    return row === undefined ? null : Number(row.value);
  };
  return {
    /** null if nothing was written to HubSpot yet. */
    get: read,

    /** Stores the first portal. @returns the portal of the ledger */
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
