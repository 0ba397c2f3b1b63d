import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.join(__dirname, '../..');
const text = readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8');
const { on, permissions, jobs } = parse(text);

describe('.github/workflows/release.yml', () => {
  it('publishes on a tag only, after .ci/run', () => {
    expect(on).toEqual({ push: { tags: ['v*'] } });
    expect(jobs.check.steps).toContainEqual({ run: '.ci/run' });
    expect(jobs.publish.needs).toBe('check');
  });

  it('gives the identity for provenance to the job that publishes, and no other permission but reading', () => {
    expect(permissions).toEqual({});
    expect(jobs.check.permissions).toEqual({ contents: 'read' });
    expect(jobs.publish.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(text).not.toContain('secrets.');
  });

  it('pins every action by its digest, and Node to the version of the clone', () => {
    const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(used).toHaveLength(2);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    const { version } = JSON.parse(readFileSync(path.join(root, 'tools/node/package.json'), 'utf8'));
    for (const job of [jobs.check, jobs.publish]) expect(job.container).toBe(`node:${version}-bookworm`);
  });
});
