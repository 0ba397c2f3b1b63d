/** Commands that create and check a configuration, and check the systems that it names. */
import type { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import type { ConformanceFlags } from './conformance.ts';

export function addSetupCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('init')
    .description('write a configuration template')
    .action(async () => {
      const { init } = await import('./init.ts');
      await init(terminal, globals().config);
    });
  program
    .command('validate')
    .description('check the configuration and report all problems at once')
    .action(async () => {
      const { toValidText, validate } = await import('./validate.ts');
      const valid = await validate(globals(), terminal.env);
      answer(valid, toValidText(valid));
    });
  program
    .command('doctor')
    .description('check access to the service and HubSpot; creates missing HubSpot properties if allowed')
    .action(async () => {
      const { doctor, doctorExitCode, toDoctorText } = await import('./doctor.ts');
      const diagnosis = await doctor(terminal, globals());
      answer(diagnosis, toDoctorText(diagnosis));
      end(doctorExitCode(diagnosis));
    });
  program
    .command('conformance')
    .description('check any deployment of the service against the specification')
    .requiredOption('--base-url <url>', 'address of the deployment, without /api/v1')
    .option('--api-key <key>', 'API key; it stays in the shell history')
    .option('--api-key-env <name>', 'environment variable that contains the API key')
    .option('--allow-http', 'allow plain http to another machine, for trusted networks', false)
    .option('--order <id>', 'also check the results of a published order; changes nothing')
    .option('--results-items <name>', 'name of the array of slots on a results page, if it is not recognised')
    .option('--notes', 'list every fact that the specification does not define', false)
    .option(
      '--read-only',
      'send only requests that change nothing; otherwise blacklists are created and deleted',
      false,
    )
    .option(
      '--place-orders',
      'also create a profile and two small orders, which stay; a real service may charge',
      false,
    )
    .addHelpText('after', '\nWhat is checked, and how to read the report: docs/conformance.md')
    .action(async (flags: ConformanceFlags) => {
      const { conformance } = await import('./conformance.ts');
      end(await conformance(terminal, globals(), flags));
    });
}
