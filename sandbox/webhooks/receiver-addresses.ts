/** Receiver addresses of an organisation ("Setup rules", 1, 2 and 4). */
import { Refusal } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import { addressIdOf, openDeliveriesTo, openReplies } from './delivery-consequences.ts';
import { toEnded } from './delivery-state.ts';
import { keyHeaderRules, type AddressInput, type CallerRole, type KeyChange, requireAdmin } from './webhook-inputs.ts';
import { checkPublicUrl } from '../../src/base/http/public-address.ts';
import type { StoredAddress, StoredDelivery, StoredSecrets } from '../state/webhook-records.ts';
import { firstSecrets, rotateSecrets } from './signing-secrets.ts';
import { toAddress, toSecret, type AddressView, type SecretView } from './webhook-views.ts';
import type { SecretStore } from './secret-store.ts';
import type { WebhookContext } from './webhook-context.ts';

/** Methods with a role are for owners and admins only; others get a 403. */
export interface Addresses {
  /** Throws a Refusal (422) for an address or a header that is not permitted. */
  add(organizationId: string, input: AddressInput): AddressView;
  changeKey(organizationId: string, addressId: string, change: KeyChange): AddressView;
  secret(organizationId: string, addressId: string, by: CallerRole): SecretView;
  rotateSecret(organizationId: string, addressId: string, by: CallerRole): SecretView;
  /** Throws a Refusal (409) while an action uses it. Its pending deliveries fail (A76). */
  remove(organizationId: string, addressId: string, by: CallerRole): void;
  get(organizationId: string, addressId: string): AddressView;
  list(organizationId: string): AddressView[];
}

const ownMachine =
  'For a receiver on this machine, start the sandbox with: prospect-sync sandbox --allow-receiver 127.0.0.1/32';

export function createAddresses({
  withOrganization,
  seed,
  clock,
  allowed,
  sender,
  secretStore,
}: WebhookContext): Addresses {
  return {
    add: (organizationId, input) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(input.role);
        const refusal = checkPublicUrl(input.url, { allowed });
        if (refusal)
          throw refuseRule('RECEIVER_ADDRESS_REFUSED', `The receiver address ${refusal.reason}. ${ownMachine}`);
        const key = encryptKey(input.key_header ?? null, secretStore);
        const id = organization.nextId('receiver address');
        const address = newAddress({ id, url: input.url, key, addedBy: input.added_by, createdAt: clock.now() });
        organization.webhooks.addresses.set(id, address);
        organization.webhooks.signingSecrets.set(id, firstSecrets({ seed, id }));
        return show(organization, address);
      }),
    changeKey: (organizationId, addressId, { role, key_header }) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(role);
        const address = { ...findAddress(organization, addressId), key: encryptKey(key_header, secretStore) };
        organization.webhooks.addresses.set(addressId, address);
        return show(organization, address);
      }),
    secret: (organizationId, addressId, { role }) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(role);
        return toSecret(findSecrets(organization, addressId), clock.now());
      }),
    rotateSecret: (organizationId, addressId, { role }) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(role);
        const now = clock.now();
        const rotated = rotateSecrets(findSecrets(organization, addressId), { seed, id: addressId }, now);
        organization.webhooks.signingSecrets.set(addressId, rotated);
        return toSecret(rotated, now);
      }),
    remove: (organizationId, addressId, { role }) =>
      withOrganization(organizationId, (organization) => {
        requireAdmin(role);
        requireUnused(organization, findAddress(organization, addressId));
        organization.webhooks.addresses.delete(addressId);
        organization.webhooks.signingSecrets.delete(addressId);
        for (const delivery of openDeliveriesTo(organization, addressId)) {
          sender.save(organization, toEnded(delivery, 'failed', 'address_removed'));
        }
      }),
    get: (organizationId, addressId) =>
      withOrganization(organizationId, (organization) => show(organization, findAddress(organization, addressId))),
    list: (organizationId) =>
      withOrganization(organizationId, (organization) => {
        const kept = Map.groupBy(keptReplies(organization), addressIdOf);
        return organization.webhooks.addresses
          .values()
          .map((address) => toAddress(address, kept.get(address.id)?.length ?? 0));
      }),
  };
}

export function findAddress(organization: Organization, id: string): StoredAddress {
  const address = organization.webhooks.addresses.get(id);
  if (address) return address;
  throw new Refusal(404, { code: 'RECEIVER_ADDRESS_NOT_FOUND', message: 'No such receiver address.' });
}

/** Throws a Refusal (409) if the address is paused. */
export function requireActive(address: StoredAddress): void {
  if (address.state === 'active') return;
  const message = 'The receiver address is paused; send a test and resume first.';
  throw new Refusal(409, { code: 'RECEIVER_ADDRESS_PAUSED', message });
}

function show(organization: Organization, address: StoredAddress): AddressView {
  return toAddress(address, keptReplies(organization).filter((reply) => addressIdOf(reply) === address.id).length);
}

function keptReplies(organization: Organization): StoredDelivery[] {
  return openReplies(organization).filter(({ state }) => state === 'kept');
}

function newAddress(address: Pick<StoredAddress, 'id' | 'url' | 'key' | 'addedBy' | 'createdAt'>): StoredAddress {
  return { ...address, state: 'active', pausedBecause: null, failing: null };
}

function findSecrets(organization: Organization, addressId: string): StoredSecrets {
  const { id } = findAddress(organization, addressId);
  const secrets = organization.webhooks.signingSecrets.get(id);
  if (!secrets) throw new Error('the address has no secrets');
  return secrets;
}

function requireUnused({ webhooks }: Organization, { id }: StoredAddress): void {
  if (!webhooks.actions.values().some(({ addressId }) => addressId === id)) return;
  throw new Refusal(409, { code: 'RECEIVER_ADDRESS_IN_USE', message: 'An action uses this address.' });
}

function encryptKey(header: KeyChange['key_header'], secretStore: SecretStore): StoredAddress['key'] {
  if (header === null) return null;
  const problem = findKeyHeaderProblem(header);
  if (problem !== null) throw refuseRule('KEY_HEADER_REFUSED', `The header ${problem}.`);
  return { name: header.name, sealed: secretStore.encrypt(header.value) };
}

function refuseRule(code: string, message: string): Refusal {
  return new Refusal(422, { code, message });
}

/** The header with which a receiver requires its own key ("Setup rules", 2). */

/** Headers of the webhook request itself, and of the connection (A72). */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const reservedPrefixes = ['webhook-', 'proxy-', 'sec-'];

/** Completes "The header …"; null if the header can be sent. The text never contains the value. */
function findKeyHeaderProblem({ name, value }: { readonly name: string; readonly value: string }): string | null {
  const lower = name.toLowerCase();
  if (!keyHeaderRules.name.test(name) || name.length > keyHeaderRules.longestName)
    return 'name is not a valid HTTP header name';
  if (reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return 'name is reserved: the webhook request uses it';
  }
  if (value.length > keyHeaderRules.longestValue)
    return `value is longer than ${keyHeaderRules.longestValue} characters`;
  return keyHeaderRules.value.test(value) ? null : 'value is empty or contains characters that are not printable ASCII';
}
