import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Linear readers take seconds for all texts together; one that takes the square of a length takes hours. */
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
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      // The last line is the reader that did not end, or what it threw.
      expect({ code, last: said.trim().split('\n').at(-1) }).toEqual({ code: 0, last: 'done' });
    },
    hangsAfterMs + 10_000,
  );
});
