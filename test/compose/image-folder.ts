/** The image without an engine: a folder that is filled as the Dockerfile says. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { root } from '../helpers/compose-file.ts';

/** Makes the folder /app of the image, with this clone's packages. @returns the program in it */
export function buildImage(app: string): string {
  const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
  mkdirSync(app);
  symlinkSync(path.join(root, 'node_modules'), path.join(app, 'node_modules'));
  for (const [, copied = ''] of dockerfile.matchAll(/^COPY (?!--from)(.+)$/gm)) {
    const names = copied.split(' ');
    const target = path.join(app, names.pop() ?? '');
    const isFolder = names.length > 1 || copied.endsWith('/');
    for (const name of names)
      cpSync(path.join(root, name), isFolder ? path.join(target, path.basename(name)) : target, { recursive: true });
  }
  const [, compile = ''] = /^RUN (node .+)$/m.exec(dockerfile) ?? [];
  execFileSync('/bin/sh', ['-euc', compile], { cwd: app, stdio: 'pipe' });
  const [, program = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/prospect-sync/.exec(dockerfile) ?? [];
  return path.join(app, program);
}
