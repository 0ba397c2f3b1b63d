/** Signing secrets of webhooks with the open steps of a rotation, and passwords of the console. */
import { hashPassword } from '../base/password-hash.ts';
import type { SecretUse } from '../ledger/secret-use-store.ts';
import { loadEndpointSecrets, type EndpointSecret } from '../replies/endpoint-secrets.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { withLedger } from './data-folder.ts';
import { CommandError, exitCodes, type Terminal } from './terminal.ts';

/** A configured secret, and its use by the ledger. */
export interface CheckedSecret {
  readonly endpoint: EndpointSecret['endpoint'];
  /** 1: the newest. */
  readonly place: number;
  readonly fingerprint: string | null;
  readonly deliveries: number;
  readonly lastAt: string | null;
  readonly problem: string | null;
  /** Open steps of a rotation. */
  readonly advice: string;
}

const unused = { deliveries: 0, lastAt: null } as const;

export async function checkSecrets(terminal: Terminal, options: GlobalOptions): Promise<CheckedSecret[]> {
  return withLedger(terminal, options, async (ledger, config) => {
    const uses = await ledger.secretUses.list();
    const secrets = await loadEndpointSecrets(config);
    return secrets.map((secret) =>
      toSecretUse(
        secret,
        uses.find((use) => use.endpoint === secret.endpoint && use.fingerprint === secret.fingerprint),
      ),
    );
  });
}

function toSecretUse(secret: EndpointSecret, use: SecretUse | undefined): CheckedSecret {
  const { endpoint, index, isOnly, fingerprint, problem, repetition } = secret;
  const { deliveries, lastAt } = use ?? unused;
  const advice = problem === null ? toAdvice({ isNewest: index === 0, isOnly, deliveries }) : 'correct the secret';
  return { endpoint, place: index + 1, fingerprint, deliveries, lastAt, problem, advice: repetition ?? advice };
}

function toAdvice({
  isNewest,
  isOnly,
  deliveries,
}: {
  isNewest: boolean;
  isOnly: boolean;
  deliveries: number;
}): string {
  if (isNewest && deliveries > 0)
    return isOnly ? 'in use' : 'in use: remove the older secrets 24 hours after the rotation';
  if (isNewest)
    return isOnly
      ? 'no delivery yet; if the log of the receiver says no_match, the service signs with another secret, or a proxy changes the body: copy the secret of the receiver address'
      : 'no delivery yet: keep the older secrets';
  return deliveries > 0
    ? 'old: the sender signs with it for 24 hours after the rotation'
    : 'old and not used: remove it once the newest secret is in use';
}

export function toSecretsDocument(found: readonly CheckedSecret[]) {
  return found.map(({ lastAt, ...use }) => ({ ...use, last_at: lastAt }));
}

export function toSecretsText(found: readonly CheckedSecret[]): string {
  if (found.length === 0) return 'no secrets are configured: set replies.secrets or order_status.secrets';
  return found
    .map(({ endpoint, place, fingerprint, deliveries, lastAt, problem, advice }) =>
      problem === null
        ? `${endpoint}  ${place}  ${fingerprint}  ${deliveries} deliveries${lastAt === null ? '' : `, last ${lastAt}`}  ${advice}`
        : `${endpoint}  ${place}  ${toPrintable(problem)}`,
    )
    .join('\n');
}

const passwordLength = { least: 12, most: 200 };

/** A person types it twice. @throws {CommandError} */
export async function readPasswordHash(terminal: Terminal): Promise<string> {
  const { least, most } = passwordLength;
  const password = (await terminal.readHidden('Password:')) ?? '';
  if (password.length < least || password.length > most)
    throw new CommandError(
      `The password has ${password.length} characters, and must have ${least} to ${most}. Type another one, or write it as one line to stdin`,
      exitCodes.usage,
    );
  if (terminal.canAsk && (await terminal.readHidden('Again:')) !== password)
    throw new CommandError('The two passwords differ. Type the same one twice', exitCodes.usage);
  return hashPassword(password);
}
