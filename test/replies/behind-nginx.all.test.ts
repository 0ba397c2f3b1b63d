// A real nginx with the server block of docs/replies.md, and a receiver in a process of its own behind it.
import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { request as openRequest } from 'node:https';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../src/base/http/local-server.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { describeIf, needsNginx } from '../helpers/describe-if.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { hasNginx, nginxIdentity, startNginx, type NginxProcess } from '../helpers/nginx-process.ts';
import { startReceiverProcess, type ReceiverProcess } from '../helpers/receiver-process.ts';
import { until } from '../helpers/until.ts';
import { reply } from './reply-body.ts';

const mebibyte = 1024 ** 2;
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const key = randomBytes(8).toString('hex');

let project: ExampleProject;
let receiverPort: number;
let env: Record<string, string>;
let receiver: ReceiverProcess;
let ledger: Ledger;
let nginx: NginxProcess | undefined;
let numbered = 0;

const newId = () => `msg_${(numbered += 1)}`;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** One request over a connection of its own, as the service sends it. */
function ask(method: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { host: servername, certificate: ca } = nginxIdentity;
  const place = { host: '127.0.0.1', port: nginx?.port, path: '/replies', servername, ca };
  const request = openRequest({ ...place, method, headers: { host: servername, ...headers }, agent: false });
  request.once('response', async (response) => {
    const text = Buffer.concat(await response.toArray()).toString();
    resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** Signed by the reference library of Standard Webhooks, with the time of this attempt. */
function deliver(id: string, body: string, more: Record<string, string> = { 'reply-key': key }): Promise<Answer> {
  const at = new Date();
  return ask(
    'POST',
    {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
      'content-length': String(Buffer.byteLength(body)),
      ...more,
    },
    body,
  );
}

/** A reply whose body has this many bytes. */
function replyOf(bytes: number, id: string): string {
  const emptied = Buffer.byteLength(reply({ id }, { reply_text: '' }));
  return reply({ id }, { reply_text: 'x'.repeat(bytes - emptied) });
}

const byDefault = 'a new connection of HTTP/1.0 for each delivery, as nginx does by default';
const kept = 'connections of HTTP/1.1 that stay open';
const restarts = [
  { signal: 'SIGTERM', end: 'restarted', keepsConnections: false, over: byDefault },
  { signal: 'SIGKILL', end: 'killed', keepsConnections: false, over: byDefault },
  { signal: 'SIGTERM', end: 'restarted', keepsConnections: true, over: kept },
  { signal: 'SIGKILL', end: 'killed', keepsConnections: true, over: kept },
] as const;

const accepted = (state: string) => ({ status: 202, text: JSON.stringify({ status: state }) });

describeIf(hasNginx(), needsNginx)('a receiver behind nginx', () => {
  beforeAll(async () => {
    project = await startExampleProject();
    await appendFile(
      path.join(project.folder, 'prospect-sync.yaml'),
      'replies: {secrets: [{env: REPLIES_SECRET}], key: {header: reply-key, value: {env: REPLY_KEY}}}\n',
    );
    env = { ...project.env, REPLIES_SECRET: secret, REPLY_KEY: key };
    receiverPort = await freePort();
    receiver = await startReceiverProcess(project.folder, env, receiverPort);
    ledger = await openLedger({ dataDir: path.join(project.folder, '.prospect-sync') });
  });
  beforeEach(async () => {
    nginx = await startNginx({ receiverPort });
  });
  afterEach(() => nginx?.stop());
  afterAll(async () => {
    receiver?.kill();
    await ledger?.close();
    await project?.stop();
  });

  it('stores a signed delivery with its body unchanged, and answers 202', async () => {
    const id = newId();
    const body = ` ${reply({ id }, { reply_text: 'Grüße, Łukasz 😀\r\n\t', unknown: 1e3 })}\r\n\r\n`;
    expect(await deliver(id, body)).toMatchObject(accepted('received'));
    expect((await ledger.replies.get(id))?.body).toBe(body);
  });

  it('gets the headers, and its pause for the sender reaches the sender', async () => {
    const id = newId();
    const answer = await deliver(id, reply({ id }), {});
    expect(answer).toMatchObject({ status: 503, text: '{"status":"key_differs"}', headers: { 'retry-after': '60' } });
    expect(await ledger.replies.get(id)).toBeUndefined();
  });

  it('stores a body of 1 MiB, and quarantines a larger one without its text, up to 4 MiB', async () => {
    const stored = newId();
    const body = replyOf(mebibyte, stored);
    expect(await deliver(stored, body)).toMatchObject(accepted('received'));
    expect((await ledger.replies.get(stored))?.body === body).toBe(true);
    for (const bytes of [mebibyte + 1, 4 * mebibyte]) {
      const id = newId();
      expect(await deliver(id, replyOf(bytes, id))).toMatchObject(accepted('quarantined'));
      expect(await ledger.replies.get(id)).toMatchObject({ state: 'quarantined', reason: 'too_large', body: null });
    }
  });

  it('does not see a body of more than client_max_body_size: nginx answers 413 itself', async () => {
    const id = newId();
    const answer = await deliver(id, replyOf(4 * mebibyte + 1, id));
    expect(answer).toMatchObject({ status: 413, headers: { 'content-type': 'text/html' } });
    expect(await ledger.replies.get(id)).toBeUndefined();
  });

  it('answers GET and HEAD 405, and a request that is not signed 401', async () => {
    expect(await ask('GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(await ask('HEAD')).toMatchObject({ status: 405, text: '', headers: { allow: 'POST' } });
    expect(await ask('POST', {}, '{}')).toMatchObject({ status: 401, text: '{"status":"missing_header"}' });
  });

  it.each(restarts)(
    'loses no delivery when it is $end under load, over $over',
    async ({ signal, keepsConnections }) => {
      await nginx?.stop();
      nginx = await startNginx({ receiverPort, keepsConnections });
      const sent: string[] = [];
      const statuses: number[] = [];
      const last = new AbortController();
      /** Repeats what is answered 5xx, as the service does; it gives up after another answer. */
      const send = async () => {
        while (!last.signal.aborted) {
          const id = newId();
          sent.push(id);
          for (let status = 500; status >= 500;) {
            ({ status } = await deliver(id, reply({ id })));
            statuses.push(status);
            if (status >= 500) await sleep(20);
          }
        }
      };
      const sending = Promise.allSettled(Array.from({ length: 4 }, send));
      /** Of these answers that follow now. */
      const untilAnswers = async (status: number, count: number) => {
        const before = statuses.length;
        await until(() => statuses.slice(before).filter((one) => one === status).length >= count);
      };
      try {
        await untilAnswers(202, 10);
        await (signal === 'SIGTERM' ? receiver.stop() : receiver.kill());
        await untilAnswers(502, 1);
        receiver = await startReceiverProcess(project.folder, env, receiverPort);
        await untilAnswers(202, 10);
      } finally {
        last.abort();
      }
      expect((await sending).filter(({ status }) => status === 'rejected')).toEqual([]);
      expect(statuses.filter((status) => ![202, 502, 503].includes(status))).toEqual([]);
      expect(statuses.filter((status) => status === 202)).toHaveLength(sent.length);
      const stored = (await ledger.replies.list({})).map(({ webhookId }) => webhookId);
      expect(stored.filter((id) => sent.includes(id)).sort()).toEqual([...sent].sort());
    },
  );
});
