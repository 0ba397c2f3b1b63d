/** Compares a range of slots with the service and the CRM. */
import { mergeFindings, toFindings } from '../checks/slot-findings.ts';
import type { SlotSample } from '../checks/slot-sample.ts';
import type { SlotRange } from '../../ledger/stored-slot.ts';
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
export async function proveRange(
  context: ProofContext,
  range: SlotRange,
  sample: SlotSample | null,
): Promise<RangeProof> {
  const { slots, differences, remarks, erased } = await compareSlots(context, range);
  const crm = sample === null ? null : await reconcileCrm(context, { range, slots, sample });
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
