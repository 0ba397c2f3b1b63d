import type { ActivityDependencies } from './activity-dependencies.ts';
import { createCrmActivities } from './crm.ts';
import { createDraftActivities } from './draft-order.ts';
import { createExclusionActivities } from './exclusion-activities.ts';
import { createLeakActivities } from './leak-activities.ts';
import { createOrderActivities } from './orders.ts';
import { createOutputActivities } from './outputs.ts';
import { createProfileActivities } from './profiles.ts';
import { createReconcileActivities } from './reconcile.ts';
import { createResultActivities } from './results.ts';
import { createRunActivities } from './runs.ts';
import { createSpreadsheetActivities } from './spreadsheets.ts';

/** All side effects of the workflows, by the names that the Temporal UI shows. */
export function createActivities(clients: ActivityDependencies) {
  return {
    ...createRunActivities(clients),
    ...createExclusionActivities(clients),
    ...createProfileActivities(clients),
    ...createDraftActivities(clients),
    ...createOrderActivities(clients),
    ...createLeakActivities(clients),
    ...createResultActivities(clients),
    ...createCrmActivities(clients),
    ...createSpreadsheetActivities(clients),
    ...createOutputActivities(clients),
    ...createReconcileActivities(clients),
  };
}
export type Activities = ReturnType<typeof createActivities>;
