import type { ActivityDependencies } from './activity-dependencies.ts';
import { createCrmActivities } from './crm.ts';
import { createDraftActivities } from './enrichment-companies.ts';
import { createExclusionActivities } from './exclusions.ts';
import { createLeakActivities } from './leaks.ts';
import { createOrderActivities } from './order-activities.ts';
import { createOutputActivities } from './output-activities.ts';
import { createProfileActivities } from './profile-activities.ts';
import { createReconcileActivities } from './reconcile-activities.ts';
import { createResultActivities } from './result-activities.ts';
import { createRunActivities } from './run-activities.ts';
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
