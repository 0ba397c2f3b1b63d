import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { ExplainedError } from '../../src/base/text/explained-error.ts';
import { codecServer } from '../../src/cli/run-codec-server.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { createEncryptionCodec } from '../../src/temporal/codec/encryption-codec.ts';
import { writeServerState } from '../../src/temporal/dev-server/server-state.ts';
import { hasPseudoTerminal, runOnTerminal } from '../helpers/pseudo-terminal.ts';
import { describeIf, needsPseudoTerminal } from '../helpers/describe-if.ts';
import { itOfAll } from '../helpers/sample.ts';

const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');
const bytes = randomBytes(32);
const env = { KEY: bytes.toString('base64'), SHORT: 'c2hvcnQ=', TOKEN: 'sixteen-characters' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-codec-'));
  await writeFile(path.join(folder, 'good.yaml'), 'temporal: {encryption: {key: {id: a, env: KEY}}}');
  await writeFile(path.join(folder, 'short.yaml'), 'temporal: {encryption: {key: {id: a, env: SHORT}}}');
  await writeFile(path.join(folder, 'plain.yaml'), 'service: {}');
  await mkdir(path.join(folder, '.prospect-sync/temporal'), { recursive: true });
  await writeServerState(path.join(folder, '.prospect-sync/temporal'), {
    process: null,
    port: 40_000,
    uiPort: 40_001,
    cliVersion: '1',
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(args: readonly string[]) {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      cli,
      'codec-server',
      '--json',
      '--config',
      'good.yaml',
      '--port',
      '0',
      ...args,
    ],
    { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(said))),
  ])) as [Buffer];
  const { codec_server } = JSON.parse(line.toString()) as { codec_server: { url: string; token_file: string | null } };
  return {
    ...codec_server,
    said: () => said,
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number];
      return code;
    },
  };
}

describe('codec-server', () => {
  it('decodes with the configured keys for the UI of the dev server, logs nothing about it, and stops on a signal', async () => {
    const codec = createEncryptionCodec({ current: { id: 'a', bytes }, older: [] });
    const [payload] = await codec.encode([{ metadata: {}, data: Buffer.from('what is kept') }]);
    const base64 = (value: Uint8Array) => Buffer.from(value).toString('base64');
    const metadata = Object.entries(payload?.metadata ?? {}).map(([name, value]) => [name, base64(value)] as const);
    const body = JSON.stringify({
      payloads: [{ metadata: Object.fromEntries(metadata), data: base64(payload?.data ?? Buffer.of()) }],
    });
    const server = await start(['--token-env', 'TOKEN']);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const headers = { origin: 'http://localhost:40001', authorization: `Bearer ${env.TOKEN}` };
    const response = await fetch(`${server.url}/decode`, { method: 'POST', body, headers });
    expect(await response.json()).toEqual({ payloads: [{ metadata: {}, data: base64(Buffer.from('what is kept')) }] });
    expect((await fetch(`${server.url}/decode`, { method: 'POST', body })).status).toBe(401);
    expect(await server.stop()).toBe(0);
    expect(server.said()).toBe(
      `Codec server: ${server.url}, for pages of http://127.0.0.1:40001, http://localhost:40001\n`,
    );
  });

  itOfAll('always requires a token, which it creates and keeps private', async () => {
    const tokenFile = path.join(folder, '.prospect-sync/codec-token');
    await rm(tokenFile, { force: true });
    const first = await start([]);
    expect(first.token_file).toBe(tokenFile);
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    const token = await readFile(tokenFile, 'utf8');
    const decode = (place: string) =>
      fetch(`${first.url}${place}/decode`, { method: 'POST', body: '{"payloads": []}' }).then(({ status }) => status);
    expect([await decode(''), await decode(`/${token}`)]).toEqual([401, 200]);
    await first.stop();
    // It is not told where lines may be kept.
    expect(first.said()).toContain(`Token: in ${tokenFile}\n`);
    expect(first.said()).not.toContain(token);
  });

  it.each([
    [
      'no encryption',
      { config: 'plain.yaml' },
      {},
      'plain.yaml has no temporal.encryption, so there is nothing to decode',
    ],
    ['no file', { config: 'none.yaml' }, {}, 'none.yaml cannot be read: there is no such file (ENOENT)'],
    ['a key of another length', { config: 'short.yaml' }, {}, 'SHORT must hold a key of 32 bytes in base64'],
    ['an origin that is none', {}, { corsOrigin: ['localhost:80/x'] }, 'must be scheme, host and port'],
    ['a token that is not set', {}, { tokenEnv: 'GONE' }, 'environment variable GONE is not set'],
    ['a token that is short', {}, { tokenEnv: 'SHORT' }, 'SHORT must contain at least 16 characters'],
    ['an address of no interface', {}, { host: '203.0.113.1', tokenEnv: 'TOKEN' }, 'The codec server cannot listen'],
  ])('rejects %s with one message', async (_, { config = 'good.yaml' }: { config?: string }, flags, message) => {
    const options = { config: path.join(folder, config), dataDir: folder, json: false };
    const terminal = createTerminal({
      env,
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    });
    const refused: unknown = await codecServer(terminal, options, {
      port: 0,
      host: '127.0.0.1',
      corsOrigin: [],
      ...flags,
    }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ExplainedError);
    const { message: text } = refused as ExplainedError;
    expect(text).toContain(message);
    expect(text.split('\n')).toHaveLength(1);
    expect(Object.values(env).filter((secret) => text.includes(secret))).toEqual([]);
  });
});

describeIf(hasPseudoTerminal(), needsPseudoTerminal)('codec-server on a terminal', () => {
  itOfAll('prints the link for the UI of the data folder, with the token of the previous start', async () => {
    const file = path.join(folder, '.prospect-sync/codec-token');
    await writeFile(file, 'token-of-the-start-before');
    const { screen } = await runOnTerminal(['codec-server', '--config', 'good.yaml', '--port', '0'], {
      cwd: folder,
      env,
      answer: { to: 'any other UI', typed: '\u0003' },
    });
    expect(screen).toContain(
      'browser, for the UI of this data folder: http://127.0.0.1:40001/codec-token/token-of-the-start-before',
    );
    expect(screen).toMatch(/codec server for any other UI: http:\/\/127\.0\.0\.1:\d+\/token-of-the-start-before\r?\n/);
    // Others could read it until now.
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
