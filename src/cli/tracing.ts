import { hostname } from 'node:os';
import { isPlainHttpElsewhere } from '../http/loopback.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
const headers = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
const protocols = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'];

/** null, and nothing of OpenTelemetry loaded, unless its own variables name an endpoint. */
export async function openConfiguredTracing(env: Terminal['env']): Promise<Tracing | null> {
  const endpoint = endpoints.find((name) => env[name]);
  if (endpoint === undefined || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none')
    return null;
  if (!URL.canParse(env[endpoint] ?? '')) throw new CommandError(`${endpoint} is no address`, exitCodes.usage);
  const foreign = protocols.find((name) => env[name] && env[name] !== 'http/protobuf');
  if (foreign !== undefined) {
    const remedy = 'name the HTTP port of the collector (4318), or leave the variable out';
    throw new CommandError(
      `${foreign} is ${env[foreign]}; traces are sent as http/protobuf: ${remedy}`,
      exitCodes.usage,
    );
  }
  refuseOpenKeys(env);
  const { openTracing } = await import('../telemetry/tracing.ts');
  return openTracing(`${process.pid}@${hostname()}`);
}

/** Headers carry the collector's key. Spans hold ids and counts only, so that without headers plain http gives away no key. */
function refuseOpenKeys(env: Terminal['env']): void {
  const open = endpoints.find((name) => {
    const url = URL.parse(env[name] ?? '');
    return url !== null && isPlainHttpElsewhere(url);
  });
  const carrying = headers.find((name) => env[name]);
  if (open === undefined || carrying === undefined || env['OTEL_EXPORTER_OTLP_INSECURE'] === 'true') return;
  throw new CommandError(
    `${open} would show ${carrying} to the network: it is plain http to another machine. Use https, or set OTEL_EXPORTER_OTLP_INSECURE=true where the network between is trusted`,
    exitCodes.usage,
  );
}
