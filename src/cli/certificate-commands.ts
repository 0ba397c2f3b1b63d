/** Commands about certificates: verify, export, and the public key that signs them. */
import type { Command } from 'commander';
import {
  toExportDocument,
  toPublicKeyDocument,
  toVerificationDocument,
  toPublicKeyText,
  toVerificationText,
} from '../proof/certificate/certificate-report.ts';
import type { CommandContext } from './command-context.ts';
import type { GlobalOptions } from './configuration.ts';
import { overwriteOption, type TargetFlags } from './target-file.ts';

export function addCertificateCommands(program: Command, { terminal, answer, end }: CommandContext): void {
  const globals = () => program.opts<GlobalOptions>();
  program
    .command('verify <certificate>')
    .description(
      'verify a certificate of `reconcile`, without the network; needs --public-key, or the ledger of the installation that signed it',
    )
    .option('--slots <file>', 'also verify the slots: a file of `export`, plain or compressed')
    .option('--public-key <key-or-file>', 'the only key that may have signed: base64 or PEM, or a file with one')
    .action(async (file: string, flags: { slots?: string; publicKey?: string }) => {
      const { exitCodeOfVerification, verifyFile } = await import('./verify-file.ts');
      const { findOwnKey } = await import('./export-order.ts');
      const verification = await verifyFile(file, flags, () => findOwnKey(terminal, globals()));
      answer(toVerificationDocument(verification), toVerificationText(verification));
      end(exitCodeOfVerification(verification));
    });
  program
    .command('export <order>')
    .description('write the slots of an order as canonical JSON, one a line; contains personal data')
    .option('--out <file>', 'write to this file, readable by you only; compressed if its name ends in .gz')
    .option(...overwriteOption)
    .action(async (orderId: string, flags: TargetFlags) => {
      const { exportOrder } = await import('./export-order.ts');
      const exported = await exportOrder(terminal, globals(), orderId, flags);
      if (exported === null) return;
      answer(toExportDocument(exported), `${exported.slots} slots of order ${exported.orderId} in ${exported.file}`);
    });
  program
    .command('certificate-key')
    .description('show the public key that signs certificates; creates the key if there is none')
    .action(async () => {
      const { showPublicKey } = await import('./export-order.ts');
      const key = await showPublicKey(terminal, globals());
      answer(toPublicKeyDocument(key), toPublicKeyText(key));
    });
}
