import { isDeepStrictEqual } from 'node:util';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createControlClient } from '../../sandbox/control/control-client.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { firstOrganization, forwardReplies } from '../helpers/campaign.ts';
import { startReceiverProcess, type ReceiverProcess } from '../helpers/receiver-process.ts';
import { decodeHistory } from '../helpers/histories.ts';
import { reply as replyBody } from '../replies/reply-body.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { until } from '../helpers/until.ts';
import { parseSecret, sign, signatureHeaders } from '../../src/replies/webhook-signature.ts';
import { itOfAll } from '../helpers/sample.ts';

let project: ExampleProject;
let receiver: ReceiverProcess;
let sender: Awaited<ReturnType<typeof connect>>;
/** The order whose people reply. */
let order_id: string;
const secretWord = 'never again, thank you';

beforeAll(async () => {
  project = await startExampleProject({ flags: ['--allow-receiver', '127.0.0.1/32'] });
  const config = path.join(project.folder, 'prospect-sync.yaml');
  await writeFile(config, (await readFile(config, 'utf8')).replace('briefing_quantity: 300', 'briefing_quantity: 20'));
  const first = await command('run', 'demo-discovery');
  order_id = first.document.orders[0].order_id;
  sender = await connect();
});
afterAll(async () => {
  receiver?.kill();
  await project?.stop();
});

/** The address, its secret, and a running receiver. */
async function connect() {
  const control = createControlClient({ baseUrl: project.control.url });
  const params = await firstOrganization(control);
  await appendFile(
    path.join(project.folder, 'prospect-sync.yaml'),
    'replies:\n  secrets: [{file: reply-secret}, {file: older-secret}]\n  suppress: company\n  classes: {out_of_office: {note: false, lead_status: ATTEMPTED_TO_CONTACT}}\n',
  );
  await writeSecret('reply-secret', `whsec_${Buffer.alloc(32).toString('base64')}`);
  await writeSecret('older-secret', `whsec_${Buffer.alloc(32, 1).toString('base64')}`);
  receiver = await startReceiverProcess(project.folder, project.env);
  const { replies, orders } = receiver;
  expect(orders.url).toBeNull();
  const secret = await forwardReplies(control, params, { campaign_id: 'autumn', url: replies.url });
  await writeSecret('reply-secret', secret);
  await untilRead(secret);
  return { control, params };
}

/** The receiver reads the files of its secrets again when they change. It then answers 503 instead of 401 to a signature of another time. */
async function untilRead(secret: string): Promise<void> {
  const message = { id: 'probe', timestampSeconds: 1, body: Buffer.from('{}') };
  const headers = {
    [signatureHeaders.id]: message.id,
    [signatureHeaders.timestamp]: String(message.timestampSeconds),
    [signatureHeaders.signature]: sign({ ...message, secrets: [parseSecret(secret)] }),
  };
  const send = () => fetch(receiver.replies.url, { method: 'POST', body: message.body, headers });
  await until(async () => (await send()).status === 503);
}

const writeSecret = (file: string, secret: string) => writeFile(path.join(project.folder, file), `${secret}\n`);

/** @returns the webhook id */
async function sendReply(classification: 'do_not_contact' | 'out_of_office', position = 0): Promise<string> {
  const { control, params } = sender;
  const { data } = await control.POST('/organizations/{organization_id}/replies', {
    params,
    body: {
      classification,
      campaign_id: 'autumn',
      prospect: { order_id, input_position: position },
      reply_text: secretWord,
    },
  });
  return data?.deliveries[0]?.delivery_id ?? '';
}

const command = async (...args: string[]) => {
  const { code, stdout, stderr } = await project.command(...args, '--json');
  return { code, stderr, document: stdout === '' ? null : JSON.parse(stdout) };
};

