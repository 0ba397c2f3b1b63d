/** Campaign actions of type send-to-a-webhook: they forward replies to an address. Saving an action sends nothing. */
import { replyClassifications } from '../../src/service/contract/index.ts';
import { Refusal } from '../service-refusal.ts';
import type { Organization } from '../state/organization.ts';
import { findAddress } from './receiver-addresses.ts';
import type { ActionChange, ActionInput } from './webhook-inputs.ts';
import type { ReplyClassification, StoredAction } from '../state/webhook-records.ts';
import { toAction, type ActionView } from './webhook-views.ts';
import type { WebhookContext } from './webhook-context.ts';

export interface Actions {
  /** Throws a Refusal (404) for an address that the organisation does not have. */
  add(organizationId: string, input: ActionInput): ActionView;
  change(organizationId: string, actionId: string, change: ActionChange): ActionView;
  remove(organizationId: string, actionId: string): void;
  get(organizationId: string, actionId: string): ActionView;
  list(organizationId: string): ActionView[];
}

export function createActions({
  withOrganization,
  clock,
  domains,
}: Pick<WebhookContext, 'withOrganization' | 'clock' | 'domains'>): Actions {
  const save = (organization: Organization, action: StoredAction): ActionView => {
    organization.webhooks.actions.set(action.id, action);
    return show(organization, action);
  };
  return {
    add: (organizationId, input) =>
      withOrganization(organizationId, (organization) => {
        // Replies look up companies that were delivered before the action existed.
        void domains.list(organization);
        return save(organization, {
          id: organization.nextId('webhook action'),
          campaignId: input.campaign_id,
          campaignName: input.campaign_name ?? '',
          flowName: input.flow_name ?? '',
          addressId: findAddress(organization, input.address_id).id,
          classifications: input.classifications ?? [...replyClassifications],
          addedBy: input.added_by,
          createdAt: clock.now(),
        });
      }),
    change: (organizationId, actionId, change) =>
      withOrganization(organizationId, (organization) => {
        const action = findAction(organization, actionId);
        const addressId = change.address_id ?? action.addressId;
        return save(organization, {
          ...action,
          campaignName: change.campaign_name ?? action.campaignName,
          flowName: change.flow_name ?? action.flowName,
          addressId: findAddress(organization, addressId).id,
          classifications: change.classifications ?? action.classifications,
        });
      }),
    remove: (organizationId, actionId) =>
      withOrganization(organizationId, (organization) => {
        organization.webhooks.actions.delete(findAction(organization, actionId).id);
      }),
    get: (organizationId, actionId) =>
      withOrganization(organizationId, (organization) => show(organization, findAction(organization, actionId))),
    list: (organizationId) =>
      withOrganization(organizationId, (organization) =>
        organization.webhooks.actions.values().map((action) => show(organization, action)),
      ),
  };
}

export function findAction(organization: Organization, id: string): StoredAction {
  const action = organization.webhooks.actions.get(id);
  if (action) return action;
  throw new Refusal(404, { code: 'WEBHOOK_ACTION_NOT_FOUND', message: 'No such action.' });
}

function show(organization: Organization, action: StoredAction): ActionView {
  return toAction(action, findAddress(organization, action.addressId));
}

/** Oldest first. */
export function actionsFor(
  { webhooks }: Organization,
  { campaignId, classification }: { campaignId: string; classification: ReplyClassification },
): StoredAction[] {
  return webhooks.actions
    .values()
    .filter((action) => action.campaignId === campaignId && action.classifications.includes(classification));
}
