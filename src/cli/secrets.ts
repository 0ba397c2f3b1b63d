/** Signing secrets of webhooks, and the open steps of a rotation. */
import type { SecretReference } from '../config/reply-settings.ts';
import type { ReplyStore } from '../ledger/reply-store.ts';
import { tryToLoadSecret } from '../replies/webhook-secrets.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { GlobalOptions } from './configuration.ts';
import { withLedger } from './data-folder.ts';
import type { Terminal } from './terminal.ts';

/** A configured secret, and its use by the ledger. */
export interface SecretUse {
  readonly endpoint: 'replies' | 'order_status';
  /** 1: the newest. */
  readonly place: number;
  readonly fingerprint: string | null;
  readonly deliveries: number;
  readonly lastAt: string | null;
  readonly problem: string | null;
  /** Open steps of a rotation. */
  readonly advice: string;
}

type WebhookSecretUse = Awaited<ReturnType<ReplyStore['secretUses']>>[number];

const unused = { deliveries: 0, lastAt: null } as const;

export async function checkSecrets(terminal: Terminal, options: GlobalOptions): Promise<SecretUse[]> {
  return withLedger(terminal, options, async (ledger, config) => {
    const uses = await ledger.replies.secretUses();
    const endpoints = [
      ['replies', config.replies.secrets],
      ['order_status', config.orderStatus.secrets],
    ] as const;
    const checked = endpoints.flatMap(([endpoint, references]) =>
      references.map((reference, index) =>
        checkSecret(
          reference,
          { endpoint, index, isOnly: references.length === 1 },
          uses.filter((use) => use.endpoint === endpoint),
        ),
      ),
    );
    return Promise.all(checked);
  });
}

interface SecretPlace {
  readonly endpoint: SecretUse['endpoint'];
  readonly index: number;
  readonly isOnly: boolean;
}

async function checkSecret(
  reference: SecretReference,
  { endpoint, index, isOnly }: SecretPlace,
  uses: readonly WebhookSecretUse[],
): Promise<SecretUse> {
  const common = { endpoint, place: index + 1 };
  const { secret, problem } = await tryToLoadSecret(reference);
  if (secret === null) return { ...common, fingerprint: null, ...unused, problem, advice: 'correct the secret' };
  const { deliveries, lastAt } = uses.find(({ fingerprint }) => fingerprint === secret.fingerprint) ?? unused;
  const advice = toAdvice({ isNewest: index === 0, isOnly, deliveries });
  return { ...common, fingerprint: secret.fingerprint, deliveries, lastAt, problem: null, advice };
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
      ? 'no delivery yet; if the log of the receiver says no_match, the service signs with another secret: copy that of the receiver address'
      : 'no delivery yet: keep the older secrets';
  return deliveries > 0
    ? 'old: the sender signs with it for 24 hours after the rotation'
    : 'old and not used: remove it once the newest secret is in use';
}

export function toSecretsDocument(found: readonly SecretUse[]) {
  return found.map(({ lastAt, ...use }) => ({ ...use, last_at: lastAt }));
}

export function toSecretsText(found: readonly SecretUse[]): string {
  if (found.length === 0) return 'no secrets are configured: set replies.secrets or order_status.secrets';
  return found
    .map(({ endpoint, place, fingerprint, deliveries, lastAt, problem, advice }) =>
      problem === null
        ? `${endpoint}  ${place}  ${fingerprint}  ${deliveries} deliveries${lastAt === null ? '' : `, last ${lastAt}`}  ${advice}`
        : `${endpoint}  ${place}  ${toPrintable(problem)}`,
    )
    .join('\n');
}
