import { createHmac } from 'node:crypto';
import { answer, check, createWebhookService, day, timeout, wall } from '../sandbox/webhooks/webhook-harness.ts';

const url = 'https://other.receiver.example/in';
const nowSeconds = Math.floor(wall / 1_000);

/** One reply as it was sent, with the service that sent it. */
async function sendReply() {
  const service = createWebhookService();
  service.receive({ reply_text: 'Grüße' });
  await service.wait(0);
  const [sent] = service.sent;
  if (!sent) throw new Error('nothing was sent');
  return { ...service, request: sent.request, headers: new Headers(sent.headers), text: sent.text };
}

function signatureOf(headers: Headers, body: string, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const content = `${headers.get('webhook-id')}.${headers.get('webhook-timestamp')}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

describe('Setup rules', () => {
  it('1: an address is public https without user name and password', () => {
    const { webhooks, organizationId } = createWebhookService();
    const add = (url: string) => webhooks.addresses.add(organizationId, { role: 'admin', added_by: 'Olga', url });
    expect(add(url).url).toBe(url);
    for (const refused of [
      'http://other.receiver.example',
      'https://10.0.0.1/in',
      'https://user:pass@receiver.example',
    ])
      expect(() => add(refused)).toThrow(expect.objectContaining({ status: 422 }));
  });

  it('2: the key is sent in its header and never shown again', async () => {
    const { webhooks, organizationId, addressId, receive, wait, sent, address } = createWebhookService();
    const key_header = { name: 'X-Key', value: 'open sesame' };
    webhooks.addresses.changeKey(organizationId, addressId, { role: 'admin', key_header });
    receive();
    await wait(0);
    expect(sent[0]?.headers['X-Key']).toBe('open sesame');
    expect(address().key_header).toBe('X-Key');
    expect(JSON.stringify([address(), webhooks.deliveries.list(organizationId)])).not.toContain('sesame');
  });

  it('3: Send test sends a marked sample with a value in every field; saving sends nothing', async () => {
    const { webhooks, organizationId, actionId, addressId, wait, sent, newest } = createWebhookService();
    webhooks.actions.change(organizationId, actionId, { address_id: addressId });
    webhooks.addresses.add(organizationId, { role: 'admin', added_by: 'Olga', url });
    await wait(day);
    expect(sent).toEqual([]);
    await webhooks.replies.sendTest(organizationId, actionId);
    expect(sent.map(({ body }) => body.test)).toEqual([true]);
    expect(Object.values(newest())).not.toContain('');
  });

  it('4: only owners and admins change addresses and see secrets; every action may use each address', () => {
    const { webhooks, organizationId, addressId, actionId } = createWebhookService();
    const { addresses, actions } = webhooks;
    const member = { role: 'member' } as const;
    for (const attempt of [
      () => addresses.add(organizationId, { ...member, added_by: 'Max', url }),
      () => addresses.changeKey(organizationId, addressId, { ...member, key_header: null }),
      () => addresses.secret(organizationId, addressId, member),
      () => addresses.remove(organizationId, addressId, member),
    ])
      expect(attempt).toThrow(expect.objectContaining({ status: 403 }));
    const { address_id } = addresses.add(organizationId, { role: 'admin', added_by: 'Olga', url });
    actions.add(organizationId, { campaign_id: 'winter', added_by: 'Anna', address_id });
    actions.change(organizationId, actionId, { address_id });
    const remove = (id: string) => addresses.remove(organizationId, id, { role: 'admin' });
    expect(() => remove(address_id)).toThrow(expect.objectContaining({ status: 409 }));
    remove(addressId);
    expect(addresses.list(organizationId)).toMatchObject([{ address_id }]);
  });
});

describe('Request sent to the receiver, Rules', () => {
  it('1: prospect and company fields are filled for the address of a delivered prospect, and empty for others', async () => {
    const service = createWebhookService();
    const profile_id = await service.createProfile();
    const id = await service.finishOrder({ order_type: 'DISCOVERY', profile_id, briefing_quantity: 1 });
    const [{ company }] = await service.readSlots(id);
    const [{ email, full_name }] = company.prospects;
    const known = { prospect_email: email, prospect_full_name: full_name, company_name: company.name };
    for (const [reply_from_email, data] of [
      [email, known],
      ['somebody@elsewhere.example', { prospect_email: '', prospect_full_name: '', company_name: '' }],
    ]) {
      service.receive({ reply_from_email });
      await service.wait(0);
      expect(service.newest()).toMatchObject(data);
    }
  });

  it('2: reply_text is the reply as it was delivered, cut at 10,000 characters, and says so', async () => {
    const { receive, wait, newest } = createWebhookService();
    const reply = '> quoted\r\n\tGrüße 🏭';
    for (const [reply_text, found, isCut] of [
      [reply, reply, false],
      ['x'.repeat(10_001), 'x'.repeat(10_000), true],
    ] as const) {
      receive({ reply_text });
      await wait(0);
      expect([newest().reply_text, newest().reply_text_truncated]).toEqual([found, isCut]);
    }
  });

  it('4: repeats of a delivery have its id, so that a receiver can drop them', async () => {
    const { receive, wait, sent } = createWebhookService({ answers: () => answer(503) });
    receive();
    await wait(day);
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1);
  });
});

/** Changing a name in this list needs another api_version. */
const fieldsOfVersion = {
  '2026-11-01': `api_version data id test timestamp type app_url campaign_id campaign_name classification
    classification_reason company_country company_name company_website flow_name prospect_email
    prospect_first_name prospect_full_name prospect_job_title prospect_last_name reply_from_email
    reply_received_at reply_text reply_text_truncated sent_from_email thread_subject`.split(/\s+/),
};

describe.each([
  ['Request sent to the receiver, Rules', '3'],
  ['Versioning', 'within one api_version fields are never renamed or removed'],
])('%s', (_, name) => {
  it(`${name}: the body has the fields of its api_version`, async () => {
    const body = JSON.parse((await sendReply()).text);
    const fields = [...Object.keys(body).toSorted(), ...Object.keys(body.data).toSorted()];
    expect({ [body.api_version]: fields }).toEqual(fieldsOfVersion);
  });
});

describe('Signature', () => {
  it('1: the signed content is id, timestamp and raw body, joined with dots', async () => {
    const { headers, text, secret } = await sendReply();
    expect(headers.get('webhook-signature')).toBe(signatureOf(headers, text, secret()));
  });

  it('2: the key is the base64-decoded secret after whsec_', async () => {
    const { headers, text, secret } = await sendReply();
    expect(secret()).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
    const undecoded = Buffer.from(secret().replace('whsec_', '')).toString('base64');
    expect(headers.get('webhook-signature')).not.toBe(signatureOf(headers, text, `whsec_${undecoded}`));
  });

  it('3: each entry counts, and a timestamp more than five minutes away is refused', async () => {
    const { request, headers, secret } = await sendReply();
    const signature = `v1,${Buffer.alloc(32).toString('base64')} ${headers.get('webhook-signature')}`;
    const withTwo = { ...request, headers: { ...request.headers, 'webhook-signature': signature } };
    expect(check(withTwo, secret())).toBe('verified');
    const at = (seconds: number) => check(request, secret(), nowSeconds + seconds);
    expect([at(300), at(301), at(-301)]).toEqual(['verified', 'timestamp_too_old', 'timestamp_too_new']);
  });

  it('4: the same JSON in other bytes does not verify', async () => {
    const { request, text, secret } = await sendReply();
    const body = new TextEncoder().encode(JSON.stringify(JSON.parse(text), null, 1));
    expect(check({ ...request, body }, secret())).toBe('no_match');
  });

  it('5: for 24 hours after a rotation two secrets sign, the new one first', async () => {
    const { webhooks, organizationId, addressId, receive, wait, sent, secret } = await sendReply();
    const old = secret();
    webhooks.addresses.rotateSecret(organizationId, addressId, { role: 'owner' });
    for (const [seconds, secrets] of [
      [0, [secret(), old]],
      [day, [secret()]],
    ] as const) {
      await wait(seconds);
      receive();
      await wait(0);
      const headers = new Headers(sent.at(-1)?.headers);
      const expected = secrets.map((each) => signatureOf(headers, sent.at(-1)?.text ?? '', each));
      expect(headers.get('webhook-signature')).toBe(expected.join(' '));
    }
  });
});

describe('Authentication', () => {
  it('8: a receiver can verify the signature, and can ask for a header of its own', async () => {
    const { webhooks, organizationId, addressId, receive, wait, sent, secret } = createWebhookService();
    const key_header = { name: 'Authorization', value: 'Bearer receiver' };
    webhooks.addresses.changeKey(organizationId, addressId, { role: 'owner', key_header });
    receive();
    await wait(0);
    expect(check(sent[0]?.request, secret())).toBe('verified');
    expect(sent[0]?.headers['Authorization']).toBe('Bearer receiver');
  });
});

describe('Receiver answers and retries', () => {
  it('The receiver must answer with any 2xx within 15 seconds: anything else is no delivery', async () => {
    for (const [reply, state] of [
      [answer(202), 'delivered'],
      [timeout, 'failed'],
      [answer(404), 'failed'],
    ] as const) {
      const { receive, wait, deliveries } = createWebhookService({ answers: () => reply });
      receive();
      await wait(day);
      expect(deliveries()).toMatchObject([{ state }]);
    }
  });
});
