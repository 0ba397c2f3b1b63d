import {
  DefaultLogger,
  type LogLevel,
  type RuntimeOptions,
  type TelemetryOptions,
  type ActivityInterceptorsFactory,
} from '@temporalio/worker';
import { toLogLine, type LogLine } from '../../base/logs.ts';
import { z } from 'zod';

export interface SdkLogs {
  /** For lines of the SDK; `coreLevel` is for lines of Temporal Core. */
  readonly level: LogLevel;
  readonly coreLevel: LogLevel;
  readonly write: (line: LogLine) => void;
}

/**
 * Passes log lines of the SDK and of Temporal Core to `write`; Core would print them to stdout. A runtime with these options
 * keeps the process alive until it is shut down.
 */
export function forwardSdkLogs(
  { level, coreLevel, write }: SdkLogs,
  telemetry: Pick<TelemetryOptions, 'metrics'> = {},
): RuntimeOptions {
  const logger = new DefaultLogger(level, (entry) => {
    const line = toLogLine(entry);
    if (line !== null) write(line);
  });
  const logging = { filter: { core: coreLevel, other: 'ERROR' }, forward: {} } as const;
  return { logger, telemetryOptions: { logging, ...telemetry } };
}

/** The inputs of most activities, as far as they may be logged. */
const subjectSchema = z.object({
  orderId: z.string().optional().catch(undefined),
  from: z.number().optional().catch(undefined),
  to: z.number().optional().catch(undefined),
  plan: z
    .object({ runName: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** Adds run, order and positions of the activity's input to its log lines. */
export const logActivitySubject: ActivityInterceptorsFactory = () => {
  let subject: Readonly<Record<string, unknown>> = {};
  return {
    inbound: {
      execute(input, next) {
        const parsed = subjectSchema.safeParse(input.args[0]);
        if (parsed.success) {
          const { orderId: order, from, to, plan } = parsed.data;
          const fields = Object.entries({ run: plan?.runName, order, from, to });
          subject = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
        }
        return next(input);
      },
    },
    outbound: {
      getLogAttributes: (attributes, next) => next({ ...attributes, ...subject }),
    },
  };
};
