/** Check of `doctor` on the signing secrets of webhooks, which `receive` reads when it starts. */
import type { Config } from '../../config/config.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { tryToLoadSecret } from '../../replies/webhook-secrets.ts';

export async function checkSigningSecrets({ replies, orderStatus }: Config): Promise<Check[]> {
  const secrets = [
    ...replies.secrets.map((reference, index) => ({ reference, setting: `replies.secrets[${index}]` })),
    ...orderStatus.secrets.map((reference, index) => ({ reference, setting: `order_status.secrets[${index}]` })),
  ];
  return Promise.all(
    secrets.map(async ({ reference, setting }): Promise<Check> => {
      const { problem } = await tryToLoadSecret(reference);
      const check = 'signing secret';
      if (problem === null) return { check, state: 'ok', message: `it can be read (${setting})` };
      return { check, state: 'problem', message: `${problem} (${setting})` };
    }),
  );
}
