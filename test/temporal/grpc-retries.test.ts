import { once } from 'node:events';
import { createServer } from 'node:http2';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { createGrpcRetries } from '../../src/temporal/grpc-retries.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { discoveryPlan } from '../helpers/pipeline.ts';
import { startTemporal } from '../helpers/temporal-server.ts';
import { until } from '../helpers/until.ts';

const unavailable = '14';

/** Answers the greeting of a connection, and every other call as a server that is going down. */
async function startServer({ silent = false } = {}) {
  let refused = 0;
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const isGreeting = headers[':path']?.endsWith('GetSystemInfo') === true;
    if (!isGreeting) refused += 1;
    if (!isGreeting && silent) return;
    const common = { ':status': 200, 'content-type': 'application/grpc' };
    if (!isGreeting) return stream.respond({ ...common, 'grpc-status': unavailable }, { endStream: true });
    stream.respond(common, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5)); // an empty message
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, refused: () => refused, close: () => server.close() };
}

/** A call that was refused, and is being repeated. */
async function startRefusedCall() {
  const server = await startServer();
  const retries = createGrpcRetries({ answerWithinMs: null });
  const connection = await Connection.connect({ address: server.address, interceptors: retries.interceptors });
  const call = connection.workflowService.describeNamespace({ namespace: 'default' }).then(
    () => 'answered',
    () => 'refused',
  );
  await until(() => server.refused() >= 2);
  return { server, retries, connection, call };
}

describe('createGrpcRetries', () => {
  it('retries, and leaves no timer behind when the connection is closed', async () => {
    const { server, retries, connection, call } = await startRefusedCall();
    await retries.end();
    await connection.close();
    expect(await call).toBe('refused');
    await sleep(50); // what was on its way arrives
    const tried = server.refused();
    await sleep(300);
    expect(server.refused()).toBe(tried);
    server.close();
  });

  it('waits for a retry that is late, because the process was busy, before the connection is closed', async () => {
    const { server, retries, connection, call } = await startRefusedCall();
    await sleep(20); // the refusal arrives, and the next retry waits
    const tried = server.refused();
    // The process does nothing else meanwhile, as a busy one.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    await retries.end();
    await connection.close();
    expect(await call).toBe('refused');
    // A retry after the end would throw out of a timer.
    await sleep(300);
    expect(server.refused()).toBeLessThanOrEqual(tried + 1);
    server.close();
  });

  it.each([true, false])('times out a call including its retries (silent: %j)', async (silent) => {
    const server = await startServer({ silent });
    const retries = createGrpcRetries({ answerWithinMs: 40 });
    const connection = await Connection.connect({ address: server.address, interceptors: retries.interceptors });
    const call = connection.workflowService.describeNamespace({ namespace: 'default' });
    await expect(call).rejects.toMatchObject({ code: 4 }); // without the limit, it would be retried for ever
    await retries.end();
    await connection.close();
    server.close();
  });

  it('returns the run that was started when the answer to its start is lost', async () => {
    const temporal = await startTemporal();
    const proxy = await startProxy(Number(temporal.address.split(':')[1]));
    const retries = createGrpcRetries({ answerWithinMs: null });
    const connection = await Connection.connect({ address: proxy.address, interceptors: retries.interceptors });
    const workflow: WorkflowClientInterceptor = {
      start(input, next) {
        proxy.withholdAnswers();
        return next(input);
      },
    };
    const client = new Client({ connection, interceptors: { workflow: [workflow] } });
    const starting = startRun(client, discoveryPlan('/nowhere'), { label: 'today' });
    const started = temporal.client.workflow.getHandle('run/discovery/today');
    await until(() => started.describe().catch(() => null));
    // Ended meanwhile: only the request itself shows that it is the same one.
    await started.terminate();
    proxy.breakConnections();
    expect(await starting).toMatchObject({ joined: false, handle: { workflowId: 'run/discovery/today' } });
    await retries.end();
    await connection.close();
    proxy.close();
    await temporal.stop();
  });
});

async function startProxy(port: number) {
  const sockets = new Set<Socket>();
  let withholds = false;
  const server = createTcpServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.pipe(upstream);
    upstream.on('data', (data) => {
      if (!withholds) client.write(data);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as AddressInfo;
  const breakConnections = () => {
    withholds = false;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    address: `127.0.0.1:${own}`,
    withholdAnswers() {
      withholds = true;
    },
    breakConnections,
    close() {
      breakConnections();
      server.close();
    },
  };
}
