// docs/data.md, "Move or copy a project".
import * as fc from 'fast-check';
import { join, resolve, sep } from 'node:path';
import { createStoredPaths } from '../../src/ledger/stored-paths.ts';
import { onDatabasesOfAll } from './both-databases.ts';
import { receipt } from './output-receipt.ts';

const segments = fc.array(fc.constantFrom('a', 'b', '..c', 'out', '...', 'ä'), { maxLength: 4 });
const folders = segments.map((parts) => `${sep}${parts.join(sep)}`);

describe('createStoredPaths', () => {
  it('reads every path back in the same project', () => {
    fc.assert(
      fc.property(folders, folders, (project, path) => {
        const { toStored, fromStored } = createStoredPaths(project);
        expect(fromStored(toStored(path))).toBe(resolve(path));
      }),
    );
  });

  it('finds a file of a moved project in its new folder, and every other file where it was', () => {
    fc.assert(
      fc.property(folders, folders, segments, (before, after, inside) => {
        const stored = createStoredPaths(before).toStored(join(before, 'x', ...inside));
        expect(createStoredPaths(after).fromStored(stored)).toBe(join(after, 'x', ...inside));
      }),
    );
    const outside = createStoredPaths('/a/project').toStored('/a/projects/file.csv');
    expect(createStoredPaths('/b/project').fromStored(outside)).toBe('/a/projects/file.csv');
  });

  it('keeps absolute paths without a folder', () => {
    const { toStored, fromStored } = createStoredPaths(null);
    expect([toStored('/a/b'), fromStored('/a/b')]).toEqual(['/a/b', '/a/b']);
  });
});

onDatabasesOfAll(({ open, newPlace }) => {
  it('finds every kind of file in the folder of the project that reads the ledger', async () => {
    const place = await newPlace();
    const at = '2026-11-20T12:00:00.000Z';
    const written = { rows: 1, sha256: 's', writtenAt: at };
    const before = await open({ ...place, projectFolder: '/before' });
    const rejected = { rows: 1, file: '/before/out/r.csv' };
    const report = { kind: 'csv', rows: 1, blank: 0, unusable: 0, ordered: 0, rejected, columns: null } as const;
    await before.drafts.save('d', [], { report, headers: [] });
    await before.files.save({
      orderId: 'o',
      kind: 'csv',
      path: '/before/out/o.csv',
      bytes: 1,
      content: null,
      ...written,
    });
    await before.outputs.save({ ...receipt, orderId: 'o', path: '/before/out/service.csv' });
    await before.rejectedRows.saveFile({ draftId: 'd', path: '/before/out/r.csv', contentSha256: 'c', ...written });
    const website = { position: 0, markdown: 'm', urls: [], observedAt: at, fingerprint: 'f', fetchedAt: at };
    await before.websites.save('o', { ...website, erasedAt: null, failures: 0, path: null, sha256: null });
    await before.websites.saveFile('o', 0, { path: '/before/w/0.md', sha256: 's' });
    const certificate = { reconciled: 1, total: 1, findingsJson: '[]', documentJson: '{}' };
    await before.certificates.save({ orderId: 'o', at, ...certificate, path: '/elsewhere/o.json' });

    const after = await open({ ...place, projectFolder: '/after' });
    expect((await after.drafts.source('d'))?.report.rejected?.file).toBe('/after/out/r.csv');
    expect((await after.files.list('o'))[0]?.path).toBe('/after/out/o.csv');
    expect((await after.outputs.get('o', 'csv en'))?.path).toBe('/after/out/service.csv');
    expect((await after.outputs.list('o'))[0]?.path).toBe('/after/out/service.csv');
    expect((await after.rejectedRows.file('d'))?.path).toBe('/after/out/r.csv');
    expect((await after.rejectedRows.files())[0]?.path).toBe('/after/out/r.csv');
    expect((await after.websites.read('o', { from: 0, to: 1 }))[0]?.path).toBe('/after/w/0.md');
    expect((await after.certificates.latest('o'))?.path).toBe('/elsewhere/o.json');
  });
});
