/** `sandbox`, and its subcommands that control a running sandbox. `--control-url` and `faults --portal` apply to subcommands. */
import { Option, type Command } from 'commander';
import { plans, type Plan } from '../../sandbox/hubspot/limits/subscription-plans.ts';
import { collect, toCount, toPort, toWholeNumber, type CommandContext } from './command-context.ts';
import { exitCodes } from './terminal.ts';
import type { ControlFlags, FaultFlags, NewFaultFlags, JournalFlags } from './sandbox-control.ts';
import type { TriggerFlags } from './sandbox-trigger.ts';

interface SandboxFlags {
  readonly port: number;
  readonly hubspotPort: number;
  readonly controlPort: number;
  readonly searchLag: number;
  readonly hubspotPlan: Plan;
  readonly seed: number;
  readonly data?: string;
  readonly assume: readonly string[];
  readonly allowReceiver: readonly string[];
  readonly example?: string;
}

export function addSandboxCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const sandbox = program
    .command('sandbox')
    .description('start a sandbox of the service and of HubSpot, or control a running sandbox')
    .option('--port <port>', 'port of the sandbox service', toPort, 4010)
    .option('--hubspot-port <port>', 'port of the sandbox HubSpot', toPort, 4020)
    .option('--control-port <port>', 'port of the control plane', toPort, 4030)
    .option('--search-lag <milliseconds>', 'delay before HubSpot search finds a written record', toCount, 0)
    .addOption(
      new Option('--hubspot-plan <plan>', 'HubSpot plan whose rate limits apply; none: no limits')
        .choices(plans)
        .default('none'),
    )
    .option('--data <dir>', 'folder in which the sandbox keeps its state; default: it ends with the process')
    .option('--seed <number>', 'seed of all generated ids, keys and companies', toWholeNumber, 1)
    .option(
      '--assume <key=value>',
      'value for something that the specification does not define; may be repeated',
      collect,
      [],
    )
    .option(
      '--allow-receiver <host>',
      'allow webhooks to this private address, for example 127.0.0.1/32 or localhost:3000; may be repeated',
      collect,
      [],
    )
    .option('--control-url <url>', 'control plane of the running sandbox, for the subcommands', 'http://127.0.0.1:4030')
    .option('--example <dir>', 'fill the sandbox HubSpot, and write an example project for it to this folder')
    .action(
      async ({
        port: servicePort,
        assume,
        searchLag: searchLagMs,
        hubspotPlan: plan,
        allowReceiver,
        ...flags
      }: SandboxFlags) => {
        const { sandbox, toAllowance, toAssumptions } = await import('./sandbox.ts');
        const receivers = { allowed: toAllowance(terminal, allowReceiver) };
        const hubspot = { searchLagMs };
        await sandbox(terminal, {
          servicePort,
          assume: toAssumptions(assume),
          hubspot,
          portal: { plan },
          receivers,
          ...flags,
        });
      },
    );

  sandbox
    .command('trigger <type>')
    .description('simulate a campaign reply (reply.interested, reply.referral …) and deliver its webhook')
    .requiredOption(
      '--to <url>',
      'URL of the webhook receiver; one on this machine needs a sandbox with --allow-receiver 127.0.0.1/32',
    )
    .option('--organization <id>', 'id of the organisation; default: the first one')
    .option('--order <id>', 'id of a published order whose first contact replies; default: an unknown person replies')
    .action(async (type: string, _: object, command: Command) => {
      const { toTriggerText, trigger } = await import('./sandbox-trigger.ts');
      const triggered = await trigger(type, command.optsWithGlobals<TriggerFlags>());
      answer(triggered, toTriggerText(triggered));
      if (triggered.delivery.state !== 'delivered') end(exitCodes.findings);
    });

  addClockCommands(sandbox, { answer });
  addFaultCommands(sandbox, { terminal, answer });

  sandbox
    .command('journal')
    .description('list the newest requests to the sandbox service, or to a HubSpot portal')
    .option('--portal <id>', 'list requests to this HubSpot portal', toCount)
    .option('--organization <id>', 'list only requests of this organisation')
    .option('--method <method>', 'GET, POST …')
    .option('--path <start>', 'list only requests whose path starts with this')
    .option(
      '--status <status>',
      'list only requests with this response status; 0: the connection was closed without a response',
      toCount,
    )
    .option('--limit <number>', 'maximum number of requests', toCount, 50)
    .action(async (_: object, command: Command) => {
      const { journal, toJournalText } = await import('./sandbox-control.ts');
      const found = await journal(command.optsWithGlobals<JournalFlags>());
      answer(found, toJournalText(found));
    });
}

