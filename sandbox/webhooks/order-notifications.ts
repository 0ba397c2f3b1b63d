/** Tells an order's webhook_url of every status that the order reaches, without anybody polling (A60). */
import { refuseInput } from '../refusal.ts';
import type { Store } from '../store/sandbox-store.ts';
import { orderSecrets } from './send-attempt.ts';
import type { AskedBy } from './webhook-inputs.ts';
import { createOrderWatch, type OrderWatch } from './order-watch.ts';
import { checkPublicUrl } from '../../src/http/public-address.ts';
import { requireAdmin } from './roles.ts';
import { rotateSecrets } from './signing-secrets.ts';
import { toSecret, type SecretView } from './webhook-views.ts';
import type { WebhookParts } from './webhook-context.ts';

export interface OrderNotifications extends OrderWatch {
  /** Throws a Refusal (422) that names webhook_url. */
  readonly checkUrl: (webhookUrl: string | undefined) => void;
  /** What signs them, one for the whole organisation (A61). */
  readonly secret: (organizationId: string, by: AskedBy) => SecretView;
  readonly rotateSecret: (organizationId: string, by: AskedBy) => SecretView;
}

interface NotificationParts extends WebhookParts {
  readonly store: Store;
}

export function createOrderNotifications(parts: NotificationParts): OrderNotifications {
  const { clock, allowed, within, seed } = parts;
  return {
    ...createOrderWatch(parts),
    checkUrl(webhookUrl) {
      const refusal = webhookUrl === undefined ? null : checkPublicUrl(webhookUrl, { allowed });
      if (refusal) throw refuseInput('body', 'webhook_url', `webhook_url: ${refusal.reason}`, 'receiver_address');
    },
    secret: (organizationId, { role }) =>
      within(organizationId, (organization) => {
        requireAdmin(role);
        return toSecret(orderSecrets(organization, seed), clock.now());
      }),
    rotateSecret: (organizationId, { role }) =>
      within(organizationId, (organization) => {
        requireAdmin(role);
        const { id, webhooks } = organization;
        const rotated = rotateSecrets(orderSecrets(organization, seed), { seed, id }, clock.now());
        webhooks.signingSecrets.set(id, rotated);
        return toSecret(rotated, clock.now());
      }),
  };
}
