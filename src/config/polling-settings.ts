/** `polling`: how often prospect-sync asks the service. */
import { z } from 'zod';
import { durationSchema } from './duration.ts';
import { problemAt, type PathProblem } from './problems.ts';
import { checkPart, childOf } from './partial-validation.ts';

const pollingObject = z.strictObject({
  profile: durationSchema.prefault('2s').describe('Wait between two polls of a profile creation'),
  order_first: durationSchema.prefault('30s').describe('First wait between two polls of an order'),
  order_max: durationSchema
    .prefault('10m')
    .describe('Longest wait between two polls of an order: each wait doubles up to it'),
  output_first: durationSchema.prefault('5s').describe('First wait between two polls of an output of the service'),
  output_max: durationSchema
    .prefault('1m')
    .describe('Longest wait between two polls of an output: each wait doubles up to it'),
  output_give_up: durationSchema
    .prefault('2h')
    .describe('Timeout of an output; after it the run continues without the output'),
});

export const pollingSchema = pollingObject
  .prefault({})
  .transform((polling) => ({
    profileMilliseconds: polling.profile,
    orderFirstMilliseconds: polling.order_first,
    orderMaxMilliseconds: polling.order_max,
    outputFirstMilliseconds: polling.output_first,
    outputMaxMilliseconds: polling.output_max,
    outputGiveUpMilliseconds: polling.output_give_up,
  }))
  .describe('How often prospect-sync asks the service for progress');

export type PollingConfig = z.output<typeof pollingSchema>;

const orderWaits = pollingObject.pick({ order_first: true, order_max: true }).strip();
const outputWaits = pollingObject.pick({ output_first: true, output_max: true }).strip();

export function checkPolling(settings: unknown): PathProblem[] {
  const polling = settings ?? {};
  const problem = (name: 'order' | 'output', defaults: string) => {
    const key = childOf(polling, `${name}_max`) === undefined ? `${name}_first` : `${name}_max`;
    const rule = `${name}_max must not be below ${name}_first`;
    return problemAt(['polling', key], rule, `The defaults are ${defaults}`);
  };
  return [
    ...checkPart(orderWaits, polling, ({ order_first: first, order_max: max }) =>
      first > max ? [problem('order', '30s and 10m')] : [],
    ),
    ...checkPart(outputWaits, polling, ({ output_first: first, output_max: max }) =>
      first > max ? [problem('output', '5s and 1m')] : [],
    ),
  ];
}

export const pollingTemplate = `# How often to ask the service for progress.
# polling:
#   profile: 2s                           # wait between two polls of a profile creation
#   order_first: 30s                      # first wait between two polls of an order; it doubles …
#   order_max: 10m                        # … up to this
#   output_first: 5s                      # first wait between two polls of an output of the service; it doubles …
#   output_max: 1m                        # … up to this
#   output_give_up: 2h                    # timeout of an output; after it the run continues without the output
`;
