import { PassThrough } from 'node:stream';
import type { Client } from '@temporalio/client';
import { followWorkflow } from '../../src/cli/progress-bar.ts';
import { createTerminal } from '../../src/cli/terminal.ts';

describe('followWorkflow', () => {
  it('cancels a call that is unanswered when the workflow ends: the process would wait for it', async () => {
    const signals: AbortSignal[] = [];
    const client = {
      withAbortSignal(signal: AbortSignal) {
        signals.push(signal);
        return new Promise(() => {});
      },
    } as unknown as Client;
    const output = new PassThrough();
    const terminal = createTerminal({ env: {}, stdin: new PassThrough(), stdout: output, stderr: output });
    const ended = Promise.withResolvers<void>();
    const following = followWorkflow(terminal, client, 'weekly', 'run/weekly/today', ended.promise);
    ended.resolve();
    await following;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
