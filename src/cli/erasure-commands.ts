/** Commands that erase personal data: forget, retention. */
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import type { ConfirmationFlags, ExitCode } from './terminal.ts';
import type { ForgetFlags } from './erasure.ts';

export function addErasureCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const endWithFailures = (text: string | null, code: ExitCode) => {
    if (text !== null) terminal.say(text, 'error');
    end(code);
  };
  program
    .command('forget <email-or-domain>')
    .description(
      'erase a person or a company from the ledger and from files, and leave them out of later results; does not change HubSpot or the service',
    )
    .option('--yes', 'erase without confirmation', false)
    .option('--future', 'leave it out of later results for ever, even if nothing is found now', false)
    .action(async (who: string, flags: ForgetFlags) => {
      const { exitCodeOfErasure, toFailureText, forgetPerson, toForgetDocument, toForgetText } =
        await import('./erasure.ts');
      const result = await forgetPerson(terminal, { ...globals(), ...flags }, who);
      answer(toForgetDocument(result), toForgetText(result));
      endWithFailures(toFailureText(result), exitCodeOfErasure(result));
    });
  program
    .command('retention')
    .description('erase the data of orders that are older than retention.days; workers do it once a day')
    .option('--yes', 'erase without confirmation', false)
    .action(async ({ yes }: ConfirmationFlags) => {
      const { exitCodeOfErasure, toFailureText, retention, toRetentionDocument, toRetentionText } =
        await import('./erasure.ts');
      const result = await retention(terminal, { ...globals(), yes });
      answer(toRetentionDocument(result), toRetentionText(result));
      endWithFailures(toFailureText(result), exitCodeOfErasure(result));
    });
}
