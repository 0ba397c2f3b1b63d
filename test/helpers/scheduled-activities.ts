/** Within workflows that are replayed: tells what each activity is asked to do, which Temporal's own comparison leaves out. */
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
