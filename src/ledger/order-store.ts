/** Orders, their publication and delivery. */
import { z } from 'zod';
import { unsuccessfulOrderStatuses } from '../service/contract/enum-values.ts';
import { LedgerError } from './ledger-error.ts';
import { readStored } from './stored-value.ts';
import { createNamedOrders } from './named-orders.ts';
import { createOrderCalendar } from './order-calendar.ts';
import { createPlacedOrders } from './placed-orders.ts';
import { toCodes } from './stored-slot.ts';
import { batchesOf } from './query-batches.ts';
import type { Database, Tables } from './tables.ts';

type OrderTable = Tables['orders'];

export type OrderFacts = Pick<
  OrderTable,
  'orderId' | 'runName' | 'kind' | 'status' | 'profileId' | 'requestedCount'
> & {
  externalIdsAreRecordIds: boolean;
  /** Ordered features; null keeps the stored ones. */
  features?: readonly string[] | null;
  /** `expect.min_delivered` of the run; null keeps the stored one. */
  minDeliveredPercent?: number | null;
  /** `expect.max_without_people` of the run; null keeps the stored one. */
  maxWithoutPeoplePercent?: number | null;
  /** The title that the service returned; null keeps the stored one. */
  title?: string | null;
  /** The run with whose settings it is delivered; null keeps the stored one. */
  deliveringRun?: string | null;
};

/** Planned destinations of the results. Stored, because missing outcomes cannot show them. */
export interface PlannedDelivery {
  readonly crm: boolean;
  readonly spreadsheets: readonly ('csv' | 'xlsx')[];
  /** Destinations of the outputs of the service, for example `csv en`. */
  readonly serviceOutputs: readonly string[];
}
export type Publication = { total: number; summaryJson: string };
/** The fields of the publication are null until `publish`. */
export type OrderRow = OrderFacts & { [K in keyof Publication]: Publication[K] | null } & Pick<
    OrderTable,
    'delivered' | 'minDeliveredPercent' | 'maxWithoutPeoplePercent' | 'publishedAt'
  > & { readonly delivery: PlannedDelivery | null };

/** Orders that neither failed nor have a certificate. `oldest`: when the first of them was stored, ISO 8601. */
export interface OpenOrders {
  readonly count: number;
  readonly oldest: string | null;
}

