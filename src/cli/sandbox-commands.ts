/** `sandbox` and what is told to stand-ins that run already. `--control-url` and `faults --portal` count for what is below them. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { plans, type Plan } from '../../sandbox/hubspot/limits/subscription-plans.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes } from './terminal.ts';
import type { ControlFlags } from './sandbox-control/control-request.ts';
import type { FaultFlags, NewFaultFlags } from './sandbox-control/sandbox-faults.ts';
import type { JournalFlags } from './sandbox-control/sandbox-journal.ts';
import type { TriggerFlags } from './sandbox-control/trigger-reply.ts';

interface SandboxFlags {
  readonly port: number;
  readonly hubspotPort: number;
  readonly controlPort: number;
  readonly searchLag: number;
  readonly hubspotPlan: Plan;
  readonly seed: number;
  readonly assume: readonly string[];
  readonly allowReceiver: readonly string[];
  readonly example?: string;
}

export function addSandboxCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const sandbox = program
    .command('sandbox')
    .description('serve the stand-ins of the service and of HubSpot; or tell running ones what to do')
    .option('--port <port>', 'of the service', toPort, 4010)
    .option('--hubspot-port <port>', 'of HubSpot', toPort, 4020)
    .option('--control-port <port>', 'of the control plane', toPort, 4030)
    .option('--search-lag <milliseconds>', 'until HubSpot finds by search what was written', toCount, 0)
    .addOption(
      new Option('--hubspot-plan <plan>', 'whose rate limits HubSpot keeps; none: no limits')
        .choices(plans)
        .default('none'),
    )
    .option('--seed <number>', 'of everything that is made up', toWhole, 1)
    .option('--assume <key=value>', 'answer otherwise where the specification is silent; may be repeated', collect, [])
    .option(
      '--allow-receiver <host>',
      'write to this private webhook receiver: 127.0.0.1/32, localhost:3000',
      collect,
      [],
    )
    .option('--control-url <url>', 'of stand-ins that run already, for the commands below', 'http://127.0.0.1:4030')
    .option('--example <dir>', 'fill the CRM and write a project to run against these stand-ins')
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
    .description('have a reply come in and send it: reply.interested, reply.referral …')
    .requiredOption('--to <url>', 'address of the receiver')
    .option('--organization <id>', 'whose reply; the first one when absent')
    .option('--order <id>', 'a published order, whose first contact replies; a stranger when absent')
    .action(async (type: string, _: object, command: Command) => {
      const { toTriggerText, trigger } = await import('./sandbox-control/trigger-reply.ts');
      const triggered = await trigger(type, command.optsWithGlobals<TriggerFlags>());
      answer(triggered, toTriggerText(triggered));
      if (triggered.delivery.state !== 'delivered') end(exitCodes.findings);
    });

  addClockCommands(sandbox, { terminal, answer, end });
  addFaultCommands(sandbox, { terminal, answer, end });

  sandbox
    .command('journal')
    .description('what was asked of the service, or of a HubSpot portal')
    .option('--portal <id>', 'of HubSpot', toCount)
    .option('--organization <id>', 'of one organisation')
    .option('--method <method>', 'GET, POST …')
    .option('--path <start>', 'the start of the path')
    .option('--status <status>', 'what was answered; 0 is a dropped connection', toCount)
    .option('--limit <number>', 'the newest so many', toCount, 50)
    .action(async (_: object, command: Command) => {
      const { journal, toJournalText } = await import('./sandbox-control/sandbox-journal.ts');
      const found = await journal(command.optsWithGlobals<JournalFlags>());
      answer(found, toJournalText(found));
    });
}

function addClockCommands(sandbox: Command, { answer }: CommandContext): void {
  const change = async (command: Command, to?: { mode?: 'real' | 'frozen'; advance?: string }) => {
    const { clock, toClockText } = await import('./sandbox-control/sandbox-clock.ts');
    const state = await clock(command.optsWithGlobals<ControlFlags>(), to);
    answer(state, toClockText(state));
  };
  const clock = sandbox
    .command('clock')
    .description('the time of the stand-ins')
    .action((_: object, command: Command) => change(command));
  clock
    .command('advance <duration>')
    .description('move forward (12h, 1d12h, 90s); all that falls due has then happened')
    .action(async (duration: string, _: object, command: Command) => {
      const { toDuration } = await import('./sandbox-control/sandbox-clock.ts');
      await change(command, { advance: toDuration(duration) });
    });
  clock
    .command('freeze')
    .description('stand still')
    .action((_: object, command: Command) => change(command, { mode: 'frozen' }));
  clock
    .command('resume')
    .description('tick on')
    .action((_: object, command: Command) => change(command, { mode: 'real' }));
}

function addFaultCommands(sandbox: Command, { terminal, answer }: CommandContext): void {
  const faults = sandbox
    .command('faults')
    .description('rules that spoil requests: the list of those that have not ended')
    .option('--portal <id>', 'of requests to this HubSpot portal', toCount)
    .action(async (_: object, command: Command) => {
      const { listFaults, toFaultsText } = await import('./sandbox-control/sandbox-faults.ts');
      const found = await listFaults(command.optsWithGlobals<FaultFlags>());
      answer(found, toFaultsText(found.faults));
    });
  faults
    .command('add <path>')
    .description('spoil requests whose path begins so; * stands for anything')
    .option('--method <method>', 'GET, POST …')
    .option('--organization <id>', 'of one organisation only')
    .option('--call <n>', 'from the nth matching request on', toCount)
    .option('--times <n>', 'so many requests', toCount, 1)
    .option('--preset <name>', 'what HubSpot is known to do: locked, migrating, ten_secondly_limit …; with --portal')
    .option('--status <status>', 'answer with it instead', toCount)
    .option('--html', 'with a page of HTML as its body')
    .option('--retry-after <seconds>', 'with this header', toCount)
    .option('--commit', 'carry the request out all the same')
    .option('--reset', 'break the connection')
    .option('--truncate', 'send half of the body')
    .option('--content-type <type>', 'say this type')
    .option('--delay <milliseconds>', 'hold the answer back', toCount)
    .option('--drip <milliseconds>', 'send the body over this time', toCount)
    .action(async (path: string, _: object, command: Command) => {
      const { addFault, toFaultsText } = await import('./sandbox-control/sandbox-faults.ts');
      const added = await addFault(path, command.optsWithGlobals<NewFaultFlags>());
      answer(added, toFaultsText([added]));
    });
  faults
    .command('clear')
    .description('end all rules')
    .action(async (_: object, command: Command) => {
      const { clearFaults } = await import('./sandbox-control/sandbox-faults.ts');
      await clearFaults(command.optsWithGlobals<FaultFlags>());
      terminal.say('all rules have ended');
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function toPort(text: string): number {
  const port = Number(text);
  if (text.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('must be 0 to 65535; 0 takes a free port.');
}

function toCount(text: string): number {
  const count = toWhole(text);
  if (count >= 0) return count;
  throw new InvalidArgumentError('must be a whole number, 0 or above.');
}

function toWhole(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isInteger(number)) return number;
  throw new InvalidArgumentError('must be a whole number.');
}
