import { createWorkflowStarter } from '../../src/replies/workflow-starter.ts';

const reply = (number: number) => ({ webhookId: `msg_${number}`, classification: 'interested' });

describe('createWorkflowStarter', () => {
  it('does not wait for a start while Temporal answers, and starts eight at once', async () => {
    const started: string[] = [];
    const opened = Promise.withResolvers<undefined>();
    const starter = createWorkflowStarter(async ({ webhookId }) => {
      started.push(webhookId);
      await opened.promise;
    }, fail);
    for (let number = 0; number < 20; number += 1) await starter.start(reply(number));
    expect(started).toHaveLength(8);
    opened.resolve(undefined);
    await starter.idle();
    expect(started).toHaveLength(20);
  });

  it('waits for each start after one has failed, until one succeeds', async () => {
    let isDown = true;
    const failures: unknown[] = [];
    const starter = createWorkflowStarter(
      async () => {
        if (isDown) throw new Error('Temporal is down');
      },
      (error) => void failures.push(error),
    );
    await starter.start(reply(0));
    await starter.idle();
    await expect(starter.start(reply(1))).rejects.toThrow('Temporal is down');
    isDown = false;
    await starter.start(reply(2));
    isDown = true;
    await starter.start(reply(3));
    await starter.idle();
    // Once for each outage.
    expect(failures).toHaveLength(2);
  });

  it('leaves replies in the inbox when thousands wait', async () => {
    let started = 0;
    const opened = Promise.withResolvers<undefined>();
    const starter = createWorkflowStarter(async () => {
      started += 1;
      await opened.promise;
    }, fail);
    for (let number = 0; number < 6_000; number += 1) await starter.start(reply(number));
    opened.resolve(undefined);
    await starter.idle();
    expect(started).toBe(5_008);
  });
});

function fail(): never {
  throw new Error('no start fails');
}
