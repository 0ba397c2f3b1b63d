import { z } from 'zod';
import { assumed, count, guessed, openEnum, record, timestamp } from './schema.ts';
import { outputStatuses, outputTypes } from './vocabulary.ts';
import { longestId } from '../text/bound-text.ts';

const text = () => assumed('A51', z.string().min(1));

export const outputInputSchema = z
  .strictObject({
    output_type: z.enum(outputTypes),
    output_language: text().optional(),
    spreadsheet_id: text().optional(),
  })
  .refine((output) => output.output_type !== 'google_sheets' || output.spreadsheet_id !== undefined, {
    path: ['spreadsheet_id'],
    message: 'is required when output_type is google_sheets',
  })
  .meta({
    anyOf: [{ properties: { output_type: { enum: ['csv', 'xlsx'] } } }, { required: ['spreadsheet_id'] }],
  });

export const exportInputSchema = assumed(
  'A22',
  z.strictObject({ output_type: z.enum(['csv', 'xlsx']), output_language: text().optional() }),
);

export type OutputInput = z.infer<typeof outputInputSchema>;

export const outputSchema = record({
  output_id: z.string(),
  export_job_id: z.string(),
  status: assumed('A21', openEnum(outputStatuses)),
  created: z.boolean().optional(),
  output_type: guessed('A23', openEnum(outputTypes)),
  result_count: assumed('A41', count().nullable()),
  result_sha256: assumed('A41', z.string().nullable()),
  idempotency_key: z.string().optional(),
  location: assumed('A50', z.string().nullable()),
  created_at: guessed('A23', timestamp()),
});

export type Output = z.infer<typeof outputSchema>;

/** What a client reads of an output: the fields that the specification names. The rest of the answer is not shown (A23). */
export const outputReceiptSchema = record({
  output_id: z.string().min(1).max(longestId),
  export_job_id: z.string().min(1).nullish(),
  status: z.string(),
  created: z.boolean().nullish(),
  result_count: count().nullish(),
  result_sha256: z.string().nullish(),
  location: z.string().nullish(),
});

export type OutputReceipt = z.infer<typeof outputReceiptSchema>;

export const outputsPageSchema = record({
  outputs: assumed('A23', z.array(outputSchema)),
  total: count(),
  has_more: z.boolean(),
});
