/**
 * `limits`: how much one run may order. It catches typing errors; it is not a limit of the service. `expect` of a run: how much must come
 * back.
 */
import { z } from 'zod';
import { durationBetween } from './duration.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { checkPart } from './partial-validation.ts';

const limitsObject = z.strictObject({
  max_briefings_per_run: z
    .int()
    .min(1)
    .default(10_000)
    .describe('Most companies that one run may order: briefing_quantity, or the rows of an enrichment'),
  repeat_after: durationBetween('0s', '365d')
    .prefault('7d')
    .describe(
      '`run` asks before it places another order of a run or of its profile within this time, or of a run within the interval of its schedule; 0s never asks',
    ),
});

export const limitsSchema = limitsObject
  .prefault({})
  .transform((limits) => ({
    maxBriefingsPerRun: limits.max_briefings_per_run,
    /** 0: `run` never asks before a repeated order. */
    repeatAfterMilliseconds: limits.repeat_after,
  }))
  .describe('Safety limits for orders');

const limitsPart = limitsObject.strip();

const shareRule = 'must be a percentage from 0% to 100%, such as 80%';

const share = z
  .string({ error: ({ input }) => toShareRule(input) })
  .regex(/^\d{1,3}(?:\.\d+)?%$/, shareRule)
  .transform((text) => Number(text.slice(0, -1)))
  .refine((percent) => percent <= 100, shareRule);

/** Without the rounding errors of binary fractions. */
export function toPercent(share: number): number {
  return Number((share * 100).toFixed(9));
}

/** A number up to 1 is meant as a share, a larger one as a percentage. */
function toShareRule(input: unknown): string | undefined {
  if (typeof input !== 'number' || input < 0 || input > 100) return undefined;
  return `${shareRule}; write ${input <= 1 ? toPercent(input) : input}%`;
}

/** `expect` of a run. */
export const expectSchema = z
  .strictObject({
    min_delivered: share
      .optional()
      .describe(
        'Percentage of the ordered companies that must be delivered, for example 80%. Default: a discovery must deliver all of them',
      ),
    max_without_people: share
      .optional()
      .describe('With CONTACTS: percentage of the enriched companies that may have no people. Default: 10%'),
  })
  .optional()
  .describe('Conditions for the results; otherwise the run ends with a finding. An empty delivery is always a finding');

/** Checks the quantity that a run orders; `path` is the path of the quantity. */
export function checkQuantity(path: readonly PropertyKey[], quantity: number, limits: unknown): readonly PathProblem[] {
  return checkPart(limitsPart, limits ?? {}, ({ max_briefings_per_run: max }) => {
    if (quantity <= max) return [];
    const rule = `at most ${max.toLocaleString('en')} (limits.max_briefings_per_run)`;
    const remedy = 'Order fewer companies, or raise limits.max_briefings_per_run';
    return [{ ...problemAt(path, rule, remedy), found: quantity.toLocaleString('en') }];
  });
}

export const limitsTemplate = `# Safety limits for orders.
# limits:
#   max_briefings_per_run: 10000          # most companies that one run may order: briefing_quantity, or rows of an enrichment
#   repeat_after: 7d                      # run asks before it orders a run or its profile again within this time; 0s never asks
`;
