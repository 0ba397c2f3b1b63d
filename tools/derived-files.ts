/** Writes files that are derived from the code; with `--check` only compares them with the files on disk. */
import { readFile, writeFile } from 'node:fs/promises';

const root = new URL('../', import.meta.url);

/** `texts` maps a path, relative to the repository, to its text. `command`: shown when a file is out of date. */
export async function writeOrCheck(texts: Readonly<Record<string, string>>, command: string): Promise<void> {
  const isCheck = process.argv.includes('--check');
  for (const [name, text] of Object.entries(texts)) {
    const current = await readFile(new URL(name, root), 'utf8').catch(() => null);
    if (current === text) continue;
    if (isCheck) {
      console.error(`${name} is out of date. Run: ${command}`);
      process.exitCode = 1;
      continue;
    }
    await writeFile(new URL(name, root), text);
    console.log(`wrote ${name}`);
  }
}

export function readRepositoryFile(name: string): Promise<string> {
  return readFile(new URL(name, root), 'utf8');
}
