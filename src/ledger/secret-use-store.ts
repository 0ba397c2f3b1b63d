import type { Database, Tables } from './tables.ts';

/** Deliveries to an endpoint that a signing secret has verified. */
export type SecretUse = Tables['webhookSecretUses'];

export type SecretUseStore = ReturnType<typeof createSecretUseStore>;

export function createSecretUseStore(db: Database) {
  return {
    add: async (uses: readonly SecretUse[]): Promise<void> => {
      await db
        .insertInto('webhookSecretUses')
        .values([...uses])
        .onConflict((conflict) =>
          conflict.columns(['endpoint', 'fingerprint']).doUpdateSet((eb) => ({
            deliveries: eb('webhookSecretUses.deliveries', '+', eb.ref('excluded.deliveries')),
            lastAt: eb.ref('excluded.lastAt'),
          })),
        )
        .execute();
    },

    list: (): Promise<SecretUse[]> =>
      db.selectFrom('webhookSecretUses').selectAll().orderBy('lastAt', 'desc').execute(),
  };
}
