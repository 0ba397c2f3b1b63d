import { sql } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifierText, toIdentifierTest, type Identifier } from './redaction/identifiers.ts';
import { erasableTables } from './erasable-places.ts';
import type { ErasablePlace, ForgetContext, FoundCrmRecord } from './erasure-context.ts';
import { createErasedOrders, markErased } from './erased-orders.ts';
import { createErasureFailures, type ErasureFailures } from './erasure-failures.ts';
import type { Suppressions } from './suppression-store.ts';
import type { Database, DatabaseKind } from './tables.ts';
import type { Tombstones } from './tombstones.ts';

/** Number of erased rows of a place, or of rows that an erasure would erase. */
export interface ErasedRows extends Pick<ErasablePlace, 'holds' | 'remains'> {
  readonly place: string;
  readonly rows: number;
}

interface ErasureDependencies {
  readonly kind: DatabaseKind;
  readonly tombstones: Tombstones;
  readonly suppressions: Pick<Suppressions, 'addIn'>;
}

/** Returns the subjects that a reply suppresses, by the configured policy. */
export type RefusedBy = ForgetContext['refusedBy'];
const noRefusals: RefusedBy = () => [];
const ignore = () => undefined;

const compactingMark = 'compacting';
const checkpointAttempts = 50;
const checkpointDelayMs = 100;

/** Erases people, companies and expired orders from the tables. Every step can be repeated, and continues an interrupted one. */
export function createErasures(db: Database, { kind, tombstones, suppressions }: ErasureDependencies) {
  const count = async (
    { attempt }: Pick<ErasureFailures, 'attempt'>,
    run: (place: ErasablePlace) => Promise<number>,
  ): Promise<ErasedRows[]> => {
    const counts: ErasedRows[] = [];
    for (const place of erasableTables)
      counts.push(toErasedRows(place, await attempt(place.name, 0, () => run(place))));
    return counts;
  };

  const previewing = { preview: true, at: '', refusedBy: noRefusals, noteRecord: ignore, suppressions };

  return {
    ...createErasedOrders(db),

    /**
     * The identifiers of everything that these name: the addresses and profiles of a person's record, and of all people of a company.
     * Reads all slots, again as long as it finds further ones. When they cannot be read, `previewForget` reports it.
     */
    async findIdentifiers(given: Identifier): Promise<Identifier[]> {
      const known = new Map([[identifierText(given), given]]);
      for (;;) {
        const before = known.size;
        const learn = (_orderId: string, identifiers: readonly Identifier[]) => {
          for (const identifier of identifiers) known.set(identifierText(identifier), identifier);
        };
        const [slots] = erasableTables;
        const test = (identifier: Identifier) => known.has(identifierText(identifier));
        await createErasureFailures().attempt('', 0, async () => slots?.forget({ db, test, ...previewing, learn }));
        if (known.size === before) return [...known.values()];
      }
    },

    async previewForget(identifiers: readonly Identifier[], failures: ErasureFailures) {
      const test = toIdentifierTest(identifiers);
      const orderIds = new Set<string>();
      const learn = (orderId: string) => void orderIds.add(orderId);
      const records = new Map<string, FoundCrmRecord>();
      const noteRecord = (record: FoundCrmRecord) => void records.set(`${record.object} ${record.id}`, record);
      const tables = await count(failures, (place) => place.forget({ db, test, ...previewing, learn, noteRecord }));
      return { orderIds: [...orderIds], tables, records: [...records.values()] };
    },

    /** Erases everything that has a tombstone. */
    async forget(at: string, failures: ErasureFailures, refusedBy: RefusedBy): Promise<ErasedRows[]> {
      await startErasure();
      const test = (await tombstones.test()) ?? (() => false);
      return count(failures, (place) =>
        place.forget({ db, test, preview: false, at, learn: ignore, noteRecord: ignore, refusedBy, suppressions }),
      );
    },

    /** An order is marked as erased only when every place was erased: the next call continues the others. */
    async expire(
      cutoff: string,
      { at, preview, failures }: { readonly at: string; readonly preview: boolean; readonly failures: ErasureFailures },
    ) {
      const orderIds = await expiredOrders(db, cutoff);
      const expireAll = () => count(failures, (place) => place.expire({ db, cutoff, at, preview, orderIds }));
      if (preview) return { orderIds, tables: await expireAll() };
      const wasMarked = await isMarked();
      await startErasure();
      const before = failures.failed.length;
      const tables = await expireAll();
      if (failures.failed.length === before) for (const orderId of orderIds) await markErased(db, orderId, 'order', at);
      const isErased = orderIds.length > 0 || tables.some(({ rows }) => rows > 0);
      if (!isErased && !wasMarked) await removeMark();
      return { orderIds, tables };
    },

    /** True when an erasure was interrupted before the file was compacted. */
    needsCompaction: isMarked,

    /**
     * SQLite: rewrites the file, and empties the write-ahead log. @returns false when another process still reads the log, which is then
     * emptied later. PostgreSQL removes the row versions by itself (autovacuum).
     */
    async compact(): Promise<boolean> {
      if (kind === 'postgres') return true;
      await sql`vacuum`.execute(db);
      for (let attempt = 0; attempt < checkpointAttempts; attempt += 1) {
        const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
        if (rows[0]?.busy === 0) {
          await removeMark();
          return true;
        }
        await sleep(checkpointDelayMs);
      }
      return false;
    },
  };

  async function isMarked(): Promise<boolean> {
    const mark = db.selectFrom('ledgerSettings').select('name').where('name', '=', compactingMark);
    return (await mark.executeTakeFirst()) !== undefined;
  }

  async function removeMark(): Promise<void> {
    await db.deleteFrom('ledgerSettings').where('name', '=', compactingMark).execute();
  }

  /** Deleted rows are overwritten with zeros. The mark remains when the process dies before the file is compacted. */
  async function startErasure(): Promise<void> {
    if (kind === 'postgres') return;
    await sql`pragma secure_delete = on`.execute(db);
    await db
      .insertInto('ledgerSettings')
      .values({ name: compactingMark, value: '' })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

function toErasedRows({ name, holds, remains }: ErasablePlace, rows: number): ErasedRows {
  return { place: name, rows, holds, remains };
}

/** Orders that were collected or reconciled last before the cutoff, and those whose erasure was interrupted. */
async function expiredOrders(db: Database, cutoff: string): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .leftJoin('certificates', 'certificates.orderId', 'orders.orderId')
    .leftJoin('erasedOrders', 'erasedOrders.orderId', 'orders.orderId')
    .select(({ fn }) => [
      'orders.orderId',
      'orders.firstSeenAt',
      'erasedOrders.scope',
      fn.max('certificates.at').as('provenAt'),
    ])
    .where('orders.total', 'is not', null)
    .groupBy(['orders.orderId', 'orders.firstSeenAt', 'erasedOrders.scope'])
    .orderBy('orders.orderId')
    .execute();
  return rows
    .filter(({ scope }) => scope !== 'order')
    .filter(({ scope, firstSeenAt, provenAt }) => scope === 'erasing' || (provenAt ?? firstSeenAt) < cutoff)
    .map(({ orderId }) => orderId);
}
