/**
 * A sandbox HubSpot that continues in another process. The calls that change a portal are recorded, and repeated at the
 * start at their own times: the same calls give the same portals. Reads are not repeated, so they do not count towards limits.
 */
import type {
  HubSpotSandbox,
  HubSpotSandboxOptions,
  PortalChange,
  PortalRequest,
  RecordEdit,
} from './hubspot-sandbox.ts';
import { createHubSpotSandbox } from './hubspot-sandbox.ts';
import type { DataFolder } from '../state/data-folder.ts';

type Call =
  | { readonly kind: 'create_portal'; readonly portal: PortalRequest }
  | { readonly kind: 'configure'; readonly portalId: number; readonly change: PortalChange }
  | { readonly kind: 'create_token'; readonly portalId: number; readonly scopes: readonly string[] }
  | { readonly kind: 'edit'; readonly portalId: number; readonly edit: RecordEdit }
  | { readonly kind: 'reset'; readonly portalId: number }
  | { readonly kind: 'request'; readonly request: KeptRequest };

interface KeptRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | null;
}

interface RecordedCall {
  /** Milliseconds since 1970, on the sandbox clock. */
  readonly at: number;
  readonly call: Call;
}

/** Repeats what is recorded in the folder before it resolves. */
export async function openHubSpotSandbox(
  { clock = () => new Date(), ...options }: HubSpotSandboxOptions,
  folder: DataFolder,
): Promise<HubSpotSandbox> {
  let timeOfCall: number | null = null;
  let isRepeating = true;
  let earlier: Promise<unknown> = Promise.resolve();
  const now = () => timeOfCall ?? clock().getTime();
  const log = folder.log<RecordedCall>();
  const record = (call: Call) => log.add({ at: now(), call });

  // One request after the other, each at one time: the log has the order in which they took effect.
  const execute = async (request: Request, proceed: (request: Request) => Promise<Response>): Promise<Response> => {
    if (isRepeating) return proceed(request);
    const kept = await toKept(request);
    const take = async () => {
      timeOfCall = clock().getTime();
      try {
        const response = await proceed(toRequest(kept));
        // The client has no answer yet: if the process ends here, neither the effect nor the record is left.
        if (canChange(kept) && !refusedBefore.has(response.status)) record({ kind: 'request', request: kept });
        return response;
      } finally {
        timeOfCall = null;
      }
    };
    const answer = earlier.then(take);
    earlier = answer.catch(() => undefined);
    return answer;
  };

  const sandbox = createHubSpotSandbox({ ...options, clock: () => new Date(now()), execute });
  for (const { at, call } of log.all()) {
    timeOfCall = at;
    await repeat(sandbox, call);
  }
  timeOfCall = null;
  isRepeating = false;
  const keepFaults = (portalId: number) => {
    sandbox.faults(portalId).keep(folder.value(`faults of ${portalId}`));
    sandbox.journal(portalId).clear();
  };
  for (const { portalId } of sandbox.portals()) keepFaults(portalId);

  return {
    ...sandbox,
    createPortal(portal) {
      const created = sandbox.createPortal(portal);
      record({ kind: 'create_portal', portal });
      keepFaults(created.portalId);
      return created;
    },
    configure(portalId, change) {
      const state = sandbox.configure(portalId, change);
      record({ kind: 'configure', portalId, change });
      return state;
    },
    createToken(token) {
      const created = sandbox.createToken(token);
      record({ kind: 'create_token', ...token });
      return created;
    },
    editRecord(portalId, edit) {
      const isFound = sandbox.editRecord(portalId, edit);
      if (isFound) record({ kind: 'edit', portalId, edit });
      return isFound;
    },
    reset(only) {
      const portalIds = only === undefined ? sandbox.portals().map(({ portalId }) => portalId) : [only];
      for (const portalId of portalIds) {
        sandbox.faults(portalId).clear();
        sandbox.reset(portalId);
        record({ kind: 'reset', portalId });
        keepFaults(portalId);
      }
    },
  };
}

async function repeat(sandbox: HubSpotSandbox, call: Call): Promise<void> {
  if (call.kind === 'create_portal') sandbox.createPortal(call.portal);
  else if (call.kind === 'configure') sandbox.configure(call.portalId, call.change);
  else if (call.kind === 'create_token') sandbox.createToken(call);
  else if (call.kind === 'edit') sandbox.editRecord(call.portalId, call.edit);
  else if (call.kind === 'reset') sandbox.reset(call.portalId);
  else await (await sandbox.fetch(toRequest(call.request))).arrayBuffer();
}

/** No valid token, and too many requests: nothing was executed. */
const refusedBefore: ReadonlySet<number> = new Set([401, 429]);

function canChange({ method, url }: KeptRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && !/\/(?:search|batch\/read)\/?$/.test(new URL(url).pathname);
}

async function toKept(request: Request): Promise<KeptRequest> {
  const { method, url } = request;
  return { method, url, headers: [...request.headers], body: request.body === null ? null : await request.text() };
}

function toRequest({ method, url, headers, body }: KeptRequest): Request {
  return new Request(url, { method, headers: headers.map(([name, value]) => [name, value]), body });
}
