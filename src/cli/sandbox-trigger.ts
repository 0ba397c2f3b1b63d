import { replyClassifications } from '../service/contract/index.ts';
import { CommandError, exitCodes } from './terminal.ts';
import { requestControl, type ControlFlags } from './sandbox-control.ts';

export interface TriggerFlags extends ControlFlags {
  /** URL of the receiver. */
  readonly to: string;
  /** Default: the first organisation, whose key the sandbox printed at its start. */
  readonly organization?: string;
  /** A published order whose first contact replies. Default: an unknown person replies. */
  readonly order?: string;
}

const owner = { role: 'owner', added_by: 'owner@example.com' } as const;
const unknownSender = 'unknown@stranger.example';
const responseTimeoutMs = 30_000;

/** Simulates a reply, registers the receiver if needed, and waits for its response. */
export async function trigger(type: string, flags: TriggerFlags) {
  const classification = replyClassifications.find((known) => `reply.${known}` === type);
  if (classification === undefined) {
    const known = replyClassifications.map((one) => `reply.${one}`).join(', ');
    throw new CommandError(`The type must be one of ${known}, found ${type}`, exitCodes.usage);
  }
  const organization_id = flags.organization ?? (await firstOrganization(flags));
  const path = { organization_id };
  const address_id = await findOrAddAddress(flags, organization_id);
  // Each address has its own campaign, so one reply causes one delivery.
  const campaign_id = `trigger-${address_id}`;
  const { actions } = await requestControl(flags, (control) =>
    control.GET('/organizations/{organization_id}/actions', { params: { path } }),
  );
  if (!actions.some((action) => action.campaign_id === campaign_id)) {
    const body = { campaign_id, campaign_name: 'Trigger', flow_name: 'Trigger', address_id, added_by: owner.added_by };
    await requestControl(flags, (control) =>
      control.POST('/organizations/{organization_id}/actions', { params: { path }, body }),
    );
  }
  const from =
    flags.order === undefined ? { reply_from_email: unknownSender } : { prospect: { order_id: flags.order } };
  const body = { classification, campaign_id, thread_subject: 'Re: Trigger', reply_text: `This is ${type}.`, ...from };
  const { deliveries } = await requestControl(flags, (control) =>
    control.POST('/organizations/{organization_id}/replies', { params: { path }, body }),
  );
  const { secret } = await requestControl(flags, (control) =>
    control.GET('/organizations/{organization_id}/addresses/{address_id}/secret', {
      params: { path: { organization_id, address_id }, query: { role: 'owner' } },
    }),
  );
  const delivery_id = deliveries[0]?.delivery_id ?? '';
  return { secret, delivery: await awaitAttempt(flags, { organization_id, delivery_id }) };
}

type Triggered = Awaited<ReturnType<typeof trigger>>;

export function toTriggerText({ secret, delivery }: Triggered): string {
  const { delivery_id, state, reason, type, attempts } = delivery;
  const last = attempts.at(-1);
  const response = last === undefined ? 'not sent' : (last.status ?? last.error ?? 'no response');
  const isRefused = last?.status === 401 || last?.status === 403;
  return [
    `${type}  ${delivery_id}`,
    `  signed with  ${secret}`,
    `  response     ${response}${last?.text ? ` ${JSON.stringify(last.text.slice(0, 200))}` : ''}`,
    `  delivery     ${state}${reason === null ? '' : ` (${reason})`}${delivery.next_attempt_at === null ? '' : `, next attempt ${delivery.next_attempt_at}`}`,
    // The specification names both causes alike: "receiver wants a key".
    ...(isRefused
      ? [
          '  cause        the receiver rejects the signature, or requires a key. Set its secret (replies.secrets) to the one above',
        ]
      : []),
  ].join('\n');
}

async function firstOrganization(flags: ControlFlags): Promise<string> {
  const { organizations } = await requestControl(flags, (control) => control.GET('/organizations'));
  const [first] = organizations;
  if (!first)
    throw new CommandError('The sandbox has no organisation. Create one with POST /organizations of its control plane');
  return first.organization_id;
}

async function findOrAddAddress(flags: TriggerFlags, organization_id: string): Promise<string> {
  const path = { organization_id };
  const { addresses } = await requestControl(flags, (control) =>
    control.GET('/organizations/{organization_id}/addresses', { params: { path } }),
  );
  const known = addresses.find(({ url }) => url === flags.to);
  if (known) return known.address_id;
  const body = { ...owner, url: flags.to };
  const added = await requestControl(flags, (control) =>
    control.POST('/organizations/{organization_id}/addresses', { params: { path }, body }),
  );
  return added.address_id;
}

/** The delivery after its first attempt, or when no attempt will follow. */
async function awaitAttempt(flags: ControlFlags, path: { organization_id: string; delivery_id: string }) {
  const until = performance.now() + responseTimeoutMs;
  for (;;) {
    const delivery = await requestControl(flags, (control) =>
      control.GET('/organizations/{organization_id}/deliveries/{delivery_id}', { params: { path } }),
    );
    if (delivery.attempts.length > 0 || delivery.state !== 'pending' || performance.now() > until) return delivery;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
