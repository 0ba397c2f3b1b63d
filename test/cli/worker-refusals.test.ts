import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp2Server, createSecureServer } from 'node:http2';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { createServiceSandbox } from '../../sandbox/service/service-sandbox.ts';
import { spawnCommand } from '../helpers/command.ts';
import { runCommand } from '../helpers/run-command.ts';
import { serveFetch } from '../helpers/serve-fetch.ts';
import { sampleOf, itOfAll } from '../helpers/sample.ts';

const config = `
service: {base_url: {env: SERVICE_URL}, api_key: {env: API_KEY}}
hubspot: {base_url: {env: HUBSPOT_URL}, token: {env: HUBSPOT_TOKEN}}
runs:
  weekly:
    kind: discovery
    briefing_quantity: 10
    profile: {profile_name: a, ideal_customer_profile: b, target_countries: [DE]}
`;
const fixture = (name: string) => path.join(__dirname, '../fixtures', name);

let folder: string;
let env: Record<string, string>;
const closing: (() => void)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-refused-'));
  const service = createServiceSandbox();
  const hubspot = createHubSpotSandbox();
  const served = [await serveFetch(service.fetch), await serveFetch(hubspot.fetch)] as const;
  closing.push(...served.map(({ close }) => close));
  env = {
    SERVICE_URL: served[0].url,
    API_KEY: service.createOrganization({ name: 'a' }).apiKey,
    HUBSPOT_URL: served[1].url,
    HUBSPOT_TOKEN: hubspot.createPortal({ name: 'a' }).token,
  };
  await writeFile(path.join(folder, 'prospect-sync.yaml'), config);
  const withLedger = config.replace('runs:', 'ledger: {database_url: {env: DATABASE_URL}}\nruns:');
  await writeFile(path.join(folder, 'postgres.yaml'), withLedger);
});
afterAll(async () => {
  closing.forEach((close) => close());
  await rm(folder, { recursive: true, force: true });
});

async function listen(server: Server, port = 0): Promise<number> {
  closing.push(() => server.close());
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks for a password, refuses it, and keeps what else it was asked. */
async function startRefusingPostgres(at = 0) {
  const asked: Buffer[] = [];
  const message = (type: string, body: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const cleartextPassword = Buffer.from([0, 0, 0, 3]);
  const refusal = 'SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed for user "prospect"\0\0';
  const port = await listen(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(message('R', cleartextPassword));
        socket.once('data', () => {
          socket.on('data', (chunk: Buffer) => asked.push(chunk));
          socket.end(message('E', Buffer.from(refusal)));
        });
      });
    }),
    at,
  );
  return { url: `postgres://prospect:not-to-be-told@127.0.0.1:${port}/ledger`, asked };
}

/** A Temporal that knows no namespace: gRPC's NOT_FOUND to that question, empty answers to all others. */
async function startForeignTemporal() {
  const calls: string[] = [];
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    const call = String(headers[':path']).split('/').at(-1) ?? '';
    calls.push(call);
    stream.on('error', () => {});
    const type = { 'content-type': 'application/grpc' };
    if (call === 'DescribeNamespace') {
      stream.respond({ ...type, 'grpc-status': 5, 'grpc-message': 'not found' }, { endStream: true });
      return;
    }
    stream.respond(type, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }));
    stream.end(Buffer.alloc(5));
  });
  return { address: `127.0.0.1:${await listen(server)}`, calls };
}

const refusal = async (args: string[], more: Record<string, string>) => {
  const { code, stderr } = await runCommand(args, { cwd: folder, env: { ...env, ...more } });
  return { code, lines: stderr.trim().split('\n'), left: await readdir(folder) };
};
const untouched = ['postgres.yaml', 'prospect-sync.yaml'];

