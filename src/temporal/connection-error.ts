// Why a Temporal service cannot be used, in one line with the way out. gRPC tells a refused certificate as a deadline that passed,
// so that the connection is looked at once more by hand: nothing is sent but a TLS handshake.
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { types } from 'node:util';
import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnectionOptions } from '@temporalio/worker';
import { causeOf, codeOf } from './temporal-unavailable-error.ts';

/** For Connection.connect and for NativeConnection.connect. */
export type ConnectOptions = Pick<NativeConnectionOptions, 'tls' | 'apiKey' | 'metadata'> & { address: string };

const clientCertificate = 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH';
const isReachable = 'Is it running, and is TEMPORAL_ADDRESS right?';
const probeMilliseconds = 2_000;
/** TLS 1.3 lets the client finish before the server has looked at its certificate; the refusal comes just after. */
const refusalMilliseconds = 200;

const temporalPort = 7233;

// grpc.status, of a package that is not a direct dependency.
const refusedCodes: readonly number[] = [7, 16];

const tlsTroubles: readonly (readonly [RegExp, string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired: it has to be renewed there'],
  [/^CERT_NOT_YET_VALID$/, 'its certificate is not valid yet: compare the clocks'],
  [
    /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/,
    'its certificate is not signed by a trusted CA: set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the CA that signed it',
  ],
  [/ALTNAME_INVALID/, 'its certificate is for another name: correct TEMPORAL_ADDRESS, or set TEMPORAL_TLS_SERVER_NAME'],
  [/ALERT_CERTIFICATE_REQUIRED/, `it wants a client certificate: set ${clientCertificate}`],
  [
    /HANG_UP|ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERT|ACCESS_DENIED)/,
    `it refuses our client certificate: correct ${clientCertificate}`,
  ],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|EPROTO/,
    'it does not speak TLS, which a TLS setting or an API key turns on: set TEMPORAL_TLS=false, or correct TEMPORAL_ADDRESS',
  ],
];

/** One line, without the address of the service. */
export async function explainTrouble(options: ConnectOptions, error: unknown): Promise<string> {
  const answer = isGrpcServiceError(error) || !types.isNativeError(error) ? error : error.cause;
  if (isGrpcServiceError(answer) && refusedCodes.includes(answer.code)) return toRefusal(options, answer.details);
  const tcp = await findTcpTrouble(options.address);
  if (tcp !== null) return `${tcp}. ${isReachable}`;
  if (options.tls) {
    const code = await findTlsTrouble(toTlsOptions(options));
    const [, known] = tlsTroubles.find(([pattern]) => pattern.test(code ?? '')) ?? [];
    if (code !== null) return `${known ?? 'TLS fails: correct the TEMPORAL_TLS settings'} (${code})`;
  } else if ((await findTlsTrouble({ ...toTlsOptions(options), rejectUnauthorized: false })) === null) {
    return 'it speaks TLS: set TEMPORAL_TLS=true, or TEMPORAL_API_KEY, which turns TLS on';
  }
  return `${causeOf(error)}. Is it Temporal that listens there, and are TEMPORAL_ADDRESS, TLS and API key right?`;
}

function toRefusal({ apiKey, tls }: ConnectOptions, details: string): string {
  const given = [
    ...(apiKey === undefined ? [] : ['the API key (TEMPORAL_API_KEY)']),
    ...(typeof tls === 'object' && tls?.clientCertPair ? [`the client certificate (${clientCertificate})`] : []),
  ];
  return given.length === 0
    ? `it wants to know who we are (${details}): set TEMPORAL_API_KEY, or ${clientCertificate}`
    : `it refuses ${given.join(' and ')}: ${details}. Look whether it has expired and may use this namespace`;
}

async function findTcpTrouble(address: string): Promise<string | null> {
  const socket = connectTcp(toHost(address));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(probeMilliseconds) });
    return null;
  } catch (error) {
    return codeOf(error) === 'ABORT_ERR' ? 'no answer' : causeOf(error);
  } finally {
    socket.destroy();
  }
}

/** The code of what is wrong, or null. */
async function findTlsTrouble(options: ConnectionOptions): Promise<string | null> {
  let socket: TLSSocket | undefined;
  try {
    // Key and certificate that do not belong together are refused here already.
    socket = connectTls(options);
    const failed = once(socket, 'error').then(([error]: unknown[]) => codeOf(error) ?? causeOf(error));
    const ended = once(socket, 'close').then(() => 'HANG_UP');
    const secure = once(socket, 'secureConnect', { signal: AbortSignal.timeout(probeMilliseconds) }).then(
      () => sleep(refusalMilliseconds, null),
      (error: unknown) => codeOf(error) ?? causeOf(error),
    );
    socket.resume();
    return await Promise.race([failed, secure, ended]);
  } catch (error) {
    return codeOf(error) ?? causeOf(error);
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
    ...(clientCertPair === undefined || clientCertPair === null
      ? {}
      : { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
  };
}

function toHost(address: string): { host: string; port: number } {
  const [, host = address, port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(address) ?? [];
  return { host, port: Number(port ?? temporalPort) };
}