function addClockCommands(sandbox: Command, { answer }: Pick<CommandContext, 'answer'>): void {
  const change = async (command: Command, to?: { mode?: 'real' | 'frozen'; advance?: string }) => {
    const { clock, toClockText } = await import('./sandbox-control.ts');
    const state = await clock(command.optsWithGlobals<ControlFlags>(), to);
    answer(state, toClockText(state));
  };
  const clock = sandbox
    .command('clock')
    .description('show the time of the sandbox clock, and whether it is frozen')
    .action((_: object, command: Command) => change(command));
  clock
    .command('advance <duration>')
    .description('move the clock forward, for example by 12h, 1d12h or 90s, and wait until all due work is done')
    .action(async (duration: string, _: object, command: Command) => {
      const { toDuration } = await import('./sandbox-control.ts');
      await change(command, { advance: toDuration(duration) });
    });
  clock
    .command('freeze')
    .description('stop the clock')
    .action((_: object, command: Command) => change(command, { mode: 'frozen' }));
  clock
    .command('resume')
    .description('let the clock run again')
    .action((_: object, command: Command) => change(command, { mode: 'real' }));
}

function addFaultCommands(sandbox: Command, { terminal, answer }: Pick<CommandContext, 'terminal' | 'answer'>): void {
  const faults = sandbox
    .command('faults')
    .description('list the active fault injection rules')
    .option('--portal <id>', 'rules of this HubSpot portal; default: rules of the sandbox service', toCount)
    .action(async (_: object, command: Command) => {
      const { listFaults, toFaultsText } = await import('./sandbox-control.ts');
      const found = await listFaults(command.optsWithGlobals<FaultFlags>());
      answer(found, toFaultsText(found.faults));
    });
  faults
    .command('add <path>')
    .description('add a fault injection rule for requests whose path starts with this; * matches any text')
    .option('--method <method>', 'GET, POST …')
    .option('--organization <id>', 'only requests of this organisation')
    .option('--call <n>', 'number of the first matching request that fails; default: 1', toCount)
    .option('--times <n>', 'number of requests that fail', toCount, 1)
    .option('--preset <name>', 'known HubSpot failure: locked, migrating, ten_secondly_limit …; needs --portal')
    .option('--status <status>', 'respond with this status', toCount)
    .option('--html', 'respond with an HTML page')
    .option('--retry-after <seconds>', 'respond with this Retry-After header', toCount)
    .option('--commit', 'execute the request, but respond with the failure')
    .option('--reset', 'close the connection without a response')
    .option('--truncate', 'send half of the body')
    .option('--content-type <type>', 'respond with this content type')
    .option('--delay <milliseconds>', 'delay the response', toCount)
    .option('--drip <milliseconds>', 'send the body slowly, over this time', toCount)
    .action(async (path: string, _: object, command: Command) => {
      const { addFault, toFaultsText } = await import('./sandbox-control.ts');
      const added = await addFault(path, command.optsWithGlobals<NewFaultFlags>());
      answer(added, toFaultsText([added]));
    });
  faults
    .command('clear')
    .description('remove all fault injection rules')
    .action(async (_: object, command: Command) => {
      const { clearFaults } = await import('./sandbox-control.ts');
      await clearFaults(command.optsWithGlobals<FaultFlags>());
      terminal.say('All fault injection rules were removed');
    });
}
