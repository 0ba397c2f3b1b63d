import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errorName } from '../../../src/base/failures/error-name.ts';
import { describeSystemCode, describeSystemError, explainSystemText } from '../../../src/base/failures/system-code.ts';
import { makeFolderSync } from '../../../src/base/host/make-folder.ts';

describe('describeSystemCode', () => {
  it.each([
    ['ENOENT', 'there is no such file (ENOENT)'],
    ['EACCES', 'no permission (EACCES)'],
    ['EROFS', 'the file system is read-only (EROFS)'],
    ['ENOSPC', 'the disk is full (ENOSPC)'],
    ['EISDIR', 'it is a folder (EISDIR)'],
    ['ENOTDIR', 'a part of the path is not a folder (ENOTDIR)'],
    ['EMFILE', 'this process has too many open files (EMFILE)'],
    ['EADDRINUSE', 'the address is in use (EADDRINUSE)'],
    ['CERT_HAS_EXPIRED', 'CERT_HAS_EXPIRED'],
    ['constructor', 'constructor'],
  ])('says %s as: %s', (code, text) => {
    expect(describeSystemCode(code)).toBe(text);
  });
});

describe('describeSystemError', () => {
  it('names an error without a code', () => {
    expect(describeSystemError(new Error('secret'))).toBe('unknown error');
  });

  it('puts words before the text of Node for a refused connection', () => {
    expect(explainSystemText('connect ECONNREFUSED 127.0.0.1:7233')).toBe(
      'nothing accepts connections there (connect ECONNREFUSED 127.0.0.1:7233)',
    );
    expect(explainSystemText('no luck')).toBe('no luck');
  });
});

describe('errorName', () => {
  it('is the name of an error, and for one of the operating system what has happened', async () => {
    const missing: unknown = await readFile('/nowhere/at/all').catch((error: unknown) => error);
    expect(errorName(missing)).toBe('there is no such file (ENOENT)');
    expect(errorName(new RangeError('Ann Example'))).toBe('RangeError');
    expect(errorName('Ann Example')).toBe('unknown error');
  });
});

describe('makeFolderSync', () => {
  it('creates missing folders with the mode, and refuses a path through a file with its own code', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'make-folder-'));
    try {
      const deep = path.join(folder, 'a', 'b');
      makeFolderSync(deep, 0o700);
      makeFolderSync(deep, 0o700);
      expect([await modeOf(deep), await modeOf(path.dirname(deep))]).toEqual([0o700, 0o700]);
      await writeFile(path.join(folder, 'file'), '');
      const refused = () => makeFolderSync(path.join(folder, 'file', 'below', 'deep'), 0o700);
      expect(refused).toThrow(expect.objectContaining({ code: expect.stringMatching(/^(?:EEXIST|ENOTDIR)$/) }));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

async function modeOf(place: string): Promise<number> {
  return (await stat(place)).mode & 0o777;
}
