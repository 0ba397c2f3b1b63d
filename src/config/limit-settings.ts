/** What one run may order at most: a guard against a slip of the keyboard, not a limit of the service. */
import { z } from 'zod';

export const defaultMaxBriefings = 10_000;

export const limitsSchema = z
  .strictObject({
    max_briefings_per_run: z
      .int()
      .min(1)
      .default(defaultMaxBriefings)
      .describe('Most companies that one run may order: briefing_quantity, or rows of an enrichment'),
  })
  .prefault({})
  .describe('Guards against orders that nobody meant');
