import type { PresentExclusion, WantedExclusion } from './exclusions.ts';
import type { Database } from './tables.ts';

export type AdditionsPage = { limit: number; after?: string };
export type RemovalsPage = { limit: number; after?: PresentExclusion };

export function listAdditions(
  db: Database,
  syncId: string,
  { limit, after = '' }: AdditionsPage,
): Promise<WantedExclusion[]> {
  return db
    .selectFrom('exclusionsWanted as wanted')
    .select(['wanted.hash', 'wanted.json'])
    .where('wanted.syncId', '=', syncId)
    .where('wanted.hash', '>', after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('exclusionsPresent as present')
            .select('present.entryId')
            .whereRef('present.syncId', '=', 'wanted.syncId')
            .whereRef('present.hash', '=', 'wanted.hash'),
        ),
      ),
    )
    .orderBy('wanted.hash')
    .limit(limit)
    .execute();
}

export function listRemovals(
  db: Database,
  syncId: string,
  { limit, after = { hash: '', entryId: '' } }: RemovalsPage,
): Promise<PresentExclusion[]> {
  return db
    .selectFrom('exclusionsPresent as present')
    .select(['present.entryId', 'present.hash'])
    .where('present.syncId', '=', syncId)
    .where((eb) => eb(eb.refTuple('present.hash', 'present.entryId'), '>', eb.tuple(after.hash, after.entryId)))
    .where((eb) =>
      eb.or([
        eb.not(
          eb.exists(
            eb
              .selectFrom('exclusionsWanted as wanted')
              .select('wanted.hash')
              .whereRef('wanted.syncId', '=', 'present.syncId')
              .whereRef('wanted.hash', '=', 'present.hash'),
          ),
        ),
        eb.exists(
          eb
            .selectFrom('exclusionsPresent as smaller')
            .select('smaller.entryId')
            .whereRef('smaller.syncId', '=', 'present.syncId')
            .whereRef('smaller.hash', '=', 'present.hash')
            .whereRef('smaller.entryId', '<', 'present.entryId'),
        ),
      ]),
    )
    .orderBy('present.hash')
    .orderBy('present.entryId')
    .limit(limit)
    .execute();
}
