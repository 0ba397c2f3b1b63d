/** Commands about schedules: what would change, make it so, and what people do with one of them. */
import type { Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import type { ConfirmationFlags } from './confirmation.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './terminal.ts';

export function addScheduleCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('plan')
    .description('what differs between the schedules of the configuration and those of Temporal; changes nothing')
    .option('--exit-code', 'end with 3 where there is a difference', false)
    .action(async ({ exitCode }: { exitCode: boolean }) => {
      const { plan, toPlanDocument, toPlanText } = await import('./schedule-plan.ts');
      const planned = await plan(terminal, globals());
      const document = toPlanDocument(planned);
      answer(document, toPlanText(planned));
      if (exitCode && !document.ok) end(exitCodes.findings);
    });
  program
    .command('apply')
    .description('make the schedules of Temporal those of the configuration; a pause that somebody set stays')
    .action(async () => {
      const { apply, toAppliedText, toPlanDocument } = await import('./schedule-plan.ts');
      const applied = await apply(terminal, globals());
      answer({ ...toPlanDocument(applied), ok: true }, toAppliedText(applied));
    });
  addOneSchedule(program.command('schedule').description('one schedule, or all, as Temporal has them'), {
    globals,
    terminal,
    answer,
  });
}

interface ScheduleCommandContext extends Pick<CommandContext, 'terminal' | 'answer'> {
  readonly globals: () => GlobalOptions;
}

function addOneSchedule(schedule: Command, { globals, terminal, answer }: ScheduleCommandContext): void {
  schedule
    .command('list')
    .description('next five times, last outcome, who is paused and why, what differs from the configuration')
    .action(async () => {
      const { list, toListText } = await import('./schedule-list.ts');
      const listed = await list(terminal, globals());
      answer(listed, toListText(listed));
    });
  schedule
    .command('trigger <name>')
    .description("start the run now, as far as the schedule's own overlap setting lets it")
    .option('--yes', 'start without asking, also while the schedule is paused', false)
    .action(async (name: string, { yes }: ConfirmationFlags) => {
      const { toTriggerText, trigger } = await import('./schedule-trigger.ts');
      const triggered = await trigger(terminal, { ...globals(), yes }, name);
      answer(triggered, toTriggerText(triggered));
    });
  schedule
    .command('pause <name>')
    .description('no more starts until it is resumed')
    .option('--note <text>', 'why, for others to read', 'Paused with prospect-sync schedule pause')
    .action(async (name: string, { note }: { note: string }) => {
      const { pause } = await import('./schedule-state.ts');
      answer(await pause(terminal, globals(), name, note), `${name} is paused: ${note}`);
    });
  schedule
    .command('resume <name>')
    .description('starts again from now on; what was missed is not made up for')
    .option('--note <text>', 'for others to read', 'Resumed with prospect-sync schedule resume')
    .action(async (name: string, { note }: { note: string }) => {
      const { resume } = await import('./schedule-state.ts');
      answer(await resume(terminal, globals(), name, note), `${name} starts by itself again`);
    });
  schedule
    .command('backfill <name>')
    .description(
      'start the run for every time of a past period that has started none, one after another; each places an order',
    )
    .requiredOption('--from <time>', 'for example 2026-11-01T00:00:00Z')
    .requiredOption('--to <time>', 'not later than now')
    .option('--again', 'also what has started already: it is ordered once more', false)
    .action(async (name: string, asked: { from: string; to: string; again: boolean }) => {
      const { backfill, toBackfillText } = await import('./schedule-backfill.ts');
      const filled = await backfill(terminal, globals(), name, asked);
      answer(filled, toBackfillText(filled));
    });
  schedule
    .command('delete <name>')
    .description('take the schedule out of Temporal; runs that it has started go on')
    .action(async (name: string) => {
      const { remove } = await import('./schedule-state.ts');
      const text = `the schedule of ${name} is deleted; as long as the configuration has it, prospect-sync apply makes it again`;
      answer(await remove(terminal, globals(), name), text);
    });
}
