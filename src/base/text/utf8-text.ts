/** Bytes of text files. They are UTF-8 or are refused: a guess of another encoding stores names and addresses that do not exist. */

/** Text of UTF-8 bytes without byte order mark; or the number of the first line, from 1, with bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | { readonly line: number } {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { line: findInvalidLine(bytes) };
  }
}

/** The number of the first line with bytes that are not UTF-8. A byte 10 is never part of a longer character. */
export function findInvalidLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start, stop));
    } catch {
      return line;
    }
    start = stop + 1;
  }
  return line;
}
