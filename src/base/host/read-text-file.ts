import { readFile } from 'node:fs/promises';
import { decodeUtf8 } from '../text/utf8-text.ts';

/** A text file has another encoding than UTF-8. */
class TextEncodingError extends Error {
  override readonly name = 'TextEncodingError';
  /** In the place of a code of the operating system, which messages show. */
  readonly code: string;

  constructor(line: number) {
    const code = `line ${line} has bytes that are not UTF-8; save the file as UTF-8`;
    super(code);
    this.code = code;
  }
}

/** @throws TextEncodingError for a file that is not UTF-8; what the operating system refuses */
export async function readTextFile(path: string): Promise<string> {
  return decodeTextFile(await readFile(path));
}

/** @throws TextEncodingError */
export function decodeTextFile(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (typeof text === 'string') return text;
  throw new TextEncodingError(text.line);
}
