/** Bodies of answers, read up to a limit: 1 MB of gzip may hold gigabytes. */
import { setImmediate } from 'node:timers/promises';

/** Far above the largest page of the service and the largest batch of HubSpot. */
const mostAnswerBytes = 32 * 1024 ** 2;
export const answerTooLarge = 'with more than 32 MB';

const firstBytes = 64 * 1024;
const largeBytes = 1024 ** 2;

/** The decoded body as text, or null when it has more than 32 MB. */
export async function readBoundedText(response: Response): Promise<string | null> {
  const bytes = await readBoundedBytes(response);
  if (bytes === null) return null;
  await yieldIfLarge(bytes.length);
  const text = new TextDecoder().decode(bytes);
  await yieldIfLarge(text.length);
  return text;
}

/** Each step over a large answer takes long enough: other work comes between them. */
export async function yieldIfLarge(size: number): Promise<void> {
  if (size > largeBytes) await setImmediate();
}

/** The decoded body, or null when it has more than 32 MB: it is then aborted, and nothing more of it is decompressed. */
export async function readBoundedBytes({ body }: Response): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  // One buffer that grows: a list of chunks of one byte each would take many times the limit.
  let bytes = new Uint8Array(firstBytes);
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, size);
    const end = size + value.length;
    if (end > mostAnswerBytes) {
      // Not awaited: a source that hangs may hang here as well.
      void reader.cancel().catch(() => undefined);
      return null;
    }
    if (end > bytes.length) {
      const grown = new Uint8Array(Math.max(end, bytes.length * 2));
      grown.set(bytes.subarray(0, size));
      bytes = grown;
    }
    bytes.set(value, size);
    size = end;
  }
}
