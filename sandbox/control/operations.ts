/** All that the control plane can do; its document and its typed client come from this table. */
import { aboutOperations } from './about.ts';
import { actionOperations } from './actions.ts';
import { addressOperations } from './addresses.ts';
import { deliveryOperations } from './deliveries.ts';
import { faultOperations } from './faults.ts';
import { journalOperations } from './journal.ts';
import { organizationOperations } from './organizations.ts';
import { portalOperations } from './portals.ts';
import { progressOperations } from './progress.ts';
import { sheetOperations } from './sheets.ts';
import { stateOperations } from './state.ts';
import { clockOperations } from './time.ts';

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
