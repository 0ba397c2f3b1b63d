import { createHealth, type Probes } from '../../../src/worker/telemetry/health-server.ts';

const well: Probes = {
  worker: () => 'RUNNING',
  ledger: () => Promise.resolve(),
  temporal: () => Promise.resolve({}),
};

function healthOf(probes: Probes | null) {
  const health = createHealth({
    probes: () => probes,
    metrics: () => Promise.resolve({ text: 'figures', contentType: 'text/plain; version=0.0.4' }),
    timeoutMs: 20,
  });
  return async (path: string, method = 'GET') => {
    const response = await health(new Request(`http://127.0.0.1${path}`, { method }));
    return { status: response.status, body: await response.json() };
  };
}

describe('createHealth', () => {
  it('is ready when the worker runs and all systems answer', async () => {
    const ask = healthOf(well);
    expect(await ask('/readyz')).toEqual({
      status: 200,
      body: { status: 'ready', worker: 'RUNNING', ledger: 'ok', temporal: 'ok' },
    });
    expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'alive', worker: 'RUNNING' } });
  });

  const hangs = () => Promise.withResolvers<void>().promise;
  const refuses = () => Promise.reject(new Error('postgres://user:password@host'));
  it.each<[string, Probes | null, object]>([
    ['it starts', null, { worker: 'STARTING', ledger: 'not checked', temporal: 'not checked' }],
    ['it drains', { ...well, worker: () => 'DRAINING' }, { worker: 'DRAINING', ledger: 'ok', temporal: 'ok' }],
    ['the ledger fails', { ...well, ledger: refuses }, { worker: 'RUNNING', ledger: 'failed', temporal: 'ok' }],
    ['Temporal hangs', { ...well, temporal: hangs }, { worker: 'RUNNING', ledger: 'ok', temporal: 'no answer' }],
  ])('is alive but not ready while %s', async (_, probes, states) => {
    const ask = healthOf(probes);
    expect(await ask('/readyz')).toEqual({ status: 503, body: { status: 'not ready', ...states } });
    expect(await ask('/healthz')).toMatchObject({ status: 200 });
  });

  it('rejects other paths and methods', async () => {
    const ask = healthOf(well);
    expect(await ask('/')).toMatchObject({ status: 404 });
    expect(await ask('/readyz', 'POST')).toMatchObject({ status: 405 });
  });
});
