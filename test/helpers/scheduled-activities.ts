/** Records the inputs of activities during a replay, because Temporal compares only their names. */
import { proxySinks, type Sinks, type WorkflowInterceptors } from '@temporalio/workflow';

export interface ScheduledActivity {
  readonly activity: string;
  readonly args: readonly unknown[];
}

export interface ScheduledSinks extends Sinks {
  readonly scheduled: { tell(scheduled: ScheduledActivity): void };
}

export function interceptors(): WorkflowInterceptors {
  const { scheduled } = proxySinks<ScheduledSinks>();
  return {
    outbound: [
      {
        scheduleActivity(input, next) {
          scheduled.tell({ activity: input.activityType, args: input.args });
          return next(input);
        },
      },
    ],
  };
}
