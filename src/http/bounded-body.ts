/** Bodies of answers, read up to a limit: 1 MB of gzip may hold gigabytes. */
import { setImmediate } from 'node:timers/promises';

/** Far above the largest page of the service and the largest batch of HubSpot. */
const mostAnswerBytes = 32 * 1024 ** 2;
export const answerTooLarge = 'with more than 32 MB';

const blockBytes = 64 * 1024;
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

/** The decoded body, or null when it has more than 32 MB. */
export async function readBoundedBytes(response: Response): Promise<Uint8Array | null> {
  const body = await readBoundedBlocks(response);
  return body === null ? null : Buffer.concat(body.blocks);
}

interface BodyBlocks {
  readonly blocks: readonly Uint8Array[];
  /** In bytes. */
  readonly size: number;
}

/** The decoded body in blocks of 64 kB, or null when it has more than 32 MB: nothing more of it is then decompressed. */
export async function readBoundedBlocks({ body }: Response): Promise<BodyBlocks | null> {
  if (body === null) return { blocks: [], size: 0 };
  const reader = body.getReader();
  // Blocks of one size: chunks of a byte each would take many times the limit, and one growing buffer leaves garbage.
  const blocks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (size + value.length > mostAnswerBytes) {
      // Not awaited: a source that hangs may hang here as well.
      void reader.cancel().catch(() => undefined);
      return null;
    }
    for (let copied = 0; copied < value.length;) {
      const at = size % blockBytes;
      if (at === 0) blocks.push(new Uint8Array(blockBytes));
      const part = value.subarray(copied, copied + blockBytes - at);
      blocks.at(-1)?.set(part, at);
      copied += part.length;
      size += part.length;
    }
  }
  return { blocks: blocks.map((block, index) => block.subarray(0, size - index * blockBytes)), size };
}
