import { DefaultLogger, type LogLevel, type RuntimeOptions, type TelemetryOptions } from '@temporalio/worker';
import { toLogLine, type LogLine } from './logs.ts';

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
