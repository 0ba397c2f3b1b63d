/**
 * An answer as JSON in bytes. The items of its lists are written one by one into a buffer that stays: a page of results is
 * some hundred kilobytes, and making and moving texts and buffers of that size took more time than all else about it.
 */
export function toJsonBytes(body: unknown): Uint8Array<ArrayBuffer> {
  let at = 0;
  const write = (text: string) => {
    // UTF-8 needs three bytes at most for each UTF-16 unit.
    if (at + text.length * 3 > scratch.length) scratch = enlarged(scratch, at + text.length * 3);
    at += scratch.write(text, at);
  };
  const writeList = (list: readonly unknown[]) => {
    write('[');
    for (const [place, item] of list.entries()) {
      if (place > 0) write(',');
      write(JSON.stringify(item));
    }
    write(']');
  };
  if (Array.isArray(body)) writeList(body);
  else if (typeof body === 'object' && body !== null) {
    let opening = '{';
    for (const [name, field] of Object.entries(body)) {
      if (field === undefined) continue;
      write(`${opening}${JSON.stringify(name)}:`);
      if (Array.isArray(field)) writeList(field);
      else write(JSON.stringify(field));
      opening = ',';
    }
    write(opening === '{' ? '{}' : '}');
  } else write(JSON.stringify(body));
  const bytes = new Uint8Array(scratch.subarray(0, at));
  if (scratch.length > mostKept) scratch = Buffer.allocUnsafeSlow(usualLength);
  return bytes;
}

const usualLength = 1 << 20;
/** The answer to 10,000 entries at the greatest lengths is 60 MB; that much is not kept for the next one. */
const mostKept = 4 * usualLength;
let scratch: Buffer = Buffer.allocUnsafeSlow(usualLength);

function enlarged(buffer: Buffer, least: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(least, buffer.length * 2));
  buffer.copy(larger);
  return larger;
}
