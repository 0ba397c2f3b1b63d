/** Serves the sandbox service, the sandbox HubSpot and the control plane on local ports. */
import { createServer, ServerResponse, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { refuseForeign } from '../src/base/http/foreign-requests.ts';
import { closeServer, listenAsChosen } from '../src/base/http/local-server.ts';
import { createClock } from './clock.ts';
import { createControlPlane } from './control/control-plane.ts';
import { isInterrupted } from './faulty-response.ts';
import { createHubSpotSandbox, type HubSpotSandboxOptions, type PortalChange } from './hubspot/hubspot-sandbox.ts';
import { createServiceSandbox, type ServiceSandboxOptions } from './service/service-sandbox.ts';
import { openHubSpotSandbox } from './hubspot/recorded-calls.ts';
import { openDataFolder } from './state/data-folder.ts';
import type { Fetch } from '../src/base/http/http-answer.ts';

export interface ServeOptions extends Omit<ServiceSandboxOptions, 'kept'> {
  /** Folder in which the sandbox keeps its state, and from which it continues. */
  readonly data?: string;
  /** 0, the default, takes a free port. */
  readonly servicePort?: number;
  readonly hubspotPort?: number;
  readonly controlPort?: number;
  readonly hubspot?: Omit<HubSpotSandboxOptions, 'seed' | 'clock'>;
  /** Settings of the first portal; it has no rate limits without a plan. */
  readonly portal?: PortalChange;
}

export interface ServedSandbox {
  readonly service: { readonly url: string; readonly organizationId: string; readonly apiKey: string };
  readonly hubspot: { readonly url: string; readonly portalId: number; readonly token: string };
  readonly control: { readonly url: string };
  /** The state is that of an earlier process. */
  readonly isContinued: boolean;
  /** Closes the servers and their open connections. */
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Serves on 127.0.0.1 only. The first organisation and portal, and their keys, follow from the seed.
 * Rejects with an ExplainedError if a port is not available, with a DataFolderError if the data folder
 * cannot be used, and closes everything.
 */
export async function serveSandbox(options: ServeOptions = {}): Promise<ServedSandbox> {
  const {
    servicePort = 0,
    hubspotPort = 0,
    controlPort = 0,
    hubspot: hubspotOptions,
    portal,
    data,
    ...shared
  } = options;
  const { seed = 1 } = options;
  const folder = data === undefined ? null : openDataFolder(data, seed);
  const clock = options.clock ?? createClock(folder ? { kept: folder.value('clock') } : {});
  const service = createServiceSandbox({ ...shared, seed, clock, ...(folder ? { kept: folder } : {}) });
  const hubspotSettings = { ...hubspotOptions, seed, clock: () => new Date(clock.now()) };
  const hubspot = folder ? await openHubSpotSandbox(hubspotSettings, folder) : createHubSpotSandbox(hubspotSettings);
  const control = createControlPlane({ service, hubspot, clock });
  const firstAccess = folder?.value<FirstAccess>('first access');
  const kept = firstAccess?.load();
  const access = kept ?? {
    ...service.createOrganization({ name: 'demo' }),
    ...hubspot.createPortal({ name: 'demo', ...portal }),
  };
  firstAccess?.save(access);
  const { organizationId, apiKey, portalId, token } = access;

  const servers: Server[] = [];
  const close = async () => {
    await Promise.all(servers.map(closeServer));
    clock.close();
    service.close();
    folder?.close();
  };
  const open = async (fetch: Fetch, port: number, flags: string) => {
    const server = createServer(getRequestListener(toListener(fetch), { overrideGlobalObjects: false }));
    servers.push(server);
    const texts = { subject: 'The sandbox cannot start', flags: `${flags}; 0 selects a free port` };
    return { url: (await listenAsChosen(server, { port, hostname: host }, texts)).url };
  };
  try {
    return {
      service: { ...(await open(service.fetch, servicePort, '--port')), organizationId, apiKey },
      hubspot: { ...(await open(hubspot.fetch, hubspotPort, '--hubspot-port')), portalId, token },
      control: await open(control.fetch, controlPort, '--control-port'),
      isContinued: kept !== undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first organisation and portal, with their keys. */
interface FirstAccess {
  readonly organizationId: string;
  readonly apiKey: string;
  readonly portalId: number;
  readonly token: string;
}

type Listener = Parameters<typeof getRequestListener>[0];

/** When a fault breaks the connection, `fetch` or its body rejects; the socket is closed at that point. */
function toListener(fetch: Fetch): Listener {
  return async (request, { outgoing }) => {
    const refused = refuseForeign(request, { isLocalOnly: true, origins: [] });
    if (refused !== null) return refused;
    try {
      const response = await fetch(request);
      if (!isInterrupted(response) || !(outgoing instanceof ServerResponse)) return response;
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const chunk of response.body ?? []) outgoing.write(chunk);
    } catch {
      // Falls through: the connection ends here.
    }
    outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  };
}
