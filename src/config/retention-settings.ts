/** `retention`: how long data of orders is kept. */
import { z } from 'zod';

const longestDays = 36_500;

export const retentionSchema = z
  .strictObject({
    days: z
      .int()
      .min(1)
      .max(longestDays)
      .optional()
      .describe(
        'Days after its last reconciliation for which the results, submitted rows and files of an order are kept; without it for ever',
      ),
  })
  .prefault({})
  .transform(({ days = null }) => ({
    /** null: data is kept for ever. */
    days,
  }))
  .describe(
    'How long personal data is kept: workers apply it at their start and once a day, and so does the command retention',
  );

export type RetentionConfig = z.output<typeof retentionSchema>;

export const retentionTemplate = `# Results, submitted rows and files of orders are kept until you delete them, or for these days.
# retention:
#   days: 365
`;
