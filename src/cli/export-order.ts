/** Exports the slots of an order from the ledger, and shows the key that signs its certificates. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { findSigningKey, obtainSigningKey } from '../proof/certificate/issue-certificate.ts';
import { fingerprintOf, publicKeyText } from '../proof/certificate/signature.ts';
import { toSlotLine } from '../proof/certificate/slot-lines.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ExportedOrder, PublicKey } from '../proof/certificate/certificate-report.ts';
import { writeWholeFile, type GrowingFile } from '../base/spreadsheet/whole-file.ts';
import { escapeUnprintable } from '../base/text/printable-text.ts';
import { readConfiguration, type GlobalOptions } from './configuration.ts';
import { openAnnouncedLedger, openLedgerIfPossible, withLedger } from './data-folder.ts';
import { readCollected, findOrderId } from './known-order.ts';
import { assertFreeTarget, type TargetFlags } from './target-file.ts';
import { CommandError, exitCodes, signalOf, type Terminal } from './terminal.ts';

/** Without `out` the lines are printed, and the result is null. */
export async function exportOrder(
  terminal: Terminal,
  options: GlobalOptions,
  orderId: string,
  { out, overwrite }: TargetFlags,
): Promise<ExportedOrder | null> {
  if (options.json && out === undefined)
    throw new CommandError('--json needs --out FILE: without it, the slots themselves are printed', exitCodes.usage);
  if (out !== undefined) await assertFreeTarget(out, { overwrite, format: 'jsonLines' }, options);
  const config = await readConfiguration(options.config, terminal.env);
  const id = await findOrderId(terminal, config, options, orderId);
  await using cleanup = new AsyncDisposableStack();
  const ledger = cleanup.adopt(await openAnnouncedLedger(terminal, config, options), (opened) => opened.close());
  await readCollected(ledger, id);
  if (out === undefined) {
    // A terminal executes control characters, which canonical JSON may contain.
    for await (const lines of readSlotLines(ledger, id)) terminal.print(lines.map(escapeUnprintable).join('\n'));
    return null;
  }
  let slots = 0;
  async function* chunks() {
    for await (const lines of readSlotLines(ledger, id)) {
      slots += lines.length;
      yield Buffer.from(`${lines.join('\n')}\n`);
    }
  }
  const file = { path: out, signal: signalOf(terminal) };
  const written = await writeWholeFile(file, (growing) =>
    out.endsWith('.gz') ? appendCompressed(growing, chunks()) : appendAll(growing, chunks()),
  );
  return { orderId: id, file: out, slots, ...written };
}

/** Slots by position, up to 500 at a time. */
async function* readSlotLines(ledger: Ledger, orderId: string): AsyncGenerator<string[]> {
  for await (const slots of ledger.slots.stream(orderId)) {
    const range = { from: slots[0]?.position ?? 0, to: (slots.at(-1)?.position ?? 0) + 1 };
    const stored = await ledger.slotDigests.read(orderId, range);
    const digests = new Map(stored.map(({ position, digest }) => [position, digest]));
    yield slots.map((slot) => toSlotLine(slot, digests.get(slot.position) ?? null));
  }
}

async function appendAll(file: GrowingFile, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) await file.append(chunk);
}

function appendCompressed(file: GrowingFile, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  return pipeline(Readable.from(chunks), createGzip(), (compressed: AsyncIterable<Uint8Array>) =>
    appendAll(file, compressed),
  );
}

/** The public part of the key that signs the certificates of this configuration. */
export async function showPublicKey(terminal: Terminal, options: GlobalOptions): Promise<PublicKey> {
  return withLedger(terminal, options, async (ledger, config) => {
    const publicKey = publicKeyText(await obtainSigningKey(ledger, config.certificates));
    const from = config.certificates.key === null ? 'ledger' : 'configuration';
    return { publicKey, fingerprint: fingerprintOf(publicKey), from };
  });
}

/** The public key with which this installation signs; null if there is no usable configuration, or no key yet. */
export async function findOwnKey(terminal: Terminal, options: GlobalOptions): Promise<string | null> {
  const config = await readConfiguration(options.config, terminal.env).catch(() => null);
  if (config === null) return null;
  await using cleanup = new AsyncDisposableStack();
  const ledger = await openLedgerIfPossible(terminal, config, options);
  if (ledger === null) return null;
  cleanup.adopt(ledger, (opened) => opened.close());
  const key = await findSigningKey(ledger, config.certificates);
  return key === null ? null : publicKeyText(key);
}
