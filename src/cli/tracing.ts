import { hostname } from 'node:os';
import type { Tracing } from '../telemetry/tracing.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
const protocols = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'];

/** null, and nothing of OpenTelemetry loaded, unless its own variables name an endpoint. */
export async function openConfiguredTracing(env: Terminal['env']): Promise<Tracing | null> {
  const endpoint = endpoints.find((name) => env[name]);
  if (endpoint === undefined || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none')
    return null;
  if (!URL.canParse(env[endpoint] ?? '')) throw new CommandError(`${endpoint} is no address`, exitCodes.usage);
  const foreign = protocols.find((name) => env[name] && env[name] !== 'http/protobuf');
  if (foreign !== undefined) {
    const wayOut = 'name the HTTP port of the collector (4318), or leave the variable out';
    throw new CommandError(
      `${foreign} is ${env[foreign]}; traces are sent as http/protobuf: ${wayOut}`,
      exitCodes.usage,
    );
  }
  const { openTracing } = await import('../telemetry/tracing.ts');
  return openTracing(`${process.pid}@${hostname()}`);
}
