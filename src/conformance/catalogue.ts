import type { Check } from './check.ts';
import { assignmentReads, assignmentWrites } from './checks/assignments.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { blacklistReads, blacklistWrites } from './checks/blacklists.ts';
import { deliveryChecks, deliveryReads } from './checks/deliveries.ts';
import { downloadChecks, downloadReads } from './checks/downloads.ts';
import { entryChecks } from './checks/entries.ts';
import { entryPageChecks } from './checks/entry-pages.ts';
import { entryRemovalChecks } from './checks/entry-removal.ts';
import { headerChecks } from './checks/headers.ts';
import { orderPlacements, orderReads } from './checks/orders.ts';
import { outputChecks } from './checks/outputs.ts';
import { profileReads, profileWrites } from './checks/profiles.ts';
import { resultChecks, resultRefusals } from './checks/results.ts';

/** Every check, in the order in which one makes what the next one needs. */
export const catalogue: readonly Check[] = [
  ...authenticationChecks,
  ...headerChecks,
  ...blacklistReads,
  ...profileReads,
  ...assignmentReads,
  ...orderReads,
  ...downloadReads,
  ...deliveryReads,
  ...blacklistWrites,
  ...entryChecks,
  ...entryPageChecks,
  ...entryRemovalChecks,
  ...profileWrites,
  ...assignmentWrites,
  ...orderPlacements,
  ...resultChecks,
  ...resultRefusals,
  ...outputChecks,
  ...downloadChecks,
  ...deliveryChecks,
];
