import { createActivityHarness, failure } from './activity-harness.ts';

const hostile = {
  'a path for an id': {
    orderId: '../../etc/passwd',
    creationId: '../x',
    workflowId: '',
    orderingId: '',
    syncId: '',
    runKey: '',
    mappingVersion: '../x',
    run: { runName: '../x', digest: '../x' },
    runName: '../x',
    exclusion: { name: '../x' },
  },
  'numbers for names': {
    orderId: 7,
    mappingVersion: 7,
    run: { runName: 7 },
    runName: 7,
    exclusion: { name: 7 },
    workflowId: 7,
    orderingId: 7,
    syncId: 7,
    runKey: 7,
    projectionId: 7,
    kind: 7,
    output: 7,
    frozen: 7,
    proofs: 7,
  },
  'a text': 'orderId',
  nothing: null,
};

describe('createActivities', () => {
  it('rejects hostile input in every activity before it sends a request', async () => {
    const { activityNames, perform, asked } = await createActivityHarness();
    const accepted: string[] = [];
    for (const name of activityNames) {
      for (const [what, input] of Object.entries(hostile)) {
        const { type, message } = await failure(perform(name, input as never));
        if (type !== 'InputRefused') accepted.push(`${name}: ${what}`);
        expect(message).not.toMatch(/passwd|\.\.\//);
      }
    }
    expect(accepted).toEqual([]);
    expect(asked()).toEqual([]);
  });

  it.each(['collectResults', 'projectToCrm', 'reconcileRange'] as const)(
    'rejects an impossible range in %s',
    async (name) => {
      const { perform } = await createActivityHarness();
      const order = { orderId: '3f0d1f8e-0000-4000-8000-000000000001', projectionId: 'x', onlyUnfinished: false };
      for (const range of [
        { from: -1, to: 5 },
        { from: 0, to: 1e300 },
        { from: 5, to: 4 },
      ]) {
        const { type } = await failure(perform(name, { ...order, crm: false, ...range }));
        expect(type).toBe('InputRefused');
      }
    },
  );
});
