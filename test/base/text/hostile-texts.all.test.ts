import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Linear functions take seconds for all texts; a quadratic one takes hours. */
const hangsAfterMs = 150_000;

describe('functions that read foreign texts', () => {
  it(
    'finish for every text, however often its parts repeat',
    async () => {
      const script = path.join(__dirname, 'hostile-texts.ts');
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
        timeout: hangsAfterMs,
        killSignal: 'SIGKILL',
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      // The last line names the function that did not end, or contains the error.
      expect({ code, last: output.trim().split('\n').at(-1) }).toEqual({ code: 0, last: 'done' });
    },
    hangsAfterMs + 10_000,
  );
});
