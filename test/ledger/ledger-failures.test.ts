import { DatabaseError } from 'pg';

import { explainPostgres } from '../../src/ledger/postgres.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { createSqliteDialect, explainSqlite } from '../../src/ledger/sqlite.ts';

describe('explainSqlite', () => {
  const fail = (errcode: number) => Object.assign(new Error('sql'), { errcode });

  it.each([
    [5 | (2 << 8), 'locked', /is locked by another process/],
    [8, 'refused', /is read-only/],
    [11, 'damaged', /is damaged/],
    [13, 'full', /the disk is full/],
    [14, 'refused', /cannot be opened/],
    [19 | (6 << 8), 'failed', /SQLite result code 19/],
  ])('explains result code %i', (errcode, reason, message) => {
    const error = explainSqlite(fail(errcode), '/data/ledger.db');
    expect(error).toMatchObject({ name: 'LedgerError', reason, message: expect.stringMatching(message) });
    expect(error).toMatchObject({ message: expect.stringContaining('/data/ledger.db') });
  });

  it('explains that a folder cannot be created because the disk is full', () => {
    const error = explainSqlite(Object.assign(new Error('mkdir'), { code: 'ENOSPC' }), '/data/ledger.db');
    expect(error).toMatchObject({ reason: 'full', code: 'ENOSPC' });
  });

  it('says that the disk is full, also of a transaction, which SQLite has then rolled back itself', async () => {
    const dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'full-')), 'data');
    const db = new Kysely({ dialect: createSqliteDialect({ dataDir, busyTimeoutMilliseconds: 100 }) });
    await sql`create table filling (text text)`.execute(db);
    await sql`pragma max_page_count = 10`.execute(db);
    const fill = db.transaction().execute(async (transaction) => {
      for (let count = 0; count < 100; count += 1)
        await sql`insert into filling values (${'x'.repeat(4_000)})`.execute(transaction);
    });
    await expect(fill).rejects.toMatchObject({ reason: 'full', message: expect.stringMatching(/the disk is full/) });
    await db.destroy();
  });

  it('returns an unknown error unchanged', () => {
    const error = new TypeError('a bug');
    expect(explainSqlite(error, '/data/ledger.db')).toBe(error);
  });
});

describe('explainPostgres', () => {
  const fail = (code: string) =>
    Object.assign(new DatabaseError('invalid input: "Erika Mustermann"', 1, 'error'), {
      code,
      detail: 'Key (name)=(Erika Mustermann) already exists.',
      table: 'slots',
    });

  it.each([
    ['28P01', 'refused', /Check the name, the password/],
    ['3D000', 'refused', /has no such database/],
    ['40P01', 'locked', /Try again/],
    ['42P07', 'refused', /a separate database or schema/],
    ['42501', 'refused', /Grant this user/],
    ['53100', 'full', /full disk/],
    ['53300', 'unreachable', /no connection or memory left/],
    ['57P03', 'unreachable', /is starting/],
    ['23505', 'failed', /refused a statement \(SQLSTATE 23505 on slots\)/],
  ])('explains SQLSTATE %s without the quoted values', (code, reason, message) => {
    const error = explainPostgres(fail(code), 'db.example.test:5432');
    expect(error).toMatchObject({ name: 'LedgerError', reason, code, message: expect.stringMatching(message) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^PostgreSQL at db\.example\.test:5432 /) });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('Mustermann');
  });

  it.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /Add sslrootcert=FILE with its CA to the address/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /for another name/],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /cannot be reached over TLS/],
  ])('does not report %s as an outage', (code, message) => {
    const error = explainPostgres(Object.assign(new Error('tls'), { code }), 'db.example.test:5432');
    expect(error).toMatchObject({ reason: 'refused', code, message: expect.stringMatching(message) });
    const outage = explainPostgres(Object.assign(new Error('tcp'), { code: 'ECONNRESET' }), 'db.example.test:5432');
    expect(outage).toMatchObject({ reason: 'unreachable' });
  });

  it('explains that the connection was closed', () => {
    const error = explainPostgres(new Error('Connection terminated unexpectedly'), 'db.example.test:5432');
    expect(error).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('Connection terminated') });
  });
});
