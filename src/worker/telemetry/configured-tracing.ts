import type { Environment } from '../../base/host/environment-variables.ts';
import { hostname } from 'node:os';

import { isPlainHttpElsewhere } from '../../base/http/foreign-requests.ts';
import { InvalidSettingError } from '../../base/text/explained-error.ts';
import type { Tracing } from './tracing.ts';

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
const headers = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];
const protocols = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'];

/** null, without loading OpenTelemetry, unless its own environment variables name an endpoint. */
export async function openConfiguredTracing(env: Environment): Promise<Tracing | null> {
  const endpoint = endpoints.find((name) => env[name]);
  if (endpoint === undefined || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none')
    return null;
  if (!URL.canParse(env[endpoint] ?? ''))
    throw new InvalidSettingError(
      `${endpoint} is not a valid URL. Set it to the address of the collector, for example http://127.0.0.1:4318`,
    );
  const otherProtocol = protocols.find((name) => env[name] && env[name] !== 'http/protobuf');
  if (otherProtocol !== undefined) {
    throw new InvalidSettingError(
      `${otherProtocol} is ${env[otherProtocol]}, but traces are sent as http/protobuf. Use the HTTP port of the collector (4318), or unset the variable`,
    );
  }
  refuseUnencryptedKeys(env);
  const { openTracing } = await import('./tracing.ts');
  return openTracing(`${process.pid}@${hostname()}`);
}

/** Headers carry the collector's key. Spans hold ids and counts only, so plain http is acceptable without headers. */
function refuseUnencryptedKeys(env: Environment): void {
  const open = endpoints.find((name) => {
    const url = URL.parse(env[name] ?? '');
    return url !== null && isPlainHttpElsewhere(url);
  });
  const carrying = headers.find((name) => env[name]);
  if (open === undefined || carrying === undefined || env['OTEL_EXPORTER_OTLP_INSECURE'] === 'true') return;
  throw new InvalidSettingError(
    `${open} would send ${carrying} unencrypted: it is plain http to another machine. Use https, or set OTEL_EXPORTER_OTLP_INSECURE=true if the network is trusted`,
  );
}
