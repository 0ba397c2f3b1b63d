import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { assertRegularFile } from './regular-file.ts';

/** SHA-256 of a regular file in hex, or null when it cannot be read. */
export async function fileDigest(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await assertRegularFile(path);
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
