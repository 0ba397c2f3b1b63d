// Executables and processes that play the parts of others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

export async function createFolder(): Promise<string> {
  return await mkdtemp(path.join(tmpdir(), 'prospect-sync-test-'));
}

export async function writeScript(file: string, body: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

export function temporalScript(version: string): string {
  return `echo "temporal version ${version} (Server 1.31.2, UI 2.50.1)"`;
}

/** Runs an ES module in a process of its own; `imports` names what it takes from src/temporal/dev-server. */
export function runModule(imports: Record<string, string>, body: string) {
  const sources = path.join(__dirname, '../../../src/temporal/dev-server');
  const lines = Object.entries(imports).map(([file, name]) => `import { ${name} } from '${sources}/${file}.ts';`);
  const source = [...lines, body].join('\n');
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', source],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const output: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => output.push(line));
  const closed = once(child, 'close').then(([code, signal]) => ({ code, signal, output }));
  return {
    child,
    closed,
    async nextLine(): Promise<string> {
      const [line] = await once(reader, 'line');
      return String(line);
    },
  };
}