export function createOrderStore(db: Database, now: () => Date = () => new Date()) {
  return {
    ...createPlacedOrders(db),
    ...createNamedOrders(db),
    ...createOrderCalendar(db),

    /** Keeps the stored publication, and a stored run or profile when none is given. */
    async save(order: OrderFacts): Promise<void> {
      const { orderId, runName, kind, status, profileId, requestedCount } = order;
      const { features = null, minDeliveredPercent = null, maxWithoutPeoplePercent = null } = order;
      const { title = null, deliveringRun = null } = order;
      const featuresJson = features === null ? null : JSON.stringify(features);
      const externalIdsAreRecordIds = order.externalIdsAreRecordIds ? 1 : 0;
      const facts = { kind, status, requestedCount, externalIdsAreRecordIds };
      await db
        .insertInto('orders')
        .values({
          orderId,
          runName,
          profileId,
          featuresJson,
          minDeliveredPercent,
          maxWithoutPeoplePercent,
          title,
          deliveringRun,
          ...facts,
          firstSeenAt: now().toISOString(),
        })
        .onConflict((conflict) =>
          conflict.column('orderId').doUpdateSet((eb) => ({
            ...facts,
            runName: eb.fn.coalesce(eb.ref('excluded.runName'), eb.ref('orders.runName')),
            profileId: eb.fn.coalesce(eb.ref('excluded.profileId'), eb.ref('orders.profileId')),
            title: eb.fn.coalesce(eb.ref('excluded.title'), eb.ref('orders.title')),
            deliveringRun: eb.fn.coalesce(eb.ref('excluded.deliveringRun'), eb.ref('orders.deliveringRun')),
            featuresJson: eb.fn.coalesce(eb.ref('orders.featuresJson'), eb.ref('excluded.featuresJson')),
            minDeliveredPercent: eb.fn.coalesce(
              eb.ref('excluded.minDeliveredPercent'),
              eb.ref('orders.minDeliveredPercent'),
            ),
            maxWithoutPeoplePercent: eb.fn.coalesce(
              eb.ref('excluded.maxWithoutPeoplePercent'),
              eb.ref('orders.maxWithoutPeoplePercent'),
            ),
          })),
        )
        .execute();
    },

    async get(orderId: string): Promise<OrderRow | undefined> {
      const row = await db.selectFrom('orders').selectAll().where('orderId', '=', orderId).executeTakeFirst();
      if (row === undefined) return undefined;
      const { firstSeenAt: _, deliveryAt: __, featuresJson, deliveryJson, ...facts } = row;
      const features = featuresJson === null ? null : toCodes(featuresJson);
      const delivery =
        deliveryJson === null
          ? null
          : readStored('the delivery of an order', () => deliverySchema.parse(JSON.parse(deliveryJson)));
      return { ...facts, features, delivery, externalIdsAreRecordIds: row.externalIdsAreRecordIds === 1 };
    },

    /** Call before anything is delivered. */
    async saveDelivery(orderId: string, delivery: PlannedDelivery): Promise<void> {
      await db
        .updateTable('orders')
        .set({ deliveryJson: JSON.stringify(delivery), deliveryAt: now().toISOString() })
        .where('orderId', '=', orderId)
        .execute();
    },

    /** Keeps a later time that is stored already. `publishedAt`: ISO 8601 in UTC with milliseconds. */
    async savePublishedAt(orderId: string, publishedAt: string): Promise<void> {
      await db
        .updateTable('orders')
        .set({ publishedAt })
        .where('orderId', '=', orderId)
        .where((eb) => eb.or([eb('publishedAt', 'is', null), eb('publishedAt', '<', publishedAt)]))
        .execute();
    },

    /** Publication times by order id; null if the results were not collected, absent for unknown orders. */
    async publications(orderIds: readonly string[]): Promise<Map<string, string | null>> {
      const publications = new Map<string, string | null>();
      for (const chunk of batchesOf([...new Set(orderIds)])) {
        const rows = await db
          .selectFrom('orders')
          .select(['orderId', 'publishedAt'])
          .where('orderId', 'in', [...chunk])
          .execute();
        for (const { orderId, publishedAt } of rows) publications.set(orderId, publishedAt);
      }
      return publications;
    },

    async saveDelivered(orderId: string, delivered: number): Promise<void> {
      await db.updateTable('orders').set({ delivered }).where('orderId', '=', orderId).execute();
    },

    /** Orders by id; unknown orders are absent. */
    async quantities(orderIds: readonly string[]): Promise<Map<string, { ordered: number; delivered: number | null }>> {
      if (orderIds.length === 0) return new Map();
      const rows = await db
        .selectFrom('orders')
        .select(['orderId', 'requestedCount', 'delivered'])
        .where('orderId', 'in', [...orderIds])
        .execute();
      return new Map(rows.map(({ orderId, requestedCount: ordered, delivered }) => [orderId, { ordered, delivered }]));
    },

    async open(): Promise<OpenOrders> {
      return (
        db
          .selectFrom('orders')
          .leftJoin('certificates', 'certificates.orderId', 'orders.orderId')
          .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('orders.firstSeenAt').as('oldest')])
          .where('orders.status', 'not in', [...unsuccessfulOrderStatuses])
          .where('certificates.orderId', 'is', null)
          // COMPLETED orders from before immutable results are never published.
          .where((eb) => eb.or([eb('orders.total', 'is not', null), eb('orders.status', '<>', 'COMPLETED')]))
          .executeTakeFirstOrThrow()
      );
    },

    async countOfProfile(profileId: string): Promise<number> {
      const { count } = await db
        .selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('profileId', '=', profileId)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** @throws {LedgerError} `changed` when another total is stored, `unknown` without such an order */
    async publish(orderId: string, { total, summaryJson }: Publication): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('orders')
        .set({ total, summaryJson })
        .where('orderId', '=', orderId)
        .where((eb) => eb.or([eb('total', 'is', null), eb('total', '=', total)]))
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
      const stored = await db.selectFrom('orders').select('total').where('orderId', '=', orderId).executeTakeFirst();
      if (!stored) throw unknownOrder(orderId);
      throw new LedgerError(
        'changed',
        `order ${orderId} was published with ${stored.total} slots and now has ${total}: a published set never changes. Contact the service's support`,
      );
    },
  };
}

const deliverySchema = z.object({
  crm: z.boolean(),
  spreadsheets: z.array(z.enum(['csv', 'xlsx'])),
  serviceOutputs: z.array(z.string()),
}) satisfies z.ZodType<PlannedDelivery>;

function unknownOrder(orderId: string): LedgerError {
  return new LedgerError('unknown', `the ledger has no order ${orderId}. Save it first`);
}
