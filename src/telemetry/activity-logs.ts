import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { z } from 'zod';

/** What most activities are given, and what may stand in a log. */
const subjectSchema = z.object({
  orderId: z.string().optional().catch(undefined),
  from: z.number().optional().catch(undefined),
  to: z.number().optional().catch(undefined),
  plan: z
    .object({ runName: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Says in every line of an activity which run, order and positions it works on, as far as its input says so. */
export const nameSubject: ActivityInterceptorsFactory = () => {
  let subject: Readonly<Record<string, unknown>> = {};
  return {
    inbound: {
      execute(input, next) {
        const parsed = subjectSchema.safeParse(input.args[0]);
        if (parsed.success) {
          const { orderId: order, from, to, plan } = parsed.data;
          const given = Object.entries({ run: plan?.runName, order, from, to });
          subject = Object.fromEntries(given.filter(([, value]) => value !== undefined));
        }
        return next(input);
      },
    },
    outbound: {
      getLogAttributes: (attributes, next) => next({ ...attributes, ...subject }),
    },
  };
};
