import { existsSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { buildTemporal } from '../../../src/temporal/dev-server/build-temporal.ts';
import { createFolder, runModule, writeScript } from './stand-ins.ts';

/** A `go` that knows its version and, for `go build`, runs `build`; OUT is where the executable belongs. */
async function writeGo(folder: string, version: string, build: string): Promise<string> {
  const script = `if [ "$1" = version ]; then echo "go version go${version} linux/amd64"; exit 0; fi
if [ "$1" = env ]; then echo "https://proxy.example,direct"; exit 0; fi
while [ "$1" != -o ]; do shift; done; OUT="$2"
${build}`;
  return path.dirname(await writeScript(path.join(folder, 'bin', 'go'), script));
}

describe('buildTemporal', () => {
  let folder: string;
  let to: string;
  let workFolder: string;
  let messages: string[];
  const say = (text: string) => messages.push(text);
  beforeEach(async () => {
    folder = await createFolder();
    to = path.join(folder, 'temporal');
    workFolder = path.join(folder, 'build');
    messages = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  function environment(goFolder: string) {
    return { PATH: `${goFolder}:/usr/bin:/bin`, GOFLAGS: '-mod=vendor' };
  }

  it('builds in the Go module, with caches that it deletes afterwards', async () => {
    const build =
      'touch "$GOMODCACHE.used"; (pwd; echo "$GOMODCACHE"; echo "$GOCACHE"; echo "$GOFLAGS"; echo "$CGO_ENABLED") > "$OUT"';
    const goFolder = await writeGo(folder, '1.26.8', build);
    await buildTemporal({ env: environment(goFolder), to, workFolder, say });
    expect((await readFile(to, 'utf8')).trim().split('\n')).toEqual([
      path.join(__dirname, '../../../tools/temporal'),
      path.join(workFolder, 'modules'),
      path.join(workFolder, 'objects'),
      expect.stringContaining('-modcacherw'),
      '0',
    ]);
    expect(existsSync(workFolder)).toBe(false);
    expect(messages).toEqual(['Temporal: building 1.8.2 from source with Go 1.26.8 (about 4 minutes, once)']);
  });

  it('checks go.sum whatever the user has set, and passes no key to Go', async () => {
    const goFolder = await writeGo(folder, '1.26.8', 'env > "$OUT"');
    const env = {
      ...environment(goFolder),
      HOME: folder,
      HTTPS_PROXY: 'http://proxy.example:3128',
      GOFLAGS: '-mod=mod -toolexec=/tmp/evil',
      GONOSUMDB: '*',
      GONOSUMCHECK: '1',
      GOSUMDB: 'off',
      GOINSECURE: '*',
      GOTOOLCHAIN: 'go1.99.0',
      PROSPECTING_API_KEY: 'sk_secret',
      DATABASE_URL: 'postgres://user:password@db',
    };
    await buildTemporal({ env, to, workFolder, say });
    const given = (await readFile(to, 'utf8')).trim().split('\n');
    const names = given.map((line) => line.split('=')[0] ?? '');
    // The shell that plays Go adds its own.
    expect(names.filter((name) => !['PWD', '_', 'SHLVL', 'OLDPWD'].includes(name)).toSorted()).toEqual([
      'CGO_ENABLED',
      'GOCACHE',
      'GOENV',
      'GOFLAGS',
      'GOMODCACHE',
      'GOPROXY',
      'GOTMPDIR',
      'GOTOOLCHAIN',
      'GOWORK',
      'HOME',
      'HTTPS_PROXY',
      'PATH',
    ]);
    expect(given).toEqual(
      expect.arrayContaining([
        'GOENV=off',
        'GOFLAGS=-mod=readonly -modcacherw -buildvcs=false',
        'GOPROXY=https://proxy.example,direct',
        'GOTOOLCHAIN=local',
      ]),
    );
  });

  it('reports progress', async () => {
    const reported = path.join(folder, 'reported');
    const wait = `while [ ! -e ${reported} ]; do sleep 0.02; done`;
    const build = `echo "go: downloading example.com/a v1.0.0" >&2; echo example.com/a/b >&2; echo fmt >&2; ${wait}`;
    const goFolder = await writeGo(folder, '1.26.4', build);
    const untilReported = (message: string): void => {
      if (/^Temporal: building, \d+ s, 1 modules downloaded, 2 packages compiled$/.test(message))
        writeFileSync(reported, '');
    };
    await buildTemporal({ env: environment(goFolder), to, workFolder, say: untilReported, sayEverySeconds: 0.05 });
    expect(existsSync(reported)).toBe(true);
  });

  it('fails with the last message of Go, and deletes the caches', async () => {
    const goFolder = await writeGo(folder, '1.27.0', 'echo "go: no route to the proxy" >&2; exit 1');
    const failing = buildTemporal({ env: environment(goFolder), to, workFolder, say });
    await expect(failing).rejects.toThrow('go build failed: go: no route to the proxy');
    expect(existsSync(workFolder)).toBe(false);
  });

  it.each(['1.26.3', '1.25.9', '1.9', '0.99.1'])('rejects Go %s', async (version) => {
    const goFolder = await writeGo(folder, version, 'exit 1');
    const failing = buildTemporal({ env: environment(goFolder), to, workFolder, say });
    await expect(failing).rejects.toThrow(`Go 1.26.4 or newer is required, and ${goFolder}/go is ${version}`);
  });

  it('reports that Go is missing', async () => {
    await expect(buildTemporal({ env: { PATH: folder }, to, workFolder, say })).rejects.toThrow(
      'there is no go on PATH',
    );
  });

  it('stops, deletes the caches and passes the signal on when it is interrupted', async () => {
    const goFolder = await writeGo(folder, '1.26.8', 'mkdir -p "$GOMODCACHE"; echo $$ > "$OUT"; sleep 30');
    const options = JSON.stringify({ env: environment(goFolder), to, workFolder, sayEverySeconds: 0.02 });
    const builder = runModule(
      { 'build-temporal': 'buildTemporal' },
      `await buildTemporal({ ...${options}, say: (text) => console.log(text) });`,
    );
    await builder.nextLine();
    // It says something all the time; go writes down its process id first.
    while (!existsSync(to) || (await readFile(to, 'utf8')) === '') await builder.nextLine();
    builder.child.kill('SIGINT');
    expect(await builder.closed).toMatchObject({ code: null, signal: 'SIGINT' });
    expect(existsSync(workFolder)).toBe(false);
    const goProcess = Number(await readFile(to, 'utf8'));
    expect(() => process.kill(goProcess, 0)).toThrow('ESRCH');
  });
});