describe('worker and run with invalid settings', () => {
  it.each(sampleOf([['worker'], ['run', 'weekly']], 1))(
    'report that PostgreSQL rejects the password, before they connect to Temporal: %s',
    async (...args) => {
      const postgres = await startRefusingPostgres();
      const more = { DATABASE_URL: postgres.url, TEMPORAL_ADDRESS: '127.0.0.1:1' };
      const { code, lines, left } = await refusal([...args, '--config', 'postgres.yaml'], more);
      expect({ code, count: lines.length, left }).toEqual({ code: 1, count: 1, left: untouched });
      expect(lines[0]).toMatch(/refused the login \(SQLSTATE 28P01\)\. Check the name, the password and pg_hba\.conf/);
      expect(lines[0]).not.toContain('not-to-be-told');
      expect(postgres.asked).toEqual([]);
    },
  );

  it.each(sampleOf([['suppressions', 'list'], ['worker'], ['run', 'weekly'], ['doctor']], 1))(
    'wait while no PostgreSQL listens, and say so once: %s',
    async (...args) => {
      const port = await freePort();
      let started: Promise<unknown> | undefined;
      const { code, stderr } = await runCommand([...args, '--config', 'postgres.yaml'], {
        cwd: folder,
        env: { ...env, DATABASE_URL: `postgres://prospect:not-to-be-told@127.0.0.1:${port}/ledger` },
        onStderr: (text) => {
          if (text.includes('Waiting for the ledger')) started ??= startRefusingPostgres(port);
        },
      });
      await started;
      expect(code).toBe(1);
      expect(
        stderr.match(
          /Waiting for the ledger for up to 60 s: .* cannot be reached: nothing accepts connections there \(ECONNREFUSED\)/g,
        ),
      ).toHaveLength(1);
      expect(stderr).toMatch(/refused the login \(SQLSTATE 28P01\)/);
      expect(stderr).not.toContain('not-to-be-told');
    },
  );

  itOfAll.each([['worker'], ['receive']])(
    'wait while no Temporal listens, say so once, and end with Ctrl-C: %s',
    async (name) => {
      const port = await freePort();
      const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
      let pid = 0;
      const { code, stderr } = await spawnCommand([name], {
        cwd: folder,
        env: { ...env, TEMPORAL_ADDRESS: `127.0.0.1:${port}`, REPLIES_SECRET: secret },
        onSpawn: (spawned) => (pid = spawned),
        onStderr: (text) => {
          if (text.includes('Waiting for it')) process.kill(pid, 'SIGINT');
        },
      });
      expect(code).toBe(1);
      expect(stderr.match(/Temporal at 127\.0\.0\.1:\d+ cannot be reached: .*\. Waiting for it/g)).toHaveLength(1);
    },
  );

  itOfAll('end at once with Ctrl-C while they wait for PostgreSQL', async () => {
    const port = await freePort();
    let pid = 0;
    const { code } = await spawnCommand(['suppressions', 'list', '--config', 'postgres.yaml'], {
      cwd: folder,
      env: { ...env, DATABASE_URL: `postgres://prospect@127.0.0.1:${port}/ledger` },
      onSpawn: (spawned) => (pid = spawned),
      onStderr: (text) => {
        if (text.includes('Waiting for the ledger')) process.kill(pid, 'SIGINT');
      },
    });
    expect(code).not.toBe(0);
  });

  it('report an invalid PROSPECT_SYNC_HEAP_MB', async () => {
    const { code, lines, left } = await refusal(['worker'], { PROSPECT_SYNC_HEAP_MB: '1g' });
    expect({ code, left }).toEqual({ code: 2, left: untouched });
    expect(lines).toEqual([
      "PROSPECT_SYNC_HEAP_MB is not a number of megabytes from 100: 1g. Set it to one, for example 512, or to 0 for Node's own limit.",
    ]);
  });

  it('report a missing namespace, and change nothing', async () => {
    const { address, calls } = await startForeignTemporal();
    const more = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'elsewhere' };
    const { code, lines, left } = await refusal(['worker'], more);
    expect({ code, left }).toEqual({ code: 1, left: untouched });
    expect(lines.at(-1)).toContain(
      `Temporal at ${address} has no namespace elsewhere. Create it, or set TEMPORAL_NAMESPACE`,
    );
    expect(new Set(calls)).toEqual(new Set(['GetSystemInfo', 'DescribeNamespace']));
  });

  itOfAll('report an expired certificate as a line of JSON', async () => {
    const pair = {
      cert: readFileSync(fixture('temporal-certificate-expired.pem')),
      key: readFileSync(fixture('temporal-key.pem')),
    };
    const server = createSecureServer(pair);
    server.on('tlsClientError', () => {});
    const port = await listen(server);
    const { code, lines, left } = await refusal(['worker'], {
      TEMPORAL_ADDRESS: `localhost:${port}`,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: fixture('temporal-certificate-expired.pem'),
    });
    expect({ code, left }).toEqual({ code: 1, left: untouched });
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      level: 'error',
      message: expect.stringContaining('its certificate has expired (CERT_HAS_EXPIRED). Renew it there') as string,
    });
  });

  itOfAll('log the warning about a TLS setting as a line of JSON too', async () => {
    const port = await listen(createServer((socket) => socket.on('error', () => {}).end()));
    const more = { DATABASE_URL: `postgres://a:not-to-be-told@127.0.0.1:${port}/a?sslmode=require` };
    const { code, lines } = await refusal(['worker', '--config', 'postgres.yaml'], more);
    expect(code).toBe(1);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', message: expect.stringContaining('The SSL modes') as string }),
      expect.objectContaining({ level: 'error', message: expect.stringContaining('PostgreSQL at') as string }),
    ]);
    expect(lines.join('')).not.toContain('not-to-be-told');
  });
});
