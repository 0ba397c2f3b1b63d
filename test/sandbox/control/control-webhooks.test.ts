import type { Deliver } from '../../../sandbox/webhooks/send-attempt.ts';

type WebhookRequest = Parameters<Deliver>[0];
import { createTestControl } from './control-harness.ts';

const owner = { role: 'owner', added_by: 'owner@example.com' } as const;

/** A receiver that answers as it is told, and an action that forwards every reply to it. */
async function receiving(answers: number[]) {
  const received: WebhookRequest[] = [];
  const deliver = async (request: WebhookRequest) => {
    received.push(request);
    return { kind: 'answer', status: answers.shift() ?? 200, text: 'ok', location: null, retryAfter: null } as const;
  };
  const { control, ...service } = createTestControl({ receivers: { deliver } });
  const path = { organization_id: service.organizationId };
  const { data: address } = await control.POST('/organizations/{organization_id}/addresses', {
    params: { path },
    body: { ...owner, url: 'https://hooks.example.com/replies', key_header: { name: 'x-key', value: 'hidden' } },
  });
  const address_id = address?.address_id ?? '';
  const { data: action } = await control.POST('/organizations/{organization_id}/actions', {
    params: { path },
    body: { campaign_id: 'c', address_id, added_by: owner.added_by },
  });
  const reply = () =>
    control.POST('/organizations/{organization_id}/replies', {
      params: { path },
      body: {
        classification: 'interested',
        campaign_id: 'c',
        reply_from_email: 'a@stranger.example',
        reply_text: 'Yes',
      },
    });
  return { ...service, control, path, address, address_id, action_id: action?.action_id ?? '', reply, received };
}

describe('webhooks through the control plane', () => {
  it('forwards a reply, retries it on the clock, and shows every attempt with its answer', async () => {
    const { control, path, reply, received } = await receiving([503, 202]);
    const { data } = await reply();
    expect(data?.deliveries).toMatchObject([{ type: 'reply.interested', state: 'pending', attempts: [] }]);
    await control.POST('/clock', { body: { advance: 'PT2M' } });
    const query = { state: 'delivered', timeout_ms: 1_000 } as const;
    const waited = await control.GET('/organizations/{organization_id}/deliveries/wait', { params: { path, query } });
    expect(waited.data).toMatchObject({
      satisfied: true,
      deliveries: [
        {
          attempts: [
            { number: 1, status: 503 },
            { number: 2, status: 202, text: 'ok' },
          ],
        },
      ],
    });
    expect(received).toHaveLength(2);
  });

  it('never shows the value of a key header', async () => {
    const { control, path, address } = await receiving([]);
    expect(address?.key_header).toBe('x-key');
    const { data } = await control.GET('/organizations/{organization_id}/addresses', { params: { path } });
    expect(JSON.stringify(data)).not.toContain('hidden');
  });

  it('shows secrets to owners and admins only, and rotates them', async () => {
    const { control, path, address_id } = await receiving([]);
    const secret = async (role: 'owner' | 'member') =>
      control.GET('/organizations/{organization_id}/addresses/{address_id}/secret', {
        params: { path: { ...path, address_id }, query: { role } },
      });
    const { data: before } = await secret('owner');
    expect((await secret('member')).response.status).toBe(403);
    await control.POST('/organizations/{organization_id}/addresses/{address_id}/secret', {
      params: { path: { ...path, address_id } },
      body: { role: 'admin' },
    });
    const { data: after } = await secret('owner');
    expect(after?.secret).not.toBe(before?.secret);
    expect(after?.older).toEqual([{ expires_at: '2026-11-21T12:00:00.000000Z' }]);
  });

  it('pauses on 410, keeps replies, resumes by a test, and sends kept replies on request', async () => {
    const { control, path, action_id, address_id, reply, received } = await receiving([410]);
    await reply();
    await control.POST('/clock', { body: { advance: 'PT1S' } });
    await reply();
    const state = async () => {
      const { data } = await control.GET('/organizations/{organization_id}/addresses', { params: { path } });
      return [data?.addresses[0]?.state, data?.addresses[0]?.kept_replies];
    };
    expect(await state()).toEqual(['paused', 1]);
    const resumed = await control.POST('/organizations/{organization_id}/actions/{action_id}/test-and-resume', {
      params: { path: { ...path, action_id } },
      body: { role: 'admin' },
    });
    expect(resumed.data).toMatchObject({ kind: 'test', state: 'delivered' });
    expect(await state()).toEqual(['active', 1]);
    await control.POST('/organizations/{organization_id}/kept-replies', { params: { path }, body: { address_id } });
    await control.POST('/clock', { body: { advance: 'PT1S' } });
    expect(await state()).toEqual(['active', 0]);
    expect(received).toHaveLength(3);
    const { data: notices } = await control.GET('/organizations/{organization_id}/notices', { params: { path } });
    expect(notices?.notices.map(({ kind }) => kind).toSorted()).toEqual(['address_paused', 'delivery_failed']);
  });

  it('resends a failed delivery with the same id, and injects delivery faults', async () => {
    const { control, path, reply, received } = await receiving([404, 200]);
    const { data } = await reply();
    await control.POST('/clock', { body: { advance: 'PT1S' } });
    const delivery_id = data?.deliveries[0]?.delivery_id ?? '';
    await control.POST('/delivery-faults', { body: { kind: 'wrong_signature', times: 1 } });
    await control.POST('/organizations/{organization_id}/deliveries/{delivery_id}/resend', {
      params: { path: { ...path, delivery_id } },
    });
    await control.POST('/clock', { body: { advance: 'PT1S' } });
    const [first, second] = received.map(({ headers }) => headers);
    expect(second?.['webhook-id']).toBe(first?.['webhook-id']);
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature']);
  });

  it('refuses what the dashboard of the service refuses', async () => {
    const { control, path, address_id } = await receiving([]);
    const refused = await control.POST('/organizations/{organization_id}/addresses', {
      params: { path },
      body: { ...owner, url: 'https://10.0.0.1/x' },
    });
    expect([refused.response.status, refused.error?.code]).toEqual([422, 'RECEIVER_ADDRESS_REFUSED']);
    const used = await control.DELETE('/organizations/{organization_id}/addresses/{address_id}', {
      params: { path: { ...path, address_id }, query: { role: 'owner' } },
    });
    expect(used.response.status).toBe(409);
  });
});

describe('sheets through the control plane', () => {
  it('reads the rows of a Google Sheets output', async () => {
    const { control, path, ask, createProfile, finishOrder, advance } = await receiving([]);
    const order = { order_type: 'DISCOVERY', profile_id: await createProfile(), briefing_quantity: 3 };
    const id = await finishOrder(order);
    const params = { path: { ...path, spreadsheet_id: 'my-sheet' }, query: { limit: 2 } };
    const read = () => control.GET('/organizations/{organization_id}/sheets/{spreadsheet_id}', { params });
    expect((await read()).response.status).toBe(404);
    await ask('POST', `/orders/${id}/outputs`, { output_type: 'google_sheets', spreadsheet_id: 'my-sheet' });
    await advance(60);
    const { data } = await read();
    expect(data).toMatchObject({ total: 3, header: expect.arrayContaining(['Position', 'Company Name']) });
    expect(data?.rows).toHaveLength(2);
  });
});
