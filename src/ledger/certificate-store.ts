/** Certificates of reconciliations, the origin of their orders, and the signing key. */
import { z } from 'zod';
import type { StoredPaths } from './stored-paths.ts';
import type { Database, Tables } from './tables.ts';

export type CertificateRow = Tables['certificates'];

/** The origin of an order, as far as the ledger knows it. Times are ISO 8601. */
export interface OrderOrigin {
  readonly firstStoredAt: string | null;
  /** Time at which the request for the order was stored, before it was sent. */
  readonly requestedAt: string | null;
  /** The newest time in each table that has one of the order. */
  readonly changed: Readonly<Record<string, string>>;
  /** Mapping versions of the written records. */
  readonly mappingVersions: readonly string[];
}

const findingsSchema = z.array(z.object({ code: z.string(), count: z.number() }));

export type FindingCount = z.infer<typeof findingsSchema>[number];

/** The result of each reconciliation of an order. `reconciled` of `total` slots are proven. */
export function createCertificateStore(db: Database, { toStored, fromStored }: StoredPaths) {
  return {
    async save({ orderId, at, path, ...others }: CertificateRow): Promise<void> {
      const facts = { ...others, path: toStored(path) };
      await db
        .insertInto('certificates')
        .values({ orderId, at, ...facts })
        .onConflict((conflict) => conflict.columns(['orderId', 'at']).doUpdateSet(facts))
        .execute();
    },

    async latest(orderId: string): Promise<CertificateRow | undefined> {
      const row = await db
        .selectFrom('certificates')
        .selectAll()
        .where('orderId', '=', orderId)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row === undefined ? undefined : { ...row, path: fromStored(row.path) };
    },

    /** The latest one without a finding whose code begins with `code`. */
    latestWithout(orderId: string, code: string): Promise<CertificateRow | undefined> {
      return db
        .selectFrom('certificates')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('findingsJson', 'not like', `%"code":"${code}%`)
        .orderBy('at', 'desc')
        .limit(1)
        .executeTakeFirst();
    },

    /** Findings of the latest reconciliation of each order. */
    async findingsOf(orderIds: readonly string[]): Promise<Map<string, FindingCount[]>> {
      if (orderIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('certificates')
        .select(['orderId', 'findingsJson'])
        .where('orderId', 'in', orderIds)
        .orderBy('at')
        .execute();
      return new Map(
        rows.map(({ orderId, findingsJson }) => [orderId, findingsSchema.parse(JSON.parse(findingsJson))]),
      );
    },

    async origin(orderId: string): Promise<OrderOrigin> {
      const order = await db
        .selectFrom('orders')
        .select('firstSeenAt')
        .where('orderId', '=', orderId)
        .executeTakeFirst();
      const request = await db
        .selectFrom('orderRequests')
        .select(({ fn }) => fn.min('at').as('at'))
        .where('orderId', '=', orderId)
        .executeTakeFirst();
      const mappings = await db
        .selectFrom('outcomes')
        .select('mappingVersion')
        .distinct()
        .where('orderId', '=', orderId)
        .where('mappingVersion', 'is not', null)
        .orderBy('mappingVersion')
        .execute();
      return {
        firstStoredAt: order?.firstSeenAt ?? null,
        requestedAt: request?.at ?? null,
        changed: await readChanges(db, orderId),
        mappingVersions: mappings.flatMap(({ mappingVersion }) => mappingVersion ?? []),
      };
    },
  };
}

/** What is stored about an order once it was collected, and where its time is. */
const changes = [
  ['orders', 'deliveryAt'],
  ['outcomes', 'at'],
  ['files', 'writtenAt'],
  ['outputs', 'at'],
  ['replacedSlots', 'replacedAt'],
  ['erasedOrders', 'at'],
  ['erasedFiles', 'at'],
] as const;

/** Times of several clocks: only that each is the same shows that nothing was stored since. */
async function readChanges(db: Database, orderId: string): Promise<Record<string, string>> {
  const newest: Record<string, string> = {};
  for (const [table, column] of changes) {
    const ofOrder = db.selectFrom(table).where('orderId', '=', orderId);
    const row = await ofOrder.select((eb) => eb.fn.max<string | null>(eb.ref(column)).as('at')).executeTakeFirst();
    if (row?.at != null) newest[toSnakeCase(table)] = row.at;
  }
  return newest;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const certificatePurpose = 'certificates';

/** One private key for all workers of a ledger. */
export function createSigningKeys(db: Database) {
  return {
    /** Stores the given key unless there is one. @returns the stored key, PKCS #8 in base64 */
    async keepFirst(privateKey: string, createdAt: string): Promise<string> {
      await db
        .insertInto('signingKeys')
        .values({ purpose: certificatePurpose, privateKey, createdAt })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('signingKeys')
        .select('privateKey')
        .where('purpose', '=', certificatePurpose)
        .executeTakeFirstOrThrow();
      return row.privateKey;
    },

    /** undefined until the first certificate is signed. */
    async get(): Promise<string | undefined> {
      const row = await db
        .selectFrom('signingKeys')
        .select('privateKey')
        .where('purpose', '=', certificatePurpose)
        .executeTakeFirst();
      return row?.privateKey;
    },
  };
}
