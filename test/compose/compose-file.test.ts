import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toDeployment } from '../../src/worker/worker.ts';
import { writeScript } from '../temporal/dev-server/stand-ins.ts';
import { environmentOf, findCompose, passwords, root, scriptOf, serviceOf, services } from '../helpers/compose-file.ts';
import { describeIf } from '../helpers/describe-if.ts';
import { itOfAll } from '../helpers/sample.ts';

const compose = findCompose();

describeIf(compose !== null, { needs: 'docker compose', debianPackage: 'docker-compose' })(
  'docker-compose.yml in docker compose',
  () => {
    const read = (env: Record<string, string>) => {
      const [command = '', ...args] = compose ?? [];
      return spawnSync(command, [...args, '-f', 'docker-compose.yml', 'config', '-q'], {
        cwd: root,
        env: { PATH: process.env['PATH'], ...env },
        encoding: 'utf8',
      });
    };

    itOfAll('is valid', () => {
      expect(read(passwords)).toMatchObject({ status: 0, stderr: '' });
    });

    itOfAll('requires the passwords that it does not contain', () => {
      for (const name of Object.keys(passwords)) {
        const { status, stderr } = read({ ...passwords, [name]: '' });
        expect(status).not.toBe(0);
        expect(stderr).toContain('in the shell or in .env');
      }
    });
  },
);

describe('docker-compose.yml', () => {
  it('pins every image to a version', () => {
    for (const { image } of Object.values(services)) expect(image).toMatch(/:\d+\.\d+/);
    const wanted = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    expect(serviceOf('worker').image).toBe(`prospect-sync:${wanted.version}`);
    const node = JSON.parse(readFileSync(path.join(root, 'tools/node/package.json'), 'utf8'));
    const bases = [...readFileSync(path.join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM (\S+)/gm)].map(
      ([, image]) => image,
    );
    expect(new Set(bases)).toEqual(new Set([`node:${node.version}-bookworm-slim`]));
  });

  it('pins the version of Temporal that the tests build from source', () => {
    const goModule = readFileSync(path.join(root, 'tools/temporal-server/go.mod'), 'utf8');
    const [, version] = /^require go\.temporal\.io\/server v(\S+)$/m.exec(goModule) ?? [];
    expect(serviceOf('temporal').image).toBe(`temporalio/server:${version}`);
    for (const name of ['temporal-schema', 'temporal-namespaces'])
      expect(serviceOf(name).image).toBe(`temporalio/admin-tools:${version}`);
  });

  it('passes the settings of encryption, traces and versions to the workers, and sets none itself', () => {
    const given = {
      ENCRYPTION_KEY: 'a',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      TEMPORAL_DEPLOYMENT_NAME: 'b',
      TEMPORAL_WORKER_BUILD_ID: 'c',
    };
    const without = environmentOf('worker', passwords);
    expect(environmentOf('worker', { ...passwords, ...given })).toEqual({ ...without, ...given });
    expect(toDeployment(without)).toBeNull();
  });

  it('contains no secret except those that follow from the seed of the sandbox', () => {
    // Those are compared with the stand-ins by hand-run.all.test.ts.
    const { 'sandbox-worker': _, ...others } = services;
    const secrets = Object.values(others).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([key]) => /PASSWORD|PWD|KEY|TOKEN|DATABASE_URL/.test(key)),
    );
    expect(secrets.length).toBeGreaterThan(4);
    expect(secrets.filter(([, value]) => value !== null && !String(value).includes('${'))).toEqual([]);
  });

  it('publishes every port on this machine only, unless CONSOLE_ADDRESS says otherwise', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => port.endsWith(':8788'))).toHaveLength(1);
    for (const port of ports) expect(port).toMatch(/^(?:127\.0\.0\.1|\$\{CONSOLE_ADDRESS:-127\.0\.0\.1\}):\d+:\d+$/);
  });

  it('serves the console on all addresses of its container, to the users whose hash is in the environment', () => {
    const given = { CONSOLE_PASSWORD: 'scrypt:…' };
    expect([serviceOf('console').command].flat()).toEqual(['console']);
    expect(environmentOf('console', passwords)).toMatchObject({ PROSPECT_SYNC_CONSOLE_HOST: '0.0.0.0' });
    // They read the same configuration, which names the variable.
    for (const name of ['console', 'worker', 'receiver'])
      expect(environmentOf(name, { ...passwords, ...given })).toMatchObject(given);
  });

  it('has a health check that matches the command of the image', () => {
    const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
    const [, port] = /CMD \["worker", "--health-port", "(\d+)"\]/.exec(dockerfile) ?? [];
    expect(dockerfile).toContain(`http://127.0.0.1:${port}/healthz`);
    for (const name of ['worker', 'sandbox-worker']) {
      expect([serviceOf(name).command].flat().slice(0, 3)).toEqual(['worker', '--health-port', port]);
    }
  });
});

describe('the service temporal-schema', () => {
  it('creates the tables of both Temporal databases with its own role', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'prospect-sync-schema-'));
    await writeScript(path.join(folder, 'temporal-sql-tool'), 'echo "$@"');
    const env = { PATH: `${folder}:/usr/bin:/bin` };
    const output = execFileSync('/bin/sh', ['-euc', scriptOf('temporal-schema')], { env, encoding: 'utf8' });
    const of = (database: string, folderName: string) => {
      const start = `--plugin postgres12 --ep postgres -p 5432 -u temporal --db ${database}`;
      const schema = `/etc/temporal/schema/postgresql/v12/${folderName}/versioned`;
      return [`${start} setup-schema -v 0.0`, `${start} update-schema -d ${schema}`];
    };
    expect(output.trim().split('\n')).toEqual([
      ...of('temporal', 'temporal'),
      ...of('temporal_visibility', 'visibility'),
    ]);
    rmSync(folder, { recursive: true });
  });
});