async function untilProcessed(webhookId: string) {
  return until(
    async () => {
      const { document, code, stderr } = await command('replies', 'list');
      if (code !== 0) throw new Error(`${stderr} ${JSON.stringify(document)}`);
      const found = document.find((reply: { webhook_id: string }) => reply.webhook_id === webhookId);
      return found !== undefined && found.state !== 'received' && found;
    },
    () => receiver.said(),
  );
}

async function leadStatusOf(contactId: string): Promise<unknown> {
  const { url, token } = project.hubspot;
  const place = `${url}/crm/v3/objects/contacts/${contactId}?properties=hs_lead_status`;
  const answer = await fetch(place, { headers: { authorization: `Bearer ${token}` } });
  const { properties } = (await answer.json()) as { properties: { hs_lead_status: string | null } };
  return properties.hs_lead_status;
}

async function blacklistedSites(): Promise<string[]> {
  const { url, apiKey } = project.service;
  const headers = { authorization: `Bearer ${apiKey}` };
  // Tests may read any field; the sandbox itself checks answers against the contract.
  // oxlint-disable-next-line typescript/no-explicit-any
  const read = async (place: string): Promise<any> =>
    (await fetch(`${url}/api/v1/blacklists${place}`, { headers })).json();
  const sites: string[] = [];
  for (const { id } of (await read('')).blacklists) {
    for (let offset = 0, total = 1; offset < total; offset += 200) {
      const page = await read(`/${id}/entries?limit=200&offset=${offset}`);
      total = page.total;
      sites.push(...page.entries.map((entry: { website_url: string }) => entry.website_url));
    }
  }
  return sites;
}

