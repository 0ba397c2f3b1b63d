/** Recomputes the first reading of a certificate from an export, one slot at a time. */
import { reasonCodes, slotStatuses } from '../../service/contract/index.ts';
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { readSlotFields } from '../../service/reading/read-slot.ts';
import { boundTally, boundWord, boundWords } from '../../base/text/bound-text.ts';
import type { CertificateDocument } from './certificate-document.ts';
import { createDigestList, slotDigest } from '../../base/json/slot-digest.ts';
import { parseSlotLine, readLines, type SlotLine } from './slot-lines.ts';
import type { CertificateProblem } from './verify-certificate.ts';

export interface VerifiedSlots {
  readonly slots: number;
  /** Slots of which only the digest is left. */
  readonly erased: number;
  readonly problems: readonly CertificateProblem[];
}

/** After so many problems the rest of the file is not read. */
const mostProblems = 10;
/** Different statuses or codes; no service has as many. */
const mostWords = 10_000;

/** @throws Error when the file cannot be read */
export async function verifySlots(
  path: string,
  { order, slots, readings }: CertificateDocument,
): Promise<VerifiedSlots> {
  const problems: CertificateProblem[] = [];
  const digests = createDigestList();
  const tallies = createTallies();
  let erased = 0;
  let next = 0;
  for await (const bytes of readLines(path)) {
    if (problems.length >= mostProblems) break;
    const line = bytes === null ? null : parseSlotLine(bytes);
    if (line === null) {
      problems.push({
        code: 'line_unreadable',
        message: `Line ${digests.length + 1} is not a line of an export: canonical JSON of three members, each of them once.`,
      });
      break;
    }
    if (line.position !== next) {
      const message = `Line ${digests.length + 1} has position ${line.position}, expected ${next}.`;
      problems.push({ code: 'slots_out_of_order', message });
    }
    if (digests.length === slots.total) {
      problems.push({ code: 'slots_differ', message: `The export has more than ${slots.total} slots.` });
      break;
    }
    next = line.position + 1;
    digests.add(line.digest);
    if ('erased' in line) erased += 1;
    else problems.push(...checkSlot(line, tallies));
  }
  if (problems.length === 0) problems.push(...compare());
  return { slots: digests.length, erased, problems };

  function compare(): CertificateProblem[] {
    const found: CertificateProblem[] = [];
    if (digests.length !== slots.total) {
      const message = `The export has ${digests.length} slots, the certificate ${slots.total}.`;
      found.push({ code: 'slots_differ', message });
    }
    if (digests.hex() !== readings.first.digest) {
      const message = `The digest of the exported slots differs from the first reading of the certificate. It may be the export of another order: prospect-sync export ${order.id} --out FILE writes that of this one.`;
      found.push({ code: 'reading_differs', message });
    }
    // Erased slots cannot be counted, and other slots have other counts.
    if (erased > 0 || found.length > 0) return found;
    for (const [name, tally, certified] of [
      ['status', tallies.statuses(), slots.by_status],
      ['reason code', tallies.codes(), slots.by_reason],
    ] as const) {
      if (canonicalJson(tally) === canonicalJson(certified)) continue;
      found.push({ code: 'counts_differ', message: `The exported slots by ${name} differ from the certificate.` });
    }
    return found;
  }
}

type Tallies = ReturnType<typeof createTallies>;

function checkSlot(
  { position, digest, slot }: Extract<SlotLine, { slot: unknown }>,
  tallies: Tallies,
): CertificateProblem[] {
  if (slotDigest(slot) !== digest) {
    return [{ code: 'slot_changed', message: `The slot at position ${position} does not have its digest.` }];
  }
  try {
    const { status, reason_codes: codes } = readSlotFields(slot);
    return tallies.add(boundWord(status), boundWords(codes))
      ? []
      : [{ code: 'slot_unreadable', message: `More than ${mostWords} different statuses or codes.` }];
  } catch {
    return [{ code: 'slot_unreadable', message: `The slot at position ${position} has no position or no status.` }];
  }
}

/** Counts as the ledger does. */
function createTallies() {
  const statuses = new Map<string, number>();
  const codes = new Map<string, number>();
  const increase = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);
  return {
    /** False when there are too many different words. */
    add(status: string, slotCodes: readonly string[]): boolean {
      increase(statuses, status);
      for (const code of slotCodes) increase(codes, code);
      return statuses.size <= mostWords && codes.size <= mostWords;
    },
    statuses: () => boundTally([...statuses], slotStatuses),
    codes: () => boundTally([...codes], Object.keys(reasonCodes)),
  };
}
