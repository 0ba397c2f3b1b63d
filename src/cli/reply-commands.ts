/** Commands for campaign replies: receive, replies, suppressions, and secrets. */
import { Option, type Command } from 'commander';
import { toPort, type CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import type { ReceiveFlags } from './run-receiver.ts';
import type { ReplyListFlags } from './replies.ts';
import type { SuppressionFlags } from './suppressions.ts';
import { overwriteOption, type OverwriteFlags } from './target-file.ts';
import { exitCodes, type ConfirmationFlags } from './terminal.ts';
import { addProcessOptions } from './worker-commands.ts';

const receiverPort = 8787;

export function addReplyCommands(program: Command, context: CommandContext): void {
  addReceive(program, context);
  addReplies(program, context);
  addSuppressions(program, context);
}

function addReceive(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const command = program
    .command('receive')
    .description('receive replies to campaigns and notifications of order status; runs until stopped')
    .addOption(
      new Option('--port <port>', 'port to listen on; 0 selects a free port')
        .argParser(toPort)
        .default(receiverPort)
        .env('PROSPECT_SYNC_RECEIVE_PORT'),
    )
    .addOption(
      new Option('--host <host>', 'address to listen on').default('127.0.0.1').env('PROSPECT_SYNC_RECEIVE_HOST'),
    )
    .addHelpText('after', '\nAddresses, TLS and secrets: docs/replies.md');
  addProcessOptions(command).action(async (flags: ReceiveFlags) => {
    const { receive } = await import('./run-receiver.ts');
    await receive(terminal, globals(), flags);
  });
  const secrets = program.command('secrets').description('signing secrets of webhooks, and passwords of the console');
  secrets
    .command('check')
    .description('show which signing secrets verify webhooks, when each was used last, and what a rotation still needs')
    .action(async () => {
      const { checkSecrets, toSecretsDocument, toSecretsText } = await import('./secrets.ts');
      const found = await checkSecrets(terminal, globals());
      answer(toSecretsDocument(found), toSecretsText(found));
      end(found.some(({ problem }) => problem !== null) ? exitCodes.findings : exitCodes.done);
    });
  secrets
    .command('hash-password')
    .description('make the hash of a password for console.users, from a terminal without showing it, or from stdin')
    .action(async () => {
      const { readPasswordHash } = await import('./secrets.ts');
      const hash = await readPasswordHash(terminal);
      answer({ hash }, hash);
    });
}

function addReplies(program: Command, { terminal, answer }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const replies = program.command('replies').description('show and repeat what was received');
  replies
    .command('list', { isDefault: true })
    .description('list replies, the newest first, without personal data')
    .option('--state <state>', 'received, processed, quarantined, failed or test')
    .option('--class <classification>', 'for example interested')
    .option('--since <date>', 'received on this day (UTC) or later, for example 2026-11-20')
    .action(async (flags: ReplyListFlags) => {
      const { listReplies, toReplyDocument, toReplyText } = await import('./replies.ts');
      const found = await listReplies(terminal, globals(), flags);
      answer(found.map(toReplyDocument), found.length === 0 ? 'no replies' : found.map(toReplyText).join('\n'));
    });
  replies
    .command('show <reply>')
    .description('show one reply with its text; REPLY is a webhook id, its beginning, or last')
    .action(async (webhookId: string) => {
      const { showReply, toShownDocument, toShownText } = await import('./replies.ts');
      const reply = await showReply(terminal, globals(), webhookId);
      answer(toShownDocument(reply), toShownText(reply));
    });
  replies
    .command('replay <reply>')
    .description('process a reply again; what is done already is not repeated')
    .action(async (webhookId: string) => {
      const { replayReply } = await import('./replies.ts');
      const { report, text } = await replayReply(terminal, globals(), webhookId);
      answer(report, text);
    });
  replies
    .command('preview <file>')
    .description('show what the webhook body in a file would do; changes nothing')
    .action(async (file: string) => {
      const { previewReply, toPreviewText } = await import('./preview-reply.ts');
      const preview = await previewReply(terminal, globals(), file);
      answer(preview, toPreviewText(preview));
    });
}

function addSuppressions(program: Command, { terminal, answer }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  const suppressions = program
    .command('suppressions')
    .description('people and companies that are not bought, delivered or written to again');
  suppressions
    .command('list')
    .description('list suppressed people and companies with time and reason')
    .option('--removed', 'include those that were removed', false)
    .action(async ({ removed }: { removed: boolean }) => {
      const { listSuppressions, toSuppressionDocument, toSuppressionText } = await import('./suppressions.ts');
      const found = await listSuppressions(terminal, globals(), { withRemoved: removed });
      answer(found.map(toSuppressionDocument), found.length === 0 ? 'none' : found.map(toSuppressionText).join('\n'));
    });
  for (const verb of ['add', 'remove'] as const) {
    suppressions
      .command(`${verb} <email-or-domain>`)
      .description(
        verb === 'add'
          ? 'suppress a person or a company from now on'
          : 'end a suppression; name and reason stay in the ledger',
      )
      .requiredOption('--reason <text>', 'why')
      .option('--by <name>', 'name for the record; default: the user of this computer')
      .option('--yes', 'do it without confirmation', false)
      .action(async (who: string, flags: SuppressionFlags & ConfirmationFlags) => {
        const { changeSuppression } = await import('./suppressions.ts');
        const changed = await changeSuppression(terminal, { ...globals(), ...flags }, { verb, who });
        answer(changed, changed.text);
      });
  }
  suppressions
    .command('import <file>')
    .description(
      'suppress every address and domain in a CSV file, in the column with the header email or in the first one',
    )
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'name for the record; default: the user of this computer')
    .option('--yes', 'do it without confirmation', false)
    .action(async (file: string, flags: SuppressionFlags & ConfirmationFlags) => {
      const { importSuppressions } = await import('./suppressions.ts');
      const imported = await importSuppressions(terminal, { ...globals(), ...flags }, file);
      const { added, known, repeated } = imported;
      const repeats = repeated === 0 ? '' : `; rows that repeat an earlier one: ${repeated}`;
      answer(imported, `${added} added, ${known} were suppressed already${repeats}`);
    });
  suppressions
    .command('export <file>')
    .description('write all suppressed addresses and domains to a CSV file, readable by you only')
    .option(...overwriteOption)
    .action(async (file: string, flags: OverwriteFlags) => {
      const { exportSuppressions } = await import('./suppressions.ts');
      const exported = await exportSuppressions(terminal, globals(), file, flags);
      answer(exported, `${exported.rows} rows in ${exported.path}`);
    });
}
