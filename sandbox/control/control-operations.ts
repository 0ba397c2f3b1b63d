/** Every operation of the control plane. Its OpenAPI document and its typed client come from this table. */
import { healthOperations } from './control-health.ts';
import { actionOperations } from './control-actions.ts';
import { addressOperations } from './control-addresses.ts';
import { deliveryOperations } from './control-deliveries.ts';
import { faultOperations } from './control-faults.ts';
import { journalOperations } from './control-journal.ts';
import { organizationOperations } from './control-organizations.ts';
import { portalOperations } from './control-portals.ts';
import { progressOperations } from './control-progress.ts';
import { recordOperations } from './control-records.ts';
import { sheetOperations } from './control-sheets.ts';
import { stateOperations } from './control-state.ts';
import { tamperingOperations } from './control-tampering.ts';
import { clockOperations } from './control-clock.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { describeOperations, type Json } from '../../src/service/contract/openapi-document.ts';
import { refusalSchema } from './control-operation.ts';

export const controlOperations = {
  ...healthOperations,
  ...organizationOperations,
  ...portalOperations,
  ...recordOperations,
  ...progressOperations,
  ...tamperingOperations,
  ...clockOperations,
  ...faultOperations,
  ...journalOperations,
  ...stateOperations,
  ...addressOperations,
  ...actionOperations,
  ...deliveryOperations,
  ...sheetOperations,
} as const;

/** The control plane as an OpenAPI 3.1 document. */
export function toControlOpenApi(): Json {
  const { tags, paths, schemas } = describeOperations({
    operations: controlOperations,
    commonErrors: { 422: refusalSchema, 500: refusalSchema },
    sharedSchemas: {},
    tags: [['Control plane', '/', 'Control of the sandbox']],
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the sandbox',
      version: packageJson.version,
      description:
        'Controls the sandbox service and the sandbox HubSpot. It has its own port, needs no key and answers on this machine only.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:4030' }],
    security: [],
    tags,
    paths,
    components: { schemas },
  };
}
