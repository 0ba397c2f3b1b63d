import type { ActivityDependencies } from './activity-dependencies.ts';
import { createBlacklistActivities } from './blacklist-activities.ts';
import { createCrmActivities } from './crm-activities.ts';
import { createOrderActivities } from './order-activities.ts';
import { createExclusionActivities } from './exclusion-activities.ts';
import { createLeakActivities } from './leak-activities.ts';
import { createOutputActivities } from './output-activities.ts';
import { createProfileActivities } from './profile-activities.ts';
import { createReconcileActivities } from './reconcile-activities.ts';
import { createReplyActivities } from './reply-activities.ts';
import { createResultActivities } from './result-activities.ts';
import { createRunActivities } from './run-activities.ts';
import { createSpreadsheetActivities } from './spreadsheet-activities.ts';
import { createWebsiteActivities } from './website-activities.ts';

/** All side effects of the workflows, by the names that the Temporal UI shows. */
export function createActivities(dependencies: ActivityDependencies) {
  return {
    ...createRunActivities(dependencies),
    ...createExclusionActivities(dependencies),
    ...createBlacklistActivities(dependencies),
    ...createProfileActivities(dependencies),
    ...createOrderActivities(dependencies),
    ...createLeakActivities(dependencies),
    ...createResultActivities(dependencies),
    ...createWebsiteActivities(dependencies),
    ...createCrmActivities(dependencies),
    ...createSpreadsheetActivities(dependencies),
    ...createOutputActivities(dependencies),
    ...createReconcileActivities(dependencies),
    ...createReplyActivities(dependencies),
  };
}
export type Activities = ReturnType<typeof createActivities>;
