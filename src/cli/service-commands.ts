/** Commands about what is known of the service where the specification does not show it. */
import type { Command } from 'commander';
import type { GlobalOptions } from './configuration.ts';
import type { CommandContext } from './command-context.ts';

export function addServiceCommands(program: Command, { terminal, answer }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const service = program
    .command('service')
    .description('field names that the service uses where the specification defines none');
  service
    .command('show')
    .description('show the learned field names and the request settings')
    .action(async () => {
      const { showService, toServiceDocument, toServiceText } = await import('./service-shape.ts');
      const shown = await showService(terminal, globals());
      answer(toServiceDocument(shown), toServiceText(shown));
    });
  service
    .command('learn <file-or-order...>')
    .description('learn field names from saved result pages or a published order, and print them with evidence')
    .option('--write', 'write them to the configuration file', false)
    .action(async (sources: string[], flags: { write: boolean }) => {
      const { learnService, toServiceDocument, toServiceText } = await import('./service-shape.ts');
      const learnt = await learnService(terminal, globals(), sources, flags);
      answer(toServiceDocument(learnt), toServiceText(learnt));
    });
  service
    .command('forget')
    .description('forget learned field names: the next order is analysed again')
    .action(async () => {
      const { forgetService } = await import('./service-shape.ts');
      const forgotten = await forgetService(terminal, globals());
      answer(
        { forgotten },
        forgotten === 0 ? 'Nothing was learned yet.' : 'Forgotten. The next order is analysed again.',
      );
    });
}
