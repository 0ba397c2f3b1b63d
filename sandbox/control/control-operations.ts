/** All that the control plane can do; its document and its typed client come from this table. */
import { aboutOperations } from './control-health.ts';
import { actionOperations } from './control-actions.ts';
import { addressOperations } from './control-addresses.ts';
import { deliveryOperations } from './control-deliveries.ts';
import { faultOperations } from './control-faults.ts';
import { journalOperations } from './control-journal.ts';
import { organizationOperations } from './control-organizations.ts';
import { portalOperations } from './control-portals.ts';
import { progressOperations } from './control-progress.ts';
import { sheetOperations } from './control-sheets.ts';
import { stateOperations } from './control-state.ts';
import { clockOperations } from './control-clock.ts';

export const controlOperations = {
  ...aboutOperations,
  ...organizationOperations,
  ...portalOperations,
  ...progressOperations,
  ...clockOperations,
  ...faultOperations,
  ...journalOperations,
  ...stateOperations,
  ...addressOperations,
  ...actionOperations,
  ...deliveryOperations,
  ...sheetOperations,
} as const;
