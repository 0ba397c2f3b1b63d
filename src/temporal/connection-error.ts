// Explains in one line why a Temporal service cannot be used, and what to do. gRPC reports a rejected certificate as an exceeded deadline,
// so the connection is probed again with a TLS handshake and nothing else.
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { types } from 'node:util';
import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { systemCodeOf } from '../base/failures/system-code.ts';
import { causeOf } from './temporal-unavailable-error.ts';
import { withoutFullStop } from '../base/text/normalize-text.ts';

/** For Connection.connect and for NativeConnection.connect. */
export type ConnectOptions = Pick<NativeConnectionOptions, 'tls' | 'apiKey' | 'metadata'> & { address: string };

const clientCertificate = 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH';
const checkAddress = 'Check that it is running, and that TEMPORAL_ADDRESS is correct';
const probeMilliseconds = 2_000;
/** In TLS 1.3 the client's handshake ends before the server has checked its certificate; the rejection arrives shortly after. */
const refusalMilliseconds = 200;

const temporalPort = 7233;

// grpc.status, of a package that is not a direct dependency.
const refusedCodes: readonly number[] = [7, 16];

const tlsProblems: readonly (readonly [pattern: RegExp, problem: string, remedy: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired', 'Renew it there'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet', 'Compare the clocks'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    'its certificate is not signed by a trusted CA',
    'Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the CA that signed it',
  ],
  [
    /ALTNAME_INVALID/,
    'its certificate is for another name',
    'Correct TEMPORAL_ADDRESS, or set TEMPORAL_TLS_SERVER_NAME',
  ],
  [/ALERT_CERTIFICATE_REQUIRED/, 'it requires a client certificate', `Set ${clientCertificate}`],
  [
    /HANG_UP|ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERT|ACCESS_DENIED)/,
    'it rejects the client certificate',
    `Correct ${clientCertificate}`,
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO/,
    'it does not support TLS, which a TLS setting or an API key turns on',
    'Set TEMPORAL_TLS=false, or correct TEMPORAL_ADDRESS',
  ],
];

export interface ConnectionProblem {
  /** `unreachable`: nothing answers at the address, which may pass; `refused`: something does, and a setting is wrong. */
  readonly reason: 'unreachable' | 'refused';
  /** One line, without the address of the service. */
  readonly text: string;
}

export async function explainConnectionError(options: ConnectOptions, error: unknown): Promise<ConnectionProblem> {
  const tcp = await findTcpProblem(options.address);
  return tcp === null
    ? { reason: 'refused', text: await explainRefusal(options, error) }
    : { reason: 'unreachable', text: `${tcp}. ${checkAddress}` };
}

async function explainRefusal(options: ConnectOptions, error: unknown): Promise<string> {
  const answer = isGrpcServiceError(error) || !types.isNativeError(error) ? error : error.cause;
  if (isGrpcServiceError(answer) && refusedCodes.includes(answer.code))
    return toRefusal(options, withoutFullStop(answer.details));
  if (options.tls) {
    const code = await findTlsProblem(toTlsOptions(options));
    if (code !== null) return toTlsProblem(code);
  } else if ((await findTlsProblem({ ...toTlsOptions(options), rejectUnauthorized: false })) === null) {
    return 'it requires TLS. Set TEMPORAL_TLS=true, or TEMPORAL_API_KEY, which turns TLS on';
  }
  return `${causeOf(error)}. Check that Temporal listens there, and that TEMPORAL_ADDRESS, TLS and API key are correct`;
}

function toTlsProblem(code: string): string {
  const known = tlsProblems.find(([pattern]) => pattern.test(code));
  const [, problem, remedy] = known ?? [null, 'TLS fails', 'Correct the TEMPORAL_TLS settings'];
  return `${problem} (${code}). ${remedy}`;
}

function toRefusal({ apiKey, tls }: ConnectOptions, details: string): string {
  const given = [
    ...(apiKey === undefined ? [] : ['the API key (TEMPORAL_API_KEY)']),
    ...(typeof tls === 'object' && tls?.clientCertPair ? [`the client certificate (${clientCertificate})`] : []),
  ];
  return given.length === 0
    ? `it requires authentication (${details}). Set TEMPORAL_API_KEY, or ${clientCertificate}`
    : `it rejects ${given.join(' and ')}: ${details}. Check that it has not expired and may use this namespace`;
}

async function findTcpProblem(address: string): Promise<string | null> {
  const socket = connectTcp(toHost(address));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(probeMilliseconds) });
    return null;
  } catch (error) {
    return systemCodeOf(error) === 'ABORT_ERR' ? 'no answer' : causeOf(error);
  } finally {
    socket.destroy();
  }
}

/** Error code, or null when the handshake succeeds. */
async function findTlsProblem(options: ConnectionOptions): Promise<string | null> {
  let socket: TLSSocket | undefined;
  try {
    // Throws when key and certificate do not belong together.
    socket = connectTls(options);
    const failed = once(socket, 'error').then(([error]: unknown[]) => systemCodeOf(error) ?? causeOf(error));
    const ended = once(socket, 'close').then(() => 'HANG_UP');
    const secure = once(socket, 'secureConnect', { signal: AbortSignal.timeout(probeMilliseconds) }).then(
      () => sleep(refusalMilliseconds, null),
      (error: unknown) => systemCodeOf(error) ?? causeOf(error),
    );
    socket.resume();
    return await Promise.race([failed, secure, ended]);
  } catch (error) {
    return systemCodeOf(error) ?? causeOf(error);
  } finally {
    socket?.on('error', () => {}).destroy();
  }
}

function toTlsOptions({ address, tls }: ConnectOptions): ConnectionOptions {
  const to = toHost(address);
  const { serverRootCACertificate: ca, clientCertPair, serverNameOverride } = typeof tls === 'object' && tls ? tls : {};
  const servername = serverNameOverride ?? to.host;
  return {
    ...to,
    ALPNProtocols: ['h2'],
    ...(/^[\d.:]+$/.test(servername) ? {} : { servername }),
    ...(ca === undefined ? {} : { ca: Buffer.from(ca) }),
    ...(clientCertPair === undefined
      ? {}
      : { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
  };
}

function toHost(address: string): { host: string; port: number } {
  const [, host = address, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(address) ?? [];
  return { host, port: Number(port ?? temporalPort) };
}
