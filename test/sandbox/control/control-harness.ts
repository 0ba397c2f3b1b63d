import { createControlPlane } from '../../../sandbox/control/control-plane.ts';
import { createControlClient } from '../../../sandbox/control/control-client.ts';
import { createHubSpotSandbox } from '../../../sandbox/hubspot/hubspot-sandbox.ts';
import type { ServiceSandboxOptions } from '../../../sandbox/service/service-sandbox.ts';
import { createTestService } from '../service/service-harness.ts';

/** A control plane in this process with its typed client, and a sandbox with a frozen clock. */
export function createTestControl(options: ServiceSandboxOptions = {}) {
  const service = createTestService(options);
  const hubspot = createHubSpotSandbox({ clock: () => new Date(service.clock.now()) });
  const plane = createControlPlane({ service: service.service, hubspot, clock: service.clock });
  const control = createControlClient({ baseUrl: 'http://127.0.0.1:4030', fetch: plane.fetch });
  const order = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await plane.fetch(new Request(`http://127.0.0.1:4030${path}`, { method, body: sent }));
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { ...service, hubspot, plane, control, order };
}