describe('receive, replies and suppressions', () => {
  // Guarantee: A person who opted out is never ordered or written again
  it('take a refusal from the webhook to HubSpot, the blacklist and the next orders', async () => {
    const id = await sendReply('do_not_contact');
    const processed = await untilProcessed(id);
    expect(processed).toMatchObject({ state: 'processed', classification: 'do_not_contact', deliveries: 1 });
    expect(processed.note_id).not.toBeNull();
    expect(processed.suppression_seconds).toBeLessThan(10);

    const shown = (await command('replies', 'show', id)).document;
    expect(shown.body.data.reply_text).toBe(secretWord);
    const email: string = shown.body.data.prospect_email;
    const reason = { added_by: `reply ${id}`, reason: 'do_not_contact' };
    const listed = (await command('suppressions', 'list')).document;
    const suppressions = listed.filter((entry: { added_by: string }) => entry.added_by === reason.added_by);
    expect(suppressions).toHaveLength(2);
    expect(suppressions).toContainEqual(expect.objectContaining({ kind: 'person', value: email, ...reason }));
    const domain: string = suppressions.find(({ kind }: { kind: string }) => kind === 'company').value;

    // Neither Temporal nor the log of the receiver has personal data.
    const { text } = decodeHistory(await project.client.workflow.getHandle(`reply/${id}`).fetchHistory());
    for (const place of [text, receiver.said()]) {
      expect(place).not.toContain(secretWord);
      expect(place).not.toContain(email);
    }
    const found = project.client.workflow.list({
      query: 'ProspectSyncKind = "reply.do_not_contact" AND ProspectSyncOutcome = "processed"',
    });
    expect((await Array.fromAsync(found)).map(({ workflowId }) => workflowId)).toEqual([`reply/${id}`]);

    const second = await command('run', 'demo-discovery', '--yes');
    expect(await blacklistedSites()).toContain(`https://${domain}`);
    const { document: history } = await command('why', domain);
    expect(history).toEqual(history.toSorted((a: { at: string }, b: { at: string }) => (a.at < b.at ? -1 : 1)));
    const kinds = (kind: string) => history.filter((event: { kind: string }) => event.kind === kind);
    for (const kind of ['returned', 'outcome'])
      expect(new Set(kinds(kind).map((row: { order_id: string }) => row.order_id))).toEqual(new Set([order_id]));
    const refused = { webhook_id: id, classification: 'do_not_contact', state: 'processed' };
    expect(kinds('replied').at(-1)).toMatchObject(refused);
    expect(kinds('suppressed')).toMatchObject([{ by: `reply ${id}` }]);
    expect(kinds('excluded')).toMatchObject([{ website_url: `https://${domain}`, last_seen_at: expect.any(String) }]);
    expect(second.document.orders[0].crm.companies).toMatchObject({ created: 1, skipped: 0 });

    const companies = path.join(project.folder, 'companies.csv');
    const [header = '', ...others] = (await readFile(companies, 'utf8')).split('\n');
    const cells = header
      .split(',')
      .map((name) => (name === 'company_name' ? 'No' : name === 'website_url' ? `https://${domain}` : ''));
    await writeFile(companies, [header, ...others.slice(0, 3), cells.join(','), ''].join('\n'));
    const enriched = await command('run', 'demo-enrichment');
    const { document: rows } = await command('rows', enriched.document.orders[0].order_id, '--reason', 'excluded');
    expect(rows.map(({ rule }: { rule: string }) => rule)).toEqual(['excluded:suppressions']);

    const { code, document: replayed } = await command('replies', 'replay', id);
    expect([code, replayed]).toEqual([0, expect.objectContaining({ state: 'processed', note: 'existing' })]);
    const file = path.join(project.folder, 'body.json');
    await writeFile(file, JSON.stringify(shown.body));
    expect((await command('replies', 'preview', file)).document).toMatchObject({
      classification: 'do_not_contact',
      contact: processed.contact_id,
      note: true,
      suppresses: [email, domain],
    });
    // A refusal that contradicts itself waits for a person, and is suppressed at its receipt.
    const contradictory = { ...shown.body, data: { ...shown.body.data, classification: 'interested' } };
    await writeFile(file, JSON.stringify(contradictory));
    expect((await command('replies', 'preview', file)).document).toMatchObject({
      state: 'quarantined',
      reason: 'type_differs',
      note: false,
      suppresses: [email, domain],
    });
    // One reply has suppressed the person and the company.
    const removed = await project.command('suppressions', 'remove', domain, '--reason', 'a mistake', '--yes');
    expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining('one address at')]);
    const own = await project.command('suppressions', 'remove', email, '--reason', 'a mistake', '--yes');
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining('no longer suppressed')]);
    // The preview of a reply of somebody unknown promises no note, task or lead status: the reply would be quarantined.
    const data = { ...shown.body.data, classification: 'interested', prospect_email: 'nobody@unknown.example' };
    const body = { ...shown.body, type: 'reply.interested', data: { ...data, reply_from_email: data.prospect_email } };
    await writeFile(file, JSON.stringify(body));
    const nothing = { contact: null, note: false, task: false, lead_status: null, suppresses: [] };
    const unknown = await command('replies', 'preview', file);
    expect(unknown.document).toMatchObject({ state: 'quarantined', reason: 'unknown_person', ...nothing });
  });

  itOfAll('show what a rotation of the secret still needs, and lose no reply in it', async () => {
    const { control, params } = sender;
    const check = async () => (await command('secrets', 'check')).document;
    // The receiver saves its counts once a second.
    const untilCounted = (...expected: number[]) =>
      until(async () =>
        isDeepStrictEqual(
          (await check()).map((use: { deliveries: number }) => use.deliveries),
          expected,
        ),
      );
    // As `replies.classes` says.
    const processed = await untilProcessed(await sendReply('out_of_office', 1));
    expect(processed).toMatchObject({ state: 'processed', note_id: null });
    expect(await leadStatusOf(processed.contact_id)).toBe('ATTEMPTED_TO_CONTACT');
    await until(async () => (await check())[0].last_at === processed.received_at);
    const [newest] = await check();
    const before: number = newest.deliveries;
    expect(newest).toMatchObject({ endpoint: 'replies', place: 1, problem: null });
    expect(newest.advice).toContain('in use');

    const older = await readFile(path.join(project.folder, 'reply-secret'), 'utf8');
    const { data } = await control.GET('/organizations/{organization_id}/addresses', { params });
    const address_id = data?.addresses[0]?.address_id ?? '';
    const rotated = await control.POST('/organizations/{organization_id}/addresses/{address_id}/secret', {
      params: { path: { ...params.path, address_id } },
      body: { role: 'owner' },
    });
    // The sender signs with both secrets; the receiver knows only the older one.
    const first = await sendReply('out_of_office');
    expect(await untilProcessed(first)).toMatchObject({ state: 'processed', deliveries: 1 });
    await untilCounted(before + 1, 0);

    await writeSecret('older-secret', older.trim());
    await writeSecret('reply-secret', rotated.data?.secret ?? '');
    await untilRead(rotated.data?.secret ?? '');
    expect(await check()).toMatchObject([
      { place: 1, deliveries: 0, advice: 'no delivery yet: keep the older secrets' },
      { place: 2, deliveries: before + 1, advice: 'old: the sender signs with it for 24 hours after the rotation' },
    ]);
    const second = await sendReply('out_of_office');
    expect(await untilProcessed(second)).toMatchObject({ state: 'processed', deliveries: 1 });
    await untilCounted(1, before + 1);

    await writeFile(path.join(project.folder, 'reply-secret'), 'nonsense');
    const { code, document } = await command('secrets', 'check');
    expect([code, document[0].problem]).toEqual([3, expect.stringContaining('does not begin with whsec_')]);
    await writeSecret('reply-secret', rotated.data?.secret ?? '');
    await untilRead(rotated.data?.secret ?? '');
  });

  it('add, remove, import and export who is suppressed', async () => {
    const list = path.join(project.folder, 'list.csv');
    await writeFile(list, 'email,why\njane@beta.example,x\nbeta.example,y\n');
    expect((await command('suppressions', 'import', list, '--reason', 'old list', '--yes')).document).toEqual({
      added: 2,
      known: 0,
      repeated: 0,
    });
    await writeFile(list, 'jane@beta.example\ngmail.com\n');
    expect(await command('suppressions', 'import', list, '--reason', 'old list', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /row 2\. This domain is that of a mailbox provider, .*Correct the row; nothing was imported/s,
      ),
    });
    const remove = await command(
      'suppressions',
      'remove',
      'Jane@Beta.example',
      '--reason',
      'asked',
      '--by',
      'Olga',
      '--yes',
    );
    expect(remove.document).toMatchObject({ changed: true });
    const asks = await project.command('suppressions', 'add', 'beta.example', '--reason', 'again');
    expect(asks).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'was not confirmed: nothing was changed. To do it without confirmation, add --yes',
      ),
    });
    const misspelt = ['suppressions', 'remove', 'Jane@Betta.example', '--reason', 'asked', '--yes'];
    expect(await project.command(...misspelt)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Jane@Betta.example is not suppressed: nothing was changed. Check the spelling'),
    });
    const { document: all } = await command('suppressions', 'list', '--removed');
    expect(all).toContainEqual(
      expect.objectContaining({ value: 'jane@beta.example', removed_by: 'Olga', removed_reason: 'asked' }),
    );
    const exported = path.join(project.folder, 'exported.csv');
    const active = all.filter((entry: { removed_at: string | null }) => entry.removed_at === null);
    expect((await command('suppressions', 'export', exported)).document).toMatchObject({ rows: active.length });
    expect(await readFile(exported, 'utf8')).toContain('"beta.example","company"');
  });

  it('refuse to process a reply again whose text was erased, and change nothing', async () => {
    const id = await sendReply('out_of_office');
    const before = await untilProcessed(id);
    expect(before).toMatchObject({ state: 'processed' });
    const ledger = await openLedger({ dataDir: path.join(project.folder, '.prospect-sync') });
    await ledger.replies.eraseBody(id);
    await ledger.close();
    const replayed = await command('replies', 'replay', id);
    expect([replayed.code, replayed.stderr]).toEqual([1, expect.stringContaining('its text was erased')]);
    expect(await untilProcessed(id)).toEqual(before);
  });

  itOfAll('read the text of a quarantined reply again when it is replayed, and record what is new in it', async () => {
    const ledger = await openLedger({ dataDir: path.join(project.folder, '.prospect-sync') });
    const common = { state: 'quarantined', reason: 'unreadable', receivedAt: '2026-11-20T12:00:00.000Z' } as const;
    const store = (webhookId: string, body: string) =>
      ledger.replies.receive({ ...common, webhookId, body, classification: null, replyAt: null, campaignId: null }, []);
    const data = { prospect_email: 'a@unknown.example', newer_field: 'secret' };
    await store('msg_readable', replyBody({ id: 'msg_readable' }, data));
    await store('msg_broken', '{');
    await ledger.close();
    expect((await command('replies', 'replay', 'msg_readable')).document).toMatchObject({ reason: 'unknown_person' });
    const shown = (await command('replies', 'show', 'msg_readable')).document;
    expect(shown).toMatchObject({ classification: 'interested', campaign_id: 'autumn' });
    // What the specification does not have is drift of the service.
    const { drift } = (await command('doctor', '--drift')).document;
    const field = { operation: 'replyWebhook', kind: 'field', path: 'data.newer_field' };
    expect(drift).toContainEqual(expect.objectContaining(field));
    expect(JSON.stringify(drift)).not.toContain('secret');
    const refused = await command('replies', 'replay', 'msg_broken');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('still quarantined (unreadable)')]);
  });

  it('show a reply by its id, by the beginning of it, and the newest as last', async () => {
    const ledger = await openLedger({ dataDir: path.join(project.folder, '.prospect-sync') });
    const common = { state: 'quarantined', reason: 'unreadable', body: null } as const;
    const facts = { classification: null, replyAt: null, campaignId: null };
    const many = ['9', '8', '7', '6', '5', '4', '3'].map((digit) => `many_${digit}`);
    for (const [index, webhookId] of [...many, 'part_1_%', 'part_10', 'newest_of_all'].entries())
      await ledger.replies.receive(
        { ...common, ...facts, webhookId, receivedAt: `2096-11-20T12:00:0${index}.000Z` },
        [],
      );
    await ledger.close();
    const idOf = async (what: string) => (await command('replies', 'show', what)).document.webhook_id;
    expect([await idOf('part_1_'), await idOf('part_10'), await idOf('last')]).toEqual([
      'part_1_%',
      'part_10',
      'newest_of_all',
    ]);
    const refused = async (what: string) => (await project.command('replies', 'show', what)).stderr;
    expect(await refused('part_1')).toContain(
      'part_1 begins the ids of several replies: part_10, part_1_%. Write more',
    );
    expect(await refused('many')).toContain(
      'many begins the ids of several replies: many_3, many_4, many_5, many_6, many_7 and 2 more. Write more',
    );
    expect(await refused('par')).toContain('Reply "par" is not in the ledger');
  });

  it.each([
    [['replies', 'list', '--state', 'nonsense'], '--state must be one of received'],
    [['replies', 'list', '--since', 'yesterday'], '--since must be a day'],
    [['replies', 'list', '--since', '2026-02-30'], 'the day 2026-02-30 does not exist'],
    [['replies', 'show', 'nothing'], 'is not in the ledger'],
    [['suppressions', 'add', 'gmail.com', '--reason', 'x'], 'that of a mailbox provider'],
    [['suppressions', 'add', 'jane@beta.example', '--reason', ' '], '--reason must have 1 to 500 characters'],
    [
      ['suppressions', 'add', 'jane@beta.example', '--reason', 'asked', '--by', ''],
      '--by must have 1 to 500 characters, found 0',
    ],
  ])('refuse %j', async (args, message) => {
    const { code, stderr } = await project.command(...args);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(message);
  });
});
