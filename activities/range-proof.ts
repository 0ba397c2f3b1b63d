/** The result of the reconciliation of a range of slots, and the sum of several ranges. */
import { z } from 'zod';
import { mergeFindings } from '../src/proof/checks/slot-findings.ts';
import { addFigures, noReadBack, type ReadBackFigures } from '../src/proof/report/read-back-figures.ts';
import type { Finding } from '../src/proof/report/order-report.ts';
import { countSchema } from './checked-input.ts';
import { readBackSchema } from './repair-activities.ts';

export interface RangeProof {
  /** Slots without a finding in the ledger and in the CRM. */
  readonly reconciled: number;
  readonly findings: Finding[];
  /** Figures of the CRM records; absent if none was written. */
  readonly readBack?: ReadBackFigures | undefined;
  /** Slots with erased data; absent if there are none. */
  readonly erased?: number | undefined;
}

export const proofSchema = z.object({
  reconciled: countSchema,
  findings: z.array(
    z.object({ code: z.string().max(200), count: countSchema, positions: z.array(countSchema).readonly() }),
  ),
  readBack: readBackSchema.optional(),
  erased: countSchema.optional(),
});

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
