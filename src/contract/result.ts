import { z } from 'zod';
import { companySchema } from './company.ts';
import { reasonCodes } from './reason-codes.ts';
import { assumed, count, guessed, mayBeMissing, openEnum, record, timestamp } from './schema.ts';
import { slotStatuses } from './vocabulary.ts';

const reasonCode = () => openEnum(Object.keys(reasonCodes));

const detail = mayBeMissing(z.string()).describe(
  'There only when a fact stands behind the reason; what it is, x-reason-codes says for each code.',
);
const reasonSchema = record({ code: reasonCode(), message: z.string(), detail });

export const slotSchema = record({
  input_position: count(),
  external_id: mayBeMissing(z.string()),
  status: openEnum(slotStatuses),
  reason_codes: z.array(reasonCode()),
  reasons: z.array(reasonSchema),
  duplicate_of_input_position: mayBeMissing(count()),
  company: companySchema.nullable(),
  delivered_at: timestamp(),
});
export type Slot = z.infer<typeof slotSchema>;

export const resultSummarySchema = record({
  requested_count: count(),
  fully_enriched_count: count(),
  annotated_count: count(),
  reasons: z.array(
    record({ code: reasonCode(), message: z.string(), label: guessed('A56', z.string()), count: count() }),
  ),
});
export type ResultSummary = z.infer<typeof resultSummarySchema>;

export const resultsPageSchema = record({
  summary: resultSummarySchema,
  total: count(),
  has_more: z.boolean(),
  items: assumed('A01', z.array(slotSchema)),
});
