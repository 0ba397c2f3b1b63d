import { spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createProgram } from '../../src/cli/command-table.ts';
import { toCompletionScript } from '../../src/cli/completion-script.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { describeIf } from '../helpers/describe-if.ts';
import { runCommand } from '../helpers/run-command.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'completion-'));
mkdirSync(path.join(folder, 'archive'));
writeFileSync(path.join(folder, 'a list.yaml'), '');
afterAll(() => rm(folder, { recursive: true }));

const { program } = createProgram(createTerminal());
const scripts = { bash: '', zsh: '', fish: '' };
for (const shell of ['bash', 'zsh', 'fish'] as const) {
  scripts[shell] = path.join(folder, `.script.${shell}`);
  writeFileSync(scripts[shell], toCompletionScript(program, shell));
}

/** What is typed, and what the shell may complete it to. */
const cases: [what: string, words: string[], found: string[]][] = [
  ['commands', ['ru'], ['run']],
  ['subcommands', ['schedule', ''], ['list', 'trigger', 'pause', 'resume', 'backfill', 'delete']],
  ['subcommands behind a global option', ['--json', 'schedule', 'pa'], ['pause']],
  ['subcommands behind the value of an option', ['--config', 'run', 'schedule', 'pa'], ['pause']],
  ['options of the command', ['run', 'weekly', '--dry'], ['--dry-run']],
  ['options of a command above it', ['sandbox', 'faults', 'add', '--po'], ['--port', '--portal']],
  ['global options', ['run', '--j'], ['--json']],
  ['the choices of an option', ['sandbox', '--hubspot-plan', ''], ['none', 'free', 'professional', 'enterprise']],
  ['the choices of an argument', ['completion', ''], ['bash', 'zsh', 'fish']],
  ['files for an argument', ['verify', 'a'], ['a list.yaml', 'archive']],
  ['files for an option', ['export', 'ORDER', '--out', 'a'], ['a list.yaml', 'archive']],
  ['folders', ['--data-dir', 'a'], ['archive']],
  ['nothing for the name of a run', ['run', ''], []],
  ['nothing for an API key', ['conformance', '--api-key', ''], []],
];

function sorted(words: readonly string[]): string[] {
  return words.toSorted((a, b) => a.localeCompare(b, 'en'));
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['-c', 'true']).status === 0;
}

function runShell(shell: string, args: readonly string[]): string[] {
  const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const { stdout, stderr } = spawnSync(shell, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...home },
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'] as const)(
    'prints the script for %s without a configuration or ledger',
    async (shell) => {
      const { code, stdout } = await runCommand(['completion', shell], { cwd: path.join(folder, 'archive') });
      expect(code).toBe(0);
      expect(stdout).toBe(`${toCompletionScript(program, shell)}\n`);
    },
  );

  it('names the shells that it knows for any other one', async () => {
    const { code, stderr } = await runCommand(['completion', 'powershell'], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish');
  });
});

describeIf(isInstalled('bash'), { needs: 'bash', debianPackage: 'bash' })('completion in bash', () => {
  const complete = (words: readonly string[]) =>
    runShell('bash', [
      '--norc',
      '-c',
      String.raw`source "$0"; COMP_WORDS=(prospect-sync "$@"); COMP_CWORD=$#; _prospect_sync; printf '%s\n' "${'${COMPREPLY[@]}'}"`,
      scripts.bash,
      ...words,
    ]);

  it.each(cases)('completes %s', (_, words, found) => expect(sorted(complete(words))).toEqual(sorted(found)));

  it('completes the choices behind =, which bash makes a word of its own', () => {
    expect(complete(['worker', '--log-format', '='])).toEqual(['json', 'text']);
    expect(complete(['worker', '--log-format', '=', 'j'])).toEqual(['json']);
  });

  it('is registered for the command', () => {
    expect(runShell('bash', ['--norc', '-c', 'source "$0"; complete -p prospect-sync', scripts.bash])).toEqual([
      'complete -F _prospect_sync prospect-sync',
    ]);
  });
});

describeIf(isInstalled('fish'), { needs: 'fish', debianPackage: 'fish' })('completion in fish', () => {
  const complete = (words: readonly string[]) => {
    const line = ['prospect-sync', ...words].join(' ');
    const lines = runShell('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', scripts.fish, line]);
    return lines.map((each) => (each.split('\t', 1)[0] ?? '').replace(/\/$/, ''));
  };

  it.each(cases)('completes %s', (_, words, found) => expect(sorted(complete(words))).toEqual(sorted(found)));

  it('completes the choices behind =', () => {
    expect(complete(['worker', '--log-format=j'])).toEqual(['--log-format=json']);
  });
});

describeIf(isInstalled('zsh'), { needs: 'zsh', debianPackage: 'zsh' })('completion in zsh', () => {
  it('is a script that zsh can read, and registers itself', () => {
    const session = 'compdef() { print -- "$@"; }; source "$1"; whence -w _prospect_sync';
    expect(runShell('zsh', ['-f', '-c', session, 'zsh', scripts.zsh])).toEqual([
      '_prospect_sync prospect-sync',
      '_prospect_sync: function',
    ]);
  });
});
