import { need, type Check } from './probe/check.ts';
import { assignmentReads, assignmentWrites } from './checks/assignments.ts';
import { authenticationChecks } from './checks/authentication.ts';
import { blacklistReads } from './checks/blacklist-reads.ts';
import { blacklistWrites } from './checks/blacklists.ts';
import { deliveryChecks, deliveryReads } from './checks/deliveries.ts';
import { givenOrderChecks } from './checks/given-order.ts';
import { downloadChecks, downloadReads } from './checks/downloads.ts';
import { entryChecks } from './checks/entries.ts';
import { entryPageChecks } from './checks/entry-pages.ts';
import { entryRemovalChecks } from './checks/entry-removal.ts';
import { headerChecks } from './checks/headers.ts';
import { orderPlacements, orderReads } from './checks/orders.ts';
import { outputChecks } from './checks/outputs.ts';
import { profileReads, profileWrites } from './checks/profiles.ts';
import { controlledBlacklistChecks } from './controlled-checks/controlled-blacklists.ts';
import { keyChecks } from './controlled-checks/key-scopes.ts';
import { controlledDeliveryChecks } from './controlled-checks/controlled-deliveries.ts';
import { controlledPagingChecks } from './controlled-checks/controlled-result-pages.ts';
import { controlledOrderChecks } from './controlled-checks/controlled-orders.ts';
import { controlledOutputChecks } from './controlled-checks/controlled-outputs.ts';
import { controlledProfileChecks } from './controlled-checks/controlled-profiles.ts';
import { controlledResultChecks } from './controlled-checks/controlled-results.ts';
import { webhookChecks } from './controlled-checks/webhook-checks.ts';
import { resultBounds, resultChecks } from './checks/results.ts';

/** Every check, in order: later checks use what earlier ones created. Checks with `needs` create their own data. */
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
  ...resultChecks('enrichment'),
  ...resultChecks('discovery'),
  ...resultBounds('results.', 'orders', ({ published }) =>
    need(published.enrichment ?? published.discovery, 'a published order'),
  ),
  ...outputChecks,
  ...downloadChecks,
  ...deliveryChecks,
  ...keyChecks,
  ...controlledBlacklistChecks,
  ...controlledProfileChecks,
  ...controlledOrderChecks,
  ...controlledPagingChecks,
  ...controlledResultChecks,
  ...controlledDeliveryChecks,
  ...controlledOutputChecks,
  ...webhookChecks,
];

/** The checks of a run. Checks of an existing order come first, because they need no other check. */
export function checksFor(orderId: string | undefined): readonly Check[] {
  return orderId === undefined ? catalogue : [...givenOrderChecks, ...catalogue];
}
