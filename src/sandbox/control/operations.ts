/** All that the control plane can do; its document and its typed client come from this table. */
import { aboutOperations } from './about.ts';
import { faultOperations } from './faults.ts';
import { journalOperations } from './journal.ts';
import { organizationOperations } from './organizations.ts';
import { progressOperations } from './progress.ts';
import { stateOperations } from './state.ts';
import { clockOperations } from './time.ts';

export const controlOperations = {
  ...aboutOperations,
  ...organizationOperations,
  ...progressOperations,
  ...clockOperations,
  ...faultOperations,
  ...journalOperations,
  ...stateOperations,
} as const;
