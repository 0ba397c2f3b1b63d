/** The process that listens on a port of this machine. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';

const listening = '0A';

/** `process 4711 (node)`. null: not Linux, or a process of another user, whose files this one may not read. */
export async function findPortHolder(port: number): Promise<string | null> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readOrEmpty(`/proc/net/${name}`)));
  const sockets = new Set(tables.flatMap((table) => socketsOf(table, port)));
  if (sockets.size === 0) return null;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const folder = path.join('/proc', pid, 'fd');
    const files = await readdir(folder).catch(() => []);
    const targets = await Promise.all(files.map((file) => readlink(path.join(folder, file)).catch(() => '')));
    if (!targets.some((target) => sockets.has(target))) continue;
    // Only the name of the program: its arguments may be secrets.
    const [program = ''] = (await readOrEmpty(`/proc/${pid}/cmdline`)).split('\0', 1);
    return `process ${pid} (${path.basename(program)})`;
  }
  return null;
}

/** Of lines `sl local_address rem_address st … inode`; addresses end with the port in hexadecimal digits. */
function socketsOf(table: string, port: number): string[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === listening && local.endsWith(ending) ? [`socket:[${inode}]`] : [];
  });
}

function readOrEmpty(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
