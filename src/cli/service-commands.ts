/** Commands about what is known of the service where the specification does not show it. */
import type { Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import type { CommandContext } from './command-context.ts';

export function addServiceCommands(program: Command, { terminal, answer }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const service = program
    .command('service')
    .description('which fields the service uses where the specification shows none');
  service
    .command('show')
    .description('the fields that are learnt, and the settings of requests')
    .action(async () => {
      const { showService, toServiceDocument, toServiceText } = await import('./service-shape.ts');
      const shown = await showService(terminal, globals());
      answer(toServiceDocument(shown), toServiceText(shown));
    });
  service
    .command('learn <file-or-order...>')
    .description(
      'learn the fields from saved pages of results, or from a published order; prints them with their evidence',
    )
    .option('--write', 'write them to the configuration', false)
    .action(async (sources: string[], flags: { write: boolean }) => {
      const { learnService, toServiceDocument, toServiceText } = await import('./service-shape.ts');
      const learnt = await learnService(terminal, globals(), sources, flags);
      answer(toServiceDocument(learnt), toServiceText(learnt));
    });
  service
    .command('forget')
    .description('forget what was learnt: the next order is read afresh')
    .action(async () => {
      const { forgetService } = await import('./service-shape.ts');
      const forgotten = await forgetService(terminal, globals());
      answer({ forgotten }, forgotten === 0 ? 'Nothing was learnt yet.' : 'Forgotten. The next order is read afresh.');
    });
}
