import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readConfiguration } from '../../../src/cli/configuration.ts';
import { readTextFile } from '../../../src/base/host/read-text-file.ts';
import { createFolder } from '../spreadsheet/temporary-folder.ts';

const file = path.join(createFolder(), 'text.yaml');

describe('readTextFile', () => {
  it('reads UTF-8 with and without a byte order mark', async () => {
    for (const text of ['a: ä\n', '\uFEFFa: ä\n']) {
      await writeFile(file, text);
      expect(await readTextFile(file)).toBe('a: ä\n');
    }
  });

  it.each([
    ['Windows-1252', Buffer.from('a: 1\r\nb: K\xe4se\r\n', 'latin1'), 2],
    ['UTF-16', Buffer.from('\uFEFFa: ä\n', 'utf16le'), 1],
    ['a character that is cut off', Buffer.from('a\nä').subarray(0, 3), 2],
  ])('refuses %s, and names the line', async (_, bytes, line) => {
    await writeFile(file, bytes);
    const code = `line ${line} has bytes that are not UTF-8; save the file as UTF-8`;
    await expect(readTextFile(file)).rejects.toMatchObject({ code });
    await expect(readConfiguration(file, {})).rejects.toThrow(`${file} cannot be read: ${code}`);
  });
});
