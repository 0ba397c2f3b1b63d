import type { Clock } from '../clock.ts';
import type { Publications } from '../results/publications.ts';
import type { Organization } from '../state/organization.ts';
import type { DeliveredDomains } from './delivered-domains.ts';
import type { AddressAllowance } from '../../src/base/http/public-address.ts';
import type { Sender } from './webhook-sender.ts';
import type { SecretStore } from './secret-store.ts';
import type { WithOrganization } from '../state/with-organization.ts';

/** Dependencies that addresses, actions, replies and deliveries share. */
export interface WebhookContext {
  readonly withOrganization: WithOrganization;
  readonly seed: number;
  readonly clock: Clock;
  readonly publications: Publications;
  readonly domains: DeliveredDomains;
  readonly allowed: AddressAllowance;
  readonly sender: Sender;
  readonly secretStore: SecretStore;
  /** Whether replies of an organisation have an unknown classification. */
  readonly sendsUnknownReplyTypes: (organization: Organization) => boolean;
}
