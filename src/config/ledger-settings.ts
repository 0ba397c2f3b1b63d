/** `ledger`: the database of results and outcomes. */
import type { Environment } from '../base/host/environment-variables.ts';
import { z } from 'zod';
import { checkVariable, toSecret, fromEnvironment } from './environment.ts';
import type { PathProblem } from './problems.ts';
import { childOf } from './partial-validation.ts';

export const ledgerSchema = z
  .strictObject({
    database_url: fromEnvironment
      .optional()
      .describe('Address of a PostgreSQL database, as {env: NAME}; required when several machines share the ledger'),
  })
  .prefault({})
  .describe('Where results and outcomes are kept: SQLite in the data folder, or PostgreSQL');

/** Its value may hold a password, and is never printed. */
export const databaseVariable = { pattern: /^postgres(?:ql)?:\/\/\S+$/, rule: 'must hold a postgres:// address' };

export function checkLedger(ledger: unknown, env: Environment): PathProblem[] {
  return checkVariable(['ledger', 'database_url', 'env'], childOf(ledger, 'database_url'), databaseVariable, env);
}

export function toLedger(ledger: z.infer<typeof ledgerSchema>, env: Environment) {
  return {
    /** null: SQLite in the data folder. */
    databaseUrl: ledger.database_url ? toSecret(ledger.database_url, env) : null,
  };
}

export const ledgerTemplate = `# Results and outcomes are kept in SQLite in the data folder, .prospect-sync beside this file. Several machines share a
# PostgreSQL database instead.
# ledger:
#   database_url: {env: DATABASE_URL}     # postgres://…
`;
