import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { createSecret } from '../../src/config/environment.ts';
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { toDeployment } from '../../src/worker/worker.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import { openReceiver, type ReceiverContext } from '../../src/worker/receive.ts';
import { openHealthServer } from '../../src/worker/telemetry/health-server.ts';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { openConfiguredTracing } from '../../src/worker/telemetry/configured-tracing.ts';
import { addWorkerCommands } from '../../src/cli/worker-commands.ts';

describe('toDeployment', () => {
  const named = { TEMPORAL_DEPLOYMENT_NAME: 'prospect-sync', TEMPORAL_WORKER_BUILD_ID: '1.2.3' };

  it('is null unless a deployment is named', () => {
    expect(toDeployment({})).toBeNull();
    expect(toDeployment({ TEMPORAL_DEPLOYMENT_NAME: '', TEMPORAL_WORKER_BUILD_ID: '' })).toBeNull();
  });

  it.each([
    [{}, 'PINNED'],
    [{ TEMPORAL_VERSIONING_BEHAVIOR: 'AUTO_UPGRADE' }, 'AUTO_UPGRADE'],
  ])('returns the version, and pins runs to it by default', (more, defaultVersioningBehavior) => {
    expect(toDeployment({ ...named, ...more })).toEqual({
      version: { deploymentName: 'prospect-sync', buildId: '1.2.3' },
      useWorkerVersioning: true,
      defaultVersioningBehavior,
    });
  });

  it.each([
    [{ TEMPORAL_DEPLOYMENT_NAME: 'a' }, 'belong together: set both for Worker Versioning, or neither'],
    [{ TEMPORAL_WORKER_BUILD_ID: 'a' }, 'belong together: set both for Worker Versioning, or neither'],
    [{ ...named, TEMPORAL_DEPLOYMENT_NAME: 'a.b' }, 'must not contain a dot'],
    [{ TEMPORAL_VERSIONING_BEHAVIOR: 'LOOSE' }, 'TEMPORAL_VERSIONING_BEHAVIOR must be one of PINNED, AUTO_UPGRADE'],
  ])('rejects %j', (env, message) => {
    expect(() => toDeployment(env)).toThrow(message);
  });
});

describe('openConfiguredTracing', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  it.each([[{}], [{ ...endpoint, OTEL_SDK_DISABLED: 'true' }], [{ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }]])(
    'is off with %j',
    async (env) => {
      expect(await openConfiguredTracing(env)).toBeNull();
    },
  );

  it.each([
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not a valid URL'],
    [
      { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but traces are sent as http/protobuf',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=4711' },
      'OTEL_EXPORTER_OTLP_ENDPOINT would send OTEL_EXPORTER_OTLP_HEADERS unencrypted',
    ],
    [
      {
        ...endpoint,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://10.0.0.1:4318',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'a=4711',
      },
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT would send OTEL_EXPORTER_OTLP_TRACES_HEADERS unencrypted',
    ],
  ])('rejects %j', async (env, message) => {
    const opened = openConfiguredTracing(env);
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.not.toThrow('4711');
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
    { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=b' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example', OTEL_EXPORTER_OTLP_HEADERS: 'a=b' },
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
      OTEL_EXPORTER_OTLP_INSECURE: 'true',
    },
  ])('is on with %j', async (env) => {
    const opened = await openConfiguredTracing(env);
    expect(opened).not.toBeNull();
    await opened?.close();
  });
});

describe('openReceiver', () => {
  it('names the options of the command that runs when its port is in use', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const parsed = parseConfig(
      'service: {base_url: https://a.example, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}\nreplies: {secrets: [{env: SECRET}]}',
      {
        env: { KEY: 'a', TOKEN: 't', SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` },
        file: '/x/prospect-sync.yaml',
      },
    );
    // It listens before it uses any of the others.
    const context = { config: parsed.ok && parsed.config, log() {}, ledger: {} } as unknown as ReceiverContext;
    const flags = '--receive-port or --receive-host';
    await expect(openReceiver(context, { port, hostname: '127.0.0.1', flags })).rejects.toThrow(
      `Webhooks cannot be received at 127.0.0.1:${port}: the address is in use (EADDRINUSE), held by process ${process.pid} (node). End it, or choose another ${flags}`,
    );
    other.close();
  });

  it('answers HTTP/1.0 without a host', async () => {
    const secret = createSecret(`whsec_${Buffer.alloc(32).toString('base64')}`);
    const context = {
      config: {
        replies: { secrets: [{ value: secret }], key: null, policy: defaultReplyPolicy },
        orderStatus: { secrets: [], key: null },
      },
      ledger: {},
      log() {},
    } as unknown as ReceiverContext;
    const receiver = await openReceiver(context, { port: 0, hostname: '127.0.0.1', flags: '' });
    const { port } = new URL(receiver.replies ?? '');
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('POST /replies HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}');
    const answer = await text(socket);
    await receiver.close();
    expect(answer).toMatch(/^HTTP\/1\.\d 401 /);
    expect(answer).toContain('missing_header');
  });
});

describe('openHealthServer', () => {
  it('reports that its port is in use', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const failing = openHealthServer({ port, hostname: '127.0.0.1' });
    await expect(failing).rejects.toThrow(
      `Health and metrics cannot be served at 127.0.0.1:${port}: the address is in use (EADDRINUSE), held by process ${process.pid} (node). End it, or choose another --health-port`,
    );
    other.close();
  });

  it('answers a probe of HTTP/1.0, which sends no Host header', async () => {
    const server = await openHealthServer({ port: 0, hostname: '127.0.0.1' });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end('GET /healthz HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await server.close();
  });
});

describe('addWorkerCommands', () => {
  const parse = (...args: string[]) => {
    const program = new Command();
    addWorkerCommands(program, {} as CommandContext);
    for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
    return program.exitOverride().parseAsync(['worker', ...args], { from: 'user' });
  };

  it.each([
    [['--health-port', 'x'], 'must be 0 to 65535'],
    [['--health-port', '70000'], 'must be 0 to 65535'],
    [['--shutdown-grace', 'long'], 'must be a duration such as 30s or 2m'],
    [['--log-format', 'xml'], 'Allowed choices are json, text'],
  ])('rejects %j', async (args, message) => {
    await expect(parse(...args)).rejects.toThrow(message);
  });
});
