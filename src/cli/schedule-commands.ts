/** Commands about schedules: plan, apply, and operations on one schedule. */
import { InvalidArgumentError, type Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import { type ConfirmationFlags, exitCodes } from './terminal.ts';
import type { CommandContext } from './command-context.ts';
import type { DeletionFlags } from './confirm-deletion.ts';
import type { BackfillFlags } from './schedule-backfill.ts';

export function addScheduleCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('plan')
    .description('show pending schedule changes')
    .option('--exit-code', 'exit with 3 if there are pending changes', false)
    .action(async ({ exitCode }: { exitCode: boolean }) => {
      const { plan } = await import('./schedule-plan.ts');
      const { document, text } = await plan(terminal, globals());
      answer(document, text);
      if (exitCode && !document.ok) end(exitCodes.findings);
    });
  program
    .command('apply')
    .description('apply schedule changes; manual pauses are kept')
    .option('--yes', 'delete, create and pause again schedules of this installation without confirmation', false)
    .action(async ({ yes }: ConfirmationFlags) => {
      const { apply } = await import('./schedule-plan.ts');
      const { document, text } = await apply(terminal, { ...globals(), yes });
      answer(document, text);
    });
  addOneSchedule(
    program.command('schedule').description('list, trigger, pause, resume, backfill or delete schedules in Temporal'),
    {
      globals,
      terminal,
      answer,
    },
  );
}

interface ScheduleCommandContext extends Pick<CommandContext, 'terminal' | 'answer'> {
  readonly globals: () => GlobalOptions;
}

function addOneSchedule(schedule: Command, { globals, terminal, answer }: ScheduleCommandContext): void {
  schedule
    .command('list')
    .description('list schedules: next five start times, last outcome, pauses, pending changes')
    .action(async () => {
      const { list, toListText } = await import('./schedule-list.ts');
      const listed = await list(terminal, globals());
      answer(listed, toListText(listed));
    });
  schedule
    .command('trigger <name>')
    .description('start the run now, subject to the overlap setting of the schedule')
    .option('--yes', 'start without confirmation', false)
    .action(async (name: string, { yes }: ConfirmationFlags) => {
      const { toTriggerText, trigger } = await import('./schedule-operations.ts');
      const triggered = await trigger(terminal, { ...globals(), yes }, name);
      answer(triggered, toTriggerText(triggered));
    });
  schedule
    .command('pause <name>')
    .description('pause the schedule until it is resumed')
    .option('--note <text>', 'reason, shown by schedule list', toNote, 'Paused with prospect-sync schedule pause')
    .option('--yes', 'pause a schedule of another installation without confirmation', false)
    .action(async (name: string, { note, yes }: PauseFlags) => {
      const { pause, toPauseText } = await import('./schedule-operations.ts');
      const paused = await pause(terminal, { ...globals(), yes }, name, note);
      answer(paused, toPauseText(paused));
    });
  schedule
    .command('resume <name>')
    .description('resume the schedule; missed starts are not made up for')
    .option('--note <text>', 'note, shown in Temporal', toNote, 'Resumed with prospect-sync schedule resume')
    .option('--yes', 'resume a schedule of another installation without confirmation', false)
    .action(async (name: string, { note, yes }: PauseFlags) => {
      const { resume, toPauseText } = await import('./schedule-operations.ts');
      const resumed = await resume(terminal, { ...globals(), yes }, name, note);
      answer(resumed, toPauseText(resumed));
    });
  schedule
    .command('backfill <name>')
    .description('start the run for each missed time of a past period, one after another; each start places an order')
    .requiredOption('--from <time>', 'for example 2026-11-01T00:00:00Z')
    .requiredOption('--to <time>', 'not later than now')
    .option('--paused', 'start the runs although the schedule is paused', false)
    .option('--dry-run', 'show what would be started and bought; starts nothing', false)
    .option('--yes', 'start without confirmation', false)
    .action(async (name: string, flags: BackfillFlags) => {
      const { backfill, toBackfillText } = await import('./schedule-backfill.ts');
      const filled = await backfill(terminal, globals(), name, flags);
      answer(filled, toBackfillText(filled));
    });
  schedule
    .command('delete <name>')
    .description('delete the schedule from Temporal; runs in progress continue')
    .option('--yes', 'delete a schedule that this installation applied without confirmation', false)
    .option('--name <exact>', 'delete it without confirmation if this is its exact name, whoever applied it')
    .action(async (name: string, flags: DeletionFlags) => {
      const { remove, toDeletedText } = await import('./schedule-operations.ts');
      const deleted = await remove(terminal, globals(), name, flags);
      answer(deleted, toDeletedText(deleted));
    });
}

interface PauseFlags extends ConfirmationFlags {
  readonly note: string;
}

/** With an empty note, Temporal neither pauses nor resumes a schedule. */
function toNote(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('must not be empty. Leave the option out for the standard note.');
}
