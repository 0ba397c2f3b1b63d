import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSocket, createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { LedgerError } from '../../src/ledger/ledger-error.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { awaitDatabase } from '../../src/worker/configured-clients.ts';
import { describeIf, needsPostgres } from '../helpers/describe-if.ts';
import { hasPostgres, startCluster } from '../helpers/postgres.ts';

const unreachable = (code: string) => new LedgerError('unreachable', `PostgreSQL at db:5432 is away (${code})`, code);

/** Connects after `failures` refusals; pauses take no time. */
async function connect(error: LedgerError, failures: number) {
  const lines: string[] = [];
  let calls = 0;
  const attempt = async () => {
    calls += 1;
    if (calls <= failures) throw error;
    return 'open';
  };
  const pause = () => Promise.resolve();
  const outcome = await awaitDatabase(attempt, { log: (line) => lines.push(line), pause }).catch(String);
  return { outcome, calls, lines };
}

describe('awaitDatabase', () => {
  it.each(['ECONNREFUSED', 'ENOENT', '57P01', '57P03', '53300'])(
    'waits while PostgreSQL refuses with %s',
    async (code) => {
      expect(await connect(unreachable(code), 2)).toEqual({ outcome: 'open', calls: 3, lines: [] });
      expect(await connect(unreachable(code), 20)).toEqual({
        outcome: 'open',
        calls: 21,
        lines: [`Waiting for the ledger for up to 60 s: PostgreSQL at db:5432 is away (${code}).`],
      });
    },
  );

  it('ends with the refusal after a minute', async () => {
    const { outcome, calls } = await connect(unreachable('57P03'), Infinity);
    expect({ outcome, calls }).toEqual({
      outcome: 'LedgerError: PostgreSQL at db:5432 is away (57P03). Waited 60 s for it',
      calls: 61,
    });
  });

  it.each([
    [unreachable('ENOTFOUND')],
    [new LedgerError('refused', 'PostgreSQL at db:5432 refused the login', '28P01')],
    [new LedgerError('full', 'PostgreSQL at db:5432 has a full disk', '53100')],
  ])('does not wait where only a change helps: %s', async (error) => {
    expect(await connect(error, 1)).toMatchObject({ outcome: String(error), calls: 1 });
  });
});

// Guarantee: Outages are waited out
describeIf(hasPostgres(), needsPostgres)('awaitDatabase with a real PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.end());

  it('opens the ledger as soon as the server listens on its port', async () => {
    const port = await freePort();
    const databaseUrl = `postgres://prospect@127.0.0.1:${port}/postgres`;
    const refusals: unknown[] = [];
    const pause = () => sleep(20);
    const opening = awaitDatabase(
      () =>
        openLedger({ databaseUrl }).catch((error: unknown) => {
          refusals.push(error);
          throw error;
        }),
      { log: () => {}, pause },
    );
    while (refusals.length === 0) await sleep(10);
    const server = createServer((client) => {
      const socket = connectSocket(path.join(cluster.folder, '.s.PGSQL.5432'));
      for (const end of [client, socket]) end.on('error', () => {});
      client.pipe(socket).pipe(client);
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await (await opening).close();
    server.close();
    expect(refusals).toContainEqual(expect.objectContaining({ reason: 'unreachable', code: 'ECONNREFUSED' }));
  });

  it('opens the ledger as soon as the server has a free connection', async () => {
    const admin = new Client(cluster.url);
    await admin.connect();
    await admin.query('create role busy login connection limit 0');
    await admin.query('create schema authorization busy');
    const databaseUrl = cluster.url.replace('//prospect@', '//busy@');
    const codes: unknown[] = [];
    const pause = async () => admin.query('alter role busy connection limit -1');
    const opening = awaitDatabase(
      () =>
        openLedger({ databaseUrl }).catch((error: unknown) => {
          codes.push(error);
          throw error;
        }),
      { log: () => {}, pause },
    );
    await (await opening).close();
    await admin.end();
    expect(codes).toEqual([expect.objectContaining({ reason: 'unreachable', code: '53300' })]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
