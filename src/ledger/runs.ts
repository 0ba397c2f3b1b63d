import { LedgerError } from './error.ts';
import type { Database, Tables } from './tables.ts';

export type RunRow = Tables['runs'];
type StartedRun = Pick<RunRow, 'runId' | 'runName' | 'kind' | 'workflowId' | 'startedAt'>;
type FinishedRun = { status: string; summaryJson: string; finishedAt: string };

/** One row a run of the pipeline. */
export function createRuns(db: Database) {
  return {
    /** Keeps how the run ended, when it has already ended. */
    async save({ runId, runName, kind, workflowId, startedAt }: StartedRun): Promise<void> {
      const facts = { runName, kind, workflowId, startedAt };
      await db
        .insertInto('runs')
        .values({ runId, ...facts })
        .onConflict((conflict) => conflict.column('runId').doUpdateSet(facts))
        .execute();
    },

    get(runId: string): Promise<RunRow | undefined> {
      return db.selectFrom('runs').selectAll().where('runId', '=', runId).executeTakeFirst();
    },

    /** The newest first. */
    latest(limit: number): Promise<RunRow[]> {
      return db
        .selectFrom('runs')
        .selectAll()
        .orderBy('startedAt', 'desc')
        .orderBy('runId', 'desc')
        .limit(limit)
        .execute();
    },

    /** @throws {LedgerError} `unknown` when the run was never saved */
    async finish(runId: string, { status, summaryJson, finishedAt }: FinishedRun): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('runs')
        .set({ status, summaryJson, finishedAt })
        .where('runId', '=', runId)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new LedgerError('unknown', `the ledger has no run ${runId}: save it first`);
    },
  };
}
