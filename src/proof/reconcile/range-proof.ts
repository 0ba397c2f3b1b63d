/** Compares a range of slots with the service and the CRM. */
import { mergeFindings, toFindings, type SlotFinding } from '../checks/slot-findings.ts';
import type { SlotSample } from '../checks/slot-sample.ts';
import { partsOf, type SlotRange } from '../../ledger/stored-slot.ts';
import { slotsPerBatch } from '../../delivery/crm/slot-batch.ts';
import type { ProofContext } from './proof-context.ts';
import { reconcileCrm } from './reconcile-crm.ts';
import { compareSlots } from './reconcile-slots.ts';
import { addFigures, noReadBack, type ReadBackFigures } from '../report/read-back-figures.ts';
import type { Finding } from '../report/order-report.ts';

export interface RangeProof {
  /** Slots without a finding in the ledger and in the CRM. */
  readonly reconciled: number;
  readonly findings: Finding[];
  /** Figures of the CRM records; absent if none was written. */
  readonly readBack?: ReadBackFigures | undefined;
  /** Slots with erased data; absent if there are none. */
  readonly erased?: number | undefined;
}

/** `sample`: null when no record was written to the CRM. */
async function compareRange(context: ProofContext, range: SlotRange, sample: SlotSample | null) {
  const { slots, ...compared } = await compareSlots(context, range);
  const crm = sample === null ? null : await reconcileCrm(context, { range, slots, sample });
  return { ...compared, crm };
}

/** Every slot with a finding, and every edited value, with its details. They contain personal data. */
export async function* listDifferences(
  context: ProofContext,
  { orderId, total }: { readonly orderId: string; readonly total: number },
  sample: SlotSample | null,
): AsyncGenerator<SlotFinding> {
  for (const part of partsOf({ from: 0, to: total }, slotsPerBatch)) {
    const { differences, remarks, crm } = await compareRange(context, { orderId, ...part }, sample);
    yield* [...differences, ...remarks, ...(crm?.findings ?? []), ...(crm?.edits ?? [])].toSorted(
      (a, b) => a.position - b.position,
    );
  }
}

/** `sample`: null when no record was written to the CRM. */
export async function proveRange(
  context: ProofContext,
  range: SlotRange,
  sample: SlotSample | null,
): Promise<RangeProof> {
  const { differences, remarks, erased, crm } = await compareRange(context, range, sample);
  const inCrm = crm?.findings ?? [];
  const positions = new Set([...differences, ...inCrm].map(({ position }) => position));
  const findings = toFindings([...differences, ...remarks, ...inCrm]);
  const reconciled = range.to - range.from - positions.size;
  return {
    reconciled,
    findings,
    ...(crm === null ? {} : { readBack: crm.figures }),
    ...(erased === 0 ? {} : { erased }),
  };
}

export function addProofs(proofs: readonly RangeProof[]): RangeProof {
  const erased = proofs.reduce((total, proof) => total + (proof.erased ?? 0), 0);
  const readBacks = proofs.flatMap(({ readBack }) => readBack ?? []);
  return {
    reconciled: proofs.reduce((total, proof) => total + proof.reconciled, 0),
    findings: mergeFindings(proofs.map(({ findings }) => findings)),
    ...(readBacks.length === 0 ? {} : { readBack: readBacks.reduce(addFigures, noReadBack) }),
    ...(erased === 0 ? {} : { erased }),
  };
}
