import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../src/base/json/canonical-json.ts';
import { slotDigest } from '../../../src/base/json/slot-digest.ts';
import { toSlotLine } from '../../../src/proof/certificate/slot-lines.ts';
import { verifySlots } from '../../../src/proof/certificate/verify-slots.ts';
import { createCertificate, createSlots } from './signed-certificate.ts';
import { runsOf } from '../../helpers/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'verify-slots-'));
const file = join(folder, 'slots.ndjson');
afterAll(() => rmSync(folder, { recursive: true }));

const slots = createSlots(12);
const certificate = createCertificate(slots);
const lines = slots.map((slot, position) => toSlotLine({ position, json: JSON.stringify(slot) }, null));

async function verify(content: readonly string[] | Uint8Array) {
  writeFileSync(file, Array.isArray(content) ? content.map((line) => `${line}\n`).join('') : (content as Uint8Array));
  return verifySlots(file, certificate);
}

const codes = async (content: readonly string[] | Uint8Array) => {
  const { problems } = await verify(content);
  return problems.map(({ code }) => code);
};

/** The lines with one of them changed. */
const replaced = (at: number, line: string) => lines.with(at, line);

describe('verifySlots', () => {
  it('accepts the export of the slots, plain and compressed, with and without a line feed at the end', async () => {
    const all = { slots: 12, erased: 0, problems: [] };
    expect(await verify(lines)).toEqual(all);
    expect(await verify(gzipSync(`${lines.join('\n')}\n`))).toEqual(all);
    expect(await verify(Buffer.from(lines.join('\n')))).toEqual(all);
  });

  it('accepts slots with other wordings', async () => {
    expect(await codes(replaced(2, (lines[2] ?? '').replace('"eligible"', '"in other words"')))).toEqual([]);
  });

  it('refuses a line in other bytes than export writes: repeated and further members, other numbers, other order', async () => {
    const line = lines[2] ?? '';
    for (const changed of [
      line.replace('"position":2', '"position":2,"position":2'),
      line.replace('"position":2', '"note":"x@y.example","position":2'),
      line.replace('"status":', '"status":"PARTIAL","status":'),
      line.replace('"input_position":2', '"input_position":2.0'),
      line.replace('"position":2', '"position":2e0'),
      line.replace('{', '{ '),
    ]) {
      expect(changed).not.toBe(line);
      expect(await codes(replaced(2, changed))).toEqual(['line_unreadable']);
    }
  });

  it('refuses data under the name of a wording, which is a text', async () => {
    const slot = { ...slots[3], label: { people: ['x@y.example'] } };
    const json = JSON.stringify(slot);
    expect(await codes(replaced(3, toSlotLine({ position: 3, json }, slotDigest(slots[3]))))).toEqual(['slot_changed']);
  });

  it('refuses swapped, dropped, repeated and additional lines', async () => {
    const line = (at: number) => lines[at] ?? '';
    expect(await codes(lines.with(1, line(2)).with(2, line(1)))).toContain('slots_out_of_order');
    expect(await codes(lines.toSpliced(5, 1))).toEqual(['slots_out_of_order']);
    expect(await codes(lines.toSpliced(5, 0, line(5)))).toContain('slots_out_of_order');
    expect(await codes(lines.slice(0, -1))).toEqual(['slots_differ', 'reading_differs']);
    expect(await codes([...lines, line(0).replace('"position":0', '"position":12')])).toEqual(['slots_differ']);
    expect(await codes([])).toEqual(['slots_differ', 'reading_differs']);
  });

  it('refuses two slots that were swapped with their positions', async () => {
    const [a = '', b = ''] = lines;
    const swapped = lines
      .with(0, b.replace('"position":1', '"position":0'))
      .with(1, a.replace('"position":0', '"position":1'));
    // input_position is in the slot as well; the position of the line is not part of its digest.
    expect(await codes(swapped)).toEqual(['reading_differs']);
  });

  it('refuses a changed slot, also with the digest of the change', async () => {
    const slot = { ...slots[3], company: { name: 'Another' } };
    const json = JSON.stringify(slot);
    expect(await codes(replaced(3, toSlotLine({ position: 3, json }, slotDigest(slots[3]))))).toEqual(['slot_changed']);
    expect(await codes(replaced(3, toSlotLine({ position: 3, json }, null)))).toEqual(['reading_differs']);
  });

  it('accepts erased slots by their digest, and says how many there are', async () => {
    const erased = canonicalJson({ position: 3, digest: slotDigest(slots[3]), erased: true });
    expect(await verify(replaced(3, erased))).toEqual({ slots: 12, erased: 1, problems: [] });
    const other = canonicalJson({ position: 3, digest: slotDigest(slots[4]), erased: true });
    expect(await codes(replaced(3, other))).toEqual(['reading_differs']);
  });

  it('refuses a changed byte of any line, unless the slot is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(11), fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, place, change) => {
        const bytes = Buffer.from(lines[at] ?? '');
        const index = place % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ change;
        const before = lines.slice(0, at).map((line) => `${line}\n`);
        const after = lines.slice(at + 1).map((line) => `\n${line}`);
        const content = Buffer.concat([Buffer.from(before.join('')), bytes, Buffer.from(after.join(''))]);
        expect((await codes(content)).length > 0 || isSameSlot(bytes, at)).toBe(true);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it.each([
    ['no JSON', 'slot'],
    ['no slot', '{"position":3,"digest":"00"}'],
    ['JSON of 1,000 levels', `{"position":3,"slot":${'['.repeat(1_000)}`],
    ['a slot that is also erased', (lines[3] ?? '').replace('{', '{"erased":true,')],
  ])('refuses a line with %s', async (_, line) => {
    expect(await codes(replaced(3, line))).toEqual(['line_unreadable']);
  });

  it('stops at a line without end', async () => {
    const endless = gzipSync(Buffer.alloc(80_000_000, 'a'));
    expect(await codes(endless)).toEqual(['line_unreadable']);
  });

  it('reports a damaged archive as an error', async () => {
    const damaged = gzipSync(`${lines.join('\n')}\n`).subarray(0, 100);
    await expect(verify(damaged)).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
  });
});

/** Wordings are not part of a digest, and equivalent JSON is the same slot. */
function isSameSlot(bytes: Uint8Array, at: number): boolean {
  const { slot, position } = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return position === at && slotDigest(slot) === slotDigest(slots[at]);
}
