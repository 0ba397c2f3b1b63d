import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { Client } from 'pg';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createPostgresDialect } from '../../src/ledger/postgres.ts';
import { hasPostgres, startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';

const unreachable = { name: 'LedgerError', reason: 'unreachable' };
const applicationName = `outage-${process.pid}`;
/** The lock of Kysely's migrator. */
const migrationLock = '3853314791062309107';

/** Closes all connections of the tests, like a restart of PostgreSQL or an administrator. */
const terminate = (admin: Client) =>
  admin.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1`, [
    applicationName,
  ]);

describeIf(hasPostgres(), needsPostgres)('openLedger when PostgreSQL closes connections', () => {
  let postgres: PostgresServer;
  let admin: Client;
  let databaseUrl: string;
  beforeAll(async () => {
    postgres = await startPostgres();
    const url = await postgres.createSchema();
    admin = new Client(url);
    await admin.connect();
    databaseUrl = `${url}&application_name=${applicationName}`;
  });
  afterAll(async () => {
    await admin?.end();
    await postgres?.stop();
  });

  it('fails an interrupted transaction, and connects again for the next one', async () => {
    const db = new Kysely<unknown>({ dialect: createPostgresDialect({ databaseUrl }) });
    await sql`create table entries (id integer primary key)`.execute(db);
    const write = (disturb: () => Promise<unknown>) =>
      db.transaction().execute(async (transaction) => {
        await sql`insert into entries values (1)`.execute(transaction);
        await disturb();
        await sql`insert into entries values (2)`.execute(transaction);
      });
    await expect(write(() => terminate(admin))).rejects.toMatchObject(unreachable);
    await write(() => Promise.resolve());
    const { rows } = await sql`select id from entries order by id`.execute(db);
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
    await db.destroy();
  });

  it('fails a start that waits for the migration of another process, and allows the next one', async () => {
    await admin.query(`select pg_advisory_lock(${migrationLock})`);
    const failure = openLedger({ databaseUrl }).catch((error: unknown) => error);
    const waits = `select 1 from pg_stat_activity where application_name = $1 and wait_event = 'advisory'`;
    while ((await admin.query(waits, [applicationName])).rowCount === 0) await sleep(10);
    await terminate(admin);
    expect(await failure).toMatchObject(unreachable);
    await admin.query(`select pg_advisory_unlock(${migrationLock})`);
    await (await openLedger({ databaseUrl })).close();
  });

  // Guarantee: Outages are waited out
  it('survives between two batches of a stream of slots', async () => {
    const ledger = await openLedger({ databaseUrl });
    const slots = Array.from({ length: 501 }, (_, position) => {
      return { position, hash: `${position}`, status: 'ENRICHED', reasonCodes: [], externalId: null, json: '{}' };
    });
    await ledger.slots.save('order', slots);
    const reading = ledger.slots.stream('order');
    expect((await reading.next()).value).toHaveLength(500);
    await terminate(admin);
    await ledger.condition.ask().catch(() => {}); // may still be sent over the connection that is gone
    expect((await reading.next()).value).toMatchObject([{ position: 500 }]);
    await ledger.close();
  });
});

describe('createPostgresDialect', () => {
  it('frees its places in the pool when connections break immediately', async () => {
    const poolSize = 10;
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      speakPostgres(socket, connections > poolSize);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const databaseUrl = `postgres://prospect@127.0.0.1:${port}/ledger`;
    const db = new Kysely<unknown>({ dialect: createPostgresDialect({ databaseUrl }) });
    for (let attempt = 0; attempt < poolSize; attempt += 1)
      await expect(sql`select 1`.execute(db)).rejects.toMatchObject(unreachable);
    await sql`select 1`.execute(db);
    await db.destroy();
    server.close();
  });
});

/** Accepts the client, and answers each query with no rows, or breaks the connection at the first one. */
function speakPostgres(socket: Socket, answers: boolean): void {
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const ready = message('Z', Buffer.from('I'));
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
    socket.on('data', (data) => {
      if (!answers) socket.destroy();
      else if (data.toString().startsWith('Q'))
        socket.write(Buffer.concat([message('C', Buffer.from('SELECT 0\0')), ready]));
    });
  });
}
