import { readBoundedText } from '../../../src/base/http/http-answer.ts';

const limit = 32 * 1024 ** 2;

/** A body of this many bytes in chunks of this size, which records how much was read. */
function pieces(bytes: number, size: number) {
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = new Uint8Array(Math.min(size, bytes - sent)).fill(0x20);
      sent += piece.length;
      if (piece.length > 0) controller.enqueue(piece);
      else controller.close();
    },
    cancel: () => void (isCancelled = true),
  });
  return { response: new Response(body), sent: () => sent, isCancelled: () => isCancelled };
}

describe('readBoundedText', () => {
  it('reads a body of up to 32 MB, whatever the size of its chunks', async () => {
    expect(await readBoundedText(pieces(limit, 1_000_003).response)).toHaveLength(limit);
    expect(await readBoundedText(pieces(70_001, 7).response)).toHaveLength(70_001);
    expect(await readBoundedText(new Response(null))).toBe('');
  });

  it('cancels a body that is one byte longer, and reads no further', async () => {
    const body = pieces(10 * limit, 1024 ** 2);
    expect(await readBoundedText(body.response)).toBeNull();
    expect(body.isCancelled()).toBe(true);
    // The stream reads one chunk ahead.
    expect(body.sent()).toBeLessThanOrEqual(limit + 2 * 1024 ** 2);
  });

  it('decodes UTF-8 that is split between two chunks', async () => {
    const bytes = new TextEncoder().encode('Käse 🧀');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readBoundedText(new Response(body))).toBe('Käse 🧀');
  });
});
