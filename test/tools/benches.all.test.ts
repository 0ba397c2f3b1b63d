import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(__dirname, '../..');

describe('a bench', () => {
  it.each([
    ['pipeline.ts', 'the worker holds'],
    ['reconcile.ts', 'verify'],
  ])('of a hundred slots prints its figures: %s', async (bench, figure) => {
    const args = ['--disable-warning=ExperimentalWarning', path.join('bench', bench), '100'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(stdout).toContain(figure);
  });
});
