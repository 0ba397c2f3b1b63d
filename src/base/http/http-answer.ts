/** Reads answers of HTTP calls: bodies up to a limit (1 MB of gzip may hold gigabytes), redirects and Retry-After. */
import { setImmediate } from 'node:timers/promises';

/** An HTTP client, or an HTTP program that answers. */
export type Fetch = (request: Request) => Promise<Response>;

const sentRequests = new Set<Request>();

/**
 * Sends a request and reads its answer. Keeps the request for as long: one that is garbage collected no longer passes its abort on
 * (nodejs/node issue 55428), and the connection would stay open for minutes after a timeout.
 */
export async function sendRequest<T>(
  fetch: Fetch,
  request: Request,
  readAnswer: (response: Response) => Promise<T>,
): Promise<T> {
  sentRequests.add(request);
  try {
    return await readAnswer(await fetch(request));
  } finally {
    sentRequests.delete(request);
  }
}

/** Larger than any page of the service and any batch of HubSpot. */
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

/** Lets other work run between the slow steps over a large answer. */
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

/** The decoded body in blocks of 64 kB, or null when it has more than 32 MB; the rest is then not decompressed. */
export async function readBoundedBlocks({ body }: Response): Promise<BodyBlocks | null> {
  if (body === null) return { blocks: [], size: 0 };
  const reader = body.getReader();
  // Blocks of one size: chunks of one byte would need many times the limit, and a growing buffer leaves garbage.
  const blocks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (size + value.length > mostAnswerBytes) {
      // Not awaited: a stalled source may never settle.
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

/** The statuses that a download follows. */
export const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];

/**
 * True for 3xx, and for `opaqueredirect` (status 0), by which `fetch` hides a redirect. API calls never follow one: it would
 * send method, body and key to another address.
 */
export function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399);
}

/** `status 307 to another host`; without the address, which may contain keys or names. */
export function describeRedirect({ status, headers }: Response, requested: string): string {
  const from = new URL(requested);
  const location = headers.get('location');
  const to = location === null ? null : URL.parse(location, from.href);
  const statusText = status === 0 ? 'status unknown' : `status ${status}`;
  return to === null ? statusText : `${statusText} to ${describeTarget(from, to)}`;
}

function describeTarget(from: URL, to: URL): string {
  if (to.hostname !== from.hostname) return 'another host';
  if (to.protocol !== from.protocol) return `${to.protocol === 'https:' ? 'https' : 'another scheme'} on the same host`;
  return to.port === from.port ? 'another path of the same host' : 'another port of the same host';
}

/**
 * The seconds of a Retry-After header, which has seconds or an HTTP date (RFC 9110, 10.2.3); undefined when malformed.
 * `now`: milliseconds since the epoch.
 */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header);
  // Date.parse accepts almost any text that ends in a number; an HTTP date begins with its weekday.
  if (!/^(?:mon|tue|wed|thu|fri|sat|sun)/i.test(header.trim())) return undefined;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
