/** Commands that create and check a configuration, check the systems that it names, and learn the field names of the service. */
import { Argument, type Command } from 'commander';
import { completedShells, toCompletionScript, type CompletedShell } from './completion-script.ts';
import type { CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import type { ConformanceFlags } from './conformance.ts';
import type { DoctorFlags } from './doctor.ts';
import type { ConfirmationFlags } from './terminal.ts';

export function addSetupCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('init')
    .description('write a configuration template, its schema for editors, and a .gitignore')
    .option('--schema', 'only write the schema again, for example after an upgrade', false)
    .action(async (flags: { schema: boolean }) => {
      const { init } = await import('./configuration-file.ts');
      await init(terminal, globals().config, flags);
    });
  program
    .command('validate')
    .description('check the configuration and report all problems at once')
    .action(async () => {
      const { toValidText, validate } = await import('./configuration-file.ts');
      const valid = await validate(globals(), terminal.env);
      answer(valid, toValidText(valid));
    });
  program
    .command('doctor')
    .description('check everything that the configured runs need; changes nothing')
    .option('--drift', "list how the service's answers differ from the specification, and since when", false)
    .action(async (flags: DoctorFlags) => {
      const { doctor, doctorExitCode, toDoctorText } = await import('./doctor.ts');
      const diagnosis = await doctor(terminal, globals(), flags);
      answer(diagnosis, toDoctorText(diagnosis));
      end(doctorExitCode(diagnosis));
    });
  program
    .command('profiles')
    .description('list the search profiles of the configured runs, and which runs share one')
    .action(async () => {
      const { listProfiles, toProfileDocument, toProfileText } = await import('./profiles.ts');
      const found = await listProfiles(terminal, globals());
      answer(found.map(toProfileDocument), found.length === 0 ? 'no runs' : found.map(toProfileText).join('\n'));
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
  program
    .command('completion')
    .description('print a script with which the shell completes commands, options and file names')
    .addArgument(new Argument('<shell>').choices(completedShells))
    .addHelpText('after', '\nHow to load it: docs/cli.md, "Shell completion"')
    .action((shell: CompletedShell) => {
      const script = toCompletionScript(program, shell);
      answer({ shell, script }, script);
    });
}

/** `service`: what prospect-sync knows about the service beyond the specification. */
export function addServiceCommands(program: Command, { terminal, answer }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const service = program
    .command('service')
    .description('field names that the service uses where the specification defines none');
  service
    .command('show')
    .description('show the learned field names and the request settings')
    .action(async () => {
      const { toServiceDocument } = await import('./documents/installation-document.ts');
      const { showService, toServiceText } = await import('./service-shape.ts');
      const shown = await showService(terminal, globals());
      answer(toServiceDocument(shown), toServiceText(shown));
    });
  service
    .command('learn <file-or-order...>')
    .description('learn field names from saved result pages or a published order, and print them with evidence')
    .option('--write', 'write them to the configuration file', false)
    .action(async (sources: string[], flags: { write: boolean }) => {
      const { toServiceDocument } = await import('./documents/installation-document.ts');
      const { learnService, toServiceText } = await import('./service-shape.ts');
      const learned = await learnService(terminal, globals(), sources, flags);
      answer(toServiceDocument(learned), toServiceText(learned));
    });
  service
    .command('forget')
    .description('forget learned field names: the next order is analysed again')
    .option('--yes', 'do it without confirmation', false)
    .action(async (flags: ConfirmationFlags) => {
      const { toForgottenDocument } = await import('./documents/installation-document.ts');
      const { forgetService } = await import('./service-shape.ts');
      const forgotten = await forgetService(terminal, { ...globals(), ...flags });
      answer(
        toForgottenDocument(forgotten),
        forgotten === 0 ? 'Nothing was learned yet.' : 'Forgotten. The next order is analysed again.',
      );
    });
}
