/** Bodies are JSON in UTF-8 and say so: a client that forgets is told here and not by the real service. */
import { type Refusal, refuse, refuseInput } from '../refusal.ts';

/** More than 10,000 entries at their greatest lengths need in any spelling (A58). */
const mostBytes = 400 * 1024 * 1024;

export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw refuseInput('header', 'Content-Type', 'Content-Type: must be application/json', 'content_type');
  }
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding !== 'identity') {
    throw refuseInput('header', 'Content-Encoding', 'Content-Encoding: no encoding is taken', 'content_encoding');
  }
  const text = decode(await readBytes(request));
  if (text.trim() === '') throw refuseInput('body', null, 'body: is required', 'missing');
  return parse(text);
}

async function readBytes(request: Request): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Refusal {
  return refuse('REQUEST_TOO_LARGE', `A body of more than ${mostBytes} bytes is not read.`);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuseInput('body', null, 'body: is not valid UTF-8', 'encoding_invalid');
  }
}

function parse(text: string): unknown {
  // Only an escape can bring half of a surrogate pair, which no store and no file could hold.
  const mayBeHalf = /\\u[dD][89a-fA-F]/.test(text);
  try {
    return JSON.parse(text, mayBeHalf ? requireWellFormed : undefined);
  } catch (error) {
    const isHalf = error instanceof RangeError;
    const message = isHalf ? 'body: holds half a surrogate pair' : 'body: is not valid JSON';
    throw refuseInput('body', null, message, 'json_invalid');
  }
}

function requireWellFormed(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) throw new RangeError(key);
  return value;
}
