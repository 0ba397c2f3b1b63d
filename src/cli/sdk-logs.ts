import { DefaultLogger, type LogLevel, type RuntimeOptions, type TelemetryOptions } from '@temporalio/worker';
import { toLogLine, type LogLine } from '../telemetry/logs.ts';

export interface SdkLogs {
  /** Of the SDK's own lines. */
  readonly level: LogLevel;
  readonly coreLevel: LogLevel;
  readonly write: (line: LogLine) => void;
}

/**
 * Hands the lines of the SDK and of Temporal Core, which otherwise prints to stdout, to `write`. A runtime with these
 * options keeps the process alive until it is shut down.
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
