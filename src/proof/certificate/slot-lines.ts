/** Lines of an export: one slot a line, as canonical JSON. */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { isBeyondJsonLimits, parseJsonOrUndefined } from '../../base/json/json-limits.ts';
import { isPartlyErased, toPublishedSlot, type StoredSlot } from '../../ledger/stored-slot.ts';

import { slotDigest } from '../../base/json/slot-digest.ts';
import { isRecord } from '../../base/json/own-property.ts';
import { escapeUnprintable } from '../../base/text/printable-text.ts';

/** `digest`: of the slot without wordings. An erased slot has kept only its digest. */
export type SlotLine = { readonly position: number; readonly digest: string } & (
  | { readonly slot: Readonly<Record<string, unknown>> }
  | { readonly erased: true }
);

/** `digest`: the stored one; null: it is computed from the slot. */
export function toSlotLine(stored: Pick<StoredSlot, 'position' | 'json'>, digest: string | null): string {
  const { position } = stored;
  if (digest !== null && isPartlyErased(stored)) return canonicalJson({ position, digest, erased: true });
  const slot = toPublishedSlot(stored);
  return canonicalJson({ position, digest: digest ?? slotDigest(slot), slot });
}

/** null for a line that no export has: its bytes show every member once, and no other ones. */
export function parseSlotLine(line: Uint8Array): SlotLine | null {
  // The bytes are checked: checking a text takes longer.
  if (!isUtf8(line) || isBeyondJsonLimits([line])) return null;
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8').trimEnd();
  const json = parseJsonOrUndefined(text);
  if (!isRecord(json) || Object.keys(json).length !== 3) return null;
  const canonical = canonicalJson(json);
  if (canonical !== text && escapeUnprintable(canonical) !== text) return null;
  const { position, digest, slot, erased } = json;
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 0) return null;
  if (typeof digest !== 'string' || !/^[0-9a-f]{64}$/.test(digest)) return null;
  if (erased === true) return slot === undefined ? { position, digest, erased } : null;
  return isRecord(slot) ? { position, digest, slot } : null;
}

/** Longer than any line of an export: collecting refuses slots of more than 16 million characters. */
const mostLineBytes = 64_000_000;

/**
 * The lines of a file, which may be compressed with gzip. A line that is too long ends them with null.
 * @throws Error of the operating system, or of zlib for a damaged file
 */
export async function* readLines(path: string): AsyncGenerator<Uint8Array | null> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(path)) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const last = chunk.subarray(start, end);
      yield pending.length === 0 ? last : Buffer.concat([...pending, last]);
      pending = [];
      bytes = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    pending.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > mostLineBytes) {
      yield null;
      return;
    }
  }
  if (pending.length > 0) yield Buffer.concat(pending);
}

/** False for a file whose first line cannot be one of an export. An order without slots has an empty export. */
export async function startsAsExport(path: string): Promise<boolean> {
  for await (const line of readLines(path)) return line === null || line[0] === 0x7b;
  return true;
}

async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const first = await readFirst(path);
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  const isGzip = first[0] === 0x1f && first[1] === 0x8b;
  if (!isGzip) {
    yield* file;
    return;
  }
  const unpacked = createGunzip({ chunkSize: 1 << 18 });
  file.on('error', (error) => unpacked.destroy(error));
  try {
    yield* file.pipe(unpacked);
  } finally {
    file.destroy();
  }
}

async function readFirst(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path, { start: 0, end: 1 })) return chunk;
  return Buffer.alloc(0);
}
