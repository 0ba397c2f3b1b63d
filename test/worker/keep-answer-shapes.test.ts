import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { keepAnswerShapes } from '../../src/worker/worker.ts';
import { createAnswerRecorder, type Observation } from '../../src/service/reading/answer-recorder.ts';

const logger = new DefaultLogger('ERROR', () => undefined);

/** Activities that read an answer, with a ledger that saves by `save`. */
function perform(save: (observations: readonly Observation[]) => Promise<void>) {
  const answers = createAnswerRecorder();
  const ledger = {
    answerShapes: {
      list: () => Promise.resolve([]),
      save: (_scope: string, observations: readonly Observation[]) => save(observations),
    },
  };
  const prospecting = { answers, baseUrl: 'https://service.example' };
  const interceptors = [() => ({ inbound: keepAnswerShapes({ ledger, prospecting }) })];
  const run = (result: () => Promise<string>) =>
    new MockActivityEnvironment({}, { interceptors, logger }).run(() => {
      answers.recordBody('getOrder', {});
      return result();
    });
  return { run, answers };
}

describe('keepAnswerShapes', () => {
  it('saves what an activity has seen, also of one that fails', async () => {
    const saved: Observation[] = [];
    const { run, answers } = perform(async (observations) => void saved.push(...observations));
    await expect(run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(saved).toContainEqual(expect.objectContaining({ operation: 'getOrder', kind: 'missing', path: 'status' }));
    expect(answers.pending()).toEqual([]);
  });

  it('neither fails nor delays an activity when the ledger does not save, and saves with a later one', async () => {
    let isLocked = true;
    const saved: Observation[] = [];
    const { run } = perform(async (observations) => {
      if (isLocked) throw new Error('locked');
      saved.push(...observations);
    });
    expect(await run(() => Promise.resolve('done'))).toBe('done');
    isLocked = false;
    expect(await run(() => Promise.resolve('done'))).toBe('done');
    expect(saved.length).toBeGreaterThan(0);
    const { run: runStuck } = perform(() => new Promise(() => {}));
    expect(await runStuck(() => Promise.resolve('done'))).toBe('done');
  });
});
