/** Reads the bodies of deliveries within a bounded memory. No delivery of the service takes more than its free share. */

/** A larger body is not read, and so cannot be verified. */
const mostBytes = 4 * 1024 ** 2;
/** Of each delivery; the longest one of the specification takes about 120 kB. */
const freeBytes = 256 * 1024;
/** Of all bodies together, beyond their free shares: larger ones than the service sends cannot fill the memory. */
const sharedBytes = 16 * 1024 ** 2;

/** @returns a reader of a request's body; `busy`: too many large bodies are under way */
export function createBodyReader() {
  let shared = 0;
  return async (request: Request): Promise<Buffer | 'too_large' | 'busy'> => {
    const declared = Number(request.headers.get('content-length') ?? Number.NaN);
    // Node's server reads no more than that, and a stream takes as long as all other steps together.
    if (declared <= freeBytes) return Buffer.from(await request.arrayBuffer());
    if (declared > mostBytes) return 'too_large';
    const { body } = request;
    const chunks: Uint8Array[] = [];
    let size = 0;
    let held = 0;
    try {
      for await (const chunk of body ?? []) {
        size += chunk.length;
        if (size > mostBytes) return 'too_large';
        const more = Math.max(0, size - freeBytes) - held;
        if (shared + more > sharedBytes) return 'busy';
        held += more;
        shared += more;
        chunks.push(chunk);
      }
    } finally {
      shared -= held;
    }
    return Buffer.concat(chunks);
  };
}
