/** The Temporal UI in a browser reads through the codec server what nobody else can. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createGrpcRetries } from '../../../src/temporal/grpc-retries.ts';
import { createCodecServer } from '../../../src/temporal/codec/codec-server.ts';
import {
  createDataConverter,
  toCodecKeys,
  createEncryptionCodec,
} from '../../../src/temporal/codec/encryption-codec.ts';
import { createSecret } from '../../../src/config/environment.ts';
import { codecTokenPath } from '../../../src/temporal/dev-server/ui-proxy.ts';
import { openDevServer, type DevServer } from '../../../src/temporal/dev-server/open-dev-server.ts';
import { findBrowser, openBrowser } from '../../helpers/browser.ts';
import { serveFetch } from '../../helpers/serve-fetch.ts';
import { needsBrowser, describeIf } from '../../helpers/describe-if.ts';

const browserPath = findBrowser();

const encryption = {
  key: { id: 'a', secret: createSecret(randomBytes(32).toString('base64')) },
  olderKeys: [],
  acceptPlain: false,
};
const codec = createEncryptionCodec(toCodecKeys(encryption));
const token = randomBytes(32).toString('base64url');
const summary = 'discovery: shipyards of the northern coast';

let folder: string;
let origins: string[] = [];
let codecServer: Awaited<ReturnType<typeof serveFetch>>;
let server: DevServer;
beforeAll(async () => {
  if (browserPath === null) return;
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-encrypted-ui-'));
  // Its address is told to the UI, whose own address it must let in.
  codecServer = await serveFetch((request) => createCodecServer({ codec, origins, token }).fetch(request));
  server = await openDevServer({
    dataDir: folder,
    env: process.env,
    say: () => {},
    promptTimers: true,
    searchAttributes: [],
    uiCodecEndpoint: codecServer.url,
  });
  origins = [server.uiUrl ?? ''];
});
afterAll(async () => {
  await server?.release();
  codecServer?.close();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

describeIf(browserPath !== null, needsBrowser)('createCodecServer', () => {
  it('shows an encrypted summary and input in the Temporal UI, as long as the codec server accepts the page', async () => {
    const retries = createGrpcRetries({ answerWithinMs: null });
    const connection = await Connection.connect({ address: server.address, interceptors: retries.interceptors });
    const client = new Client({ connection, dataConverter: createDataConverter(encryption) });
    const options = { workflowId: 'run/shipyards', taskQueue: 'nobody', args: [{ title: 'Hulls and keels' }] };
    const { firstExecutionRunId } = await client.workflow.start('runProspecting', {
      ...options,
      staticSummary: summary,
    });
    await retries.end();
    await connection.close();
    const address = `${server.uiUrl}/namespaces/default/workflows/${encodeURIComponent(options.workflowId)}/${firstExecutionRunId}/history`;
    const browser = await openBrowser(browserPath ?? '');
    try {
      const page = await browser.newPage();
      const withoutToken = page.waitForResponse((response) =>
        response.url().endsWith('/decode?preserveStorageRefs=true'),
      );
      await page.goto(address);
      expect((await withoutToken).status()).toBe(401);
      expect(await page.getByText(summary).count()).toBe(0);

      await page.goto(`${server.uiUrl}${codecTokenPath}${token}`);
      await page.goto(address);
      await page.getByText(summary).first().waitFor({ timeout: 20_000 });
      await page.getByText('Hulls and keels').first().waitFor({ timeout: 20_000 });
      origins = [];
      const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/decode'));
      await page.reload();
      await refused;
      await page
        .getByText('WorkflowExecutionStarted')
        .or(page.getByText('Workflow Execution Started'))
        .first()
        .waitFor();
      expect(await page.getByText(summary).count()).toBe(0);
      // Nobody else finds the token, neither in the settings of the UI nor in the list of processes.
      expect(await (await fetch(`${server.uiUrl}/api/v1/settings`)).text()).not.toContain(token);
      expect(spawnSync('ps', ['-eo', 'args']).stdout.toString()).not.toContain(token);
    } finally {
      await browser.close();
    }
  });
});
