import type { Environment } from '../base/host/environment-variables.ts';
import { X509Certificate } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig';
import { explainConnectionError, type ConnectOptions } from './connection-error.ts';
import { ensureSearchAttributes, expectNamespace } from './namespace.ts';
import { isDevServerRunning, openDevServer } from './dev-server/open-dev-server.ts';
import type { DevServerOptions } from './dev-server/open-dev-server.ts';

import { TemporalUnavailableError, causeOf } from './temporal-unavailable-error.ts';

const defaultAddress = 'localhost:7233';
const localUiPort = 8233;

export type ConnectTemporalOptions = DevServerOptions & { connectSeconds?: number };

export type TemporalService = {
  connectOptions: ConnectOptions;
  namespace: string;
  /** null when unknown. */
  uiUrl: string | null;
  /** True for the dev server of the data folder, which only a command with this folder restarts. */
  isDevServer: boolean;
  release: () => Promise<void>;
};

/**
 * Connects to the service of TEMPORAL_ADDRESS or a profile, or else to the dev server of the data folder.
 * Throws TemporalUnavailableError with an explanation when it cannot be reached or used.
 */
export async function connectTemporal(options: ConnectTemporalOptions): Promise<TemporalService> {
  const configured = readConfiguration(options.env);
  if (configured === null) {
    const { address, namespace, uiUrl, release } = await openDevServer(options);
    return { connectOptions: { address }, namespace, uiUrl, isDevServer: true, release };
  }
  const { connectOptions, namespace } = configured;
  options.say(`Temporal: using the service at ${connectOptions.address}, namespace ${namespace}`);
  await expectUsable(configured, options);
  const uiUrl = options.env['TEMPORAL_UI_URL'] || guessUiUrl(connectOptions.address);
  return { connectOptions, namespace, uiUrl, isDevServer: false, release: async () => {} };
}

/** No other service is configured. */
export function usesDevServer(env: Environment): boolean {
  return readConfiguration(env) === null;
}

/** False where nothing but a dev server could have workers, and it does not run. Starts nothing. */
export async function mayHaveWorkers(env: Environment, dataDir: string): Promise<boolean> {
  return !usesDevServer(env) || (await isDevServerRunning(dataDir));
}

type Configured = Pick<TemporalService, 'connectOptions' | 'namespace'>;

/** null when no service is configured. A profile without an address means Temporal's default address. */
function readConfiguration(env: Environment): Configured | null {
  const overrideEnvVars: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) overrideEnvVars[name] = value;
  try {
    const profile = loadClientConfigProfile({ overrideEnvVars });
    if ((profile.tls?.clientCert === undefined) !== (profile.tls?.clientKey === undefined)) {
      throw new Error('a client certificate and its key are both required, and one of them is missing');
    }
    const { connectionOptions, namespace } = toClientOptions(profile);
    const { address, tls, apiKey, metadata } = connectionOptions;
    if (address !== undefined) expectHostAndPort(address);
    if (address === undefined && overrideEnvVars['TEMPORAL_PROFILE'] === undefined) return null;
    if (typeof tls === 'object' && tls?.clientCertPair) expectValid(tls.clientCertPair.crt);
    return {
      connectOptions: {
        address: address ?? defaultAddress,
        ...(tls === undefined ? {} : { tls }),
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(metadata === undefined ? {} : { metadata }),
      },
      namespace: namespace ?? 'default',
    };
  } catch (error) {
    const text = `Temporal's settings (TEMPORAL_… or its configuration file) cannot be used: ${causeOf(error)}`;
    throw new TemporalUnavailableError('configuration', text, { cause: error });
  }
}

/** A URL would be looked up as the name of a machine. */
function expectHostAndPort(address: string): void {
  if (!address.includes('/')) return;
  const [, scheme, place = ''] = /^(?:(\w+):\/+)?(?:[^/@]*@)?([^/]*)/.exec(address) ?? [];
  const tls = scheme === 'https' ? ', and set TEMPORAL_TLS=true' : '';
  throw new Error(`the address (TEMPORAL_ADDRESS) must have no scheme and no path. Write ${place}${tls}`);
}

/** The service would only report a broken connection. */
function expectValid(certificate: Uint8Array): void {
  const { validTo } = new X509Certificate(certificate);
  if (Date.parse(validTo) > Date.now()) return;
  const day = new Date(validTo).toISOString().slice(0, 10);
  throw new Error(`the client certificate (TEMPORAL_TLS_CLIENT_CERT_PATH) expired on ${day}. Replace it`);
}

async function expectUsable(
  { connectOptions, namespace }: Configured,
  { searchAttributes, connectSeconds = 5 }: ConnectTemporalOptions,
): Promise<void> {
  const { address } = connectOptions;
  let connection: Connection;
  try {
    connection = await Connection.connect({ ...connectOptions, connectTimeout: connectSeconds * 1000 });
  } catch (error) {
    const { reason, text } = await explainConnectionError(connectOptions, error);
    throw new TemporalUnavailableError(reason, `Temporal at ${address} cannot be reached: ${text}`, { cause: error });
  }
  try {
    await expectNamespace(connection, namespace, address);
    await ensureSearchAttributes(connection, namespace, searchAttributes);
  } finally {
    await connection.close();
  }
}

/** The UI of a dev server on its default ports; null for other ports and machines, where the UI's address is unknown. */
export function guessUiUrl(address: string): string | null {
  const host = /^(localhost|127\.0\.0\.1|\[::1\])(?::7233)?$/.exec(address)?.[1];
  return host === undefined ? null : `http://${host}:${localUiPort}`;
}
