import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createSecureServer, type Http2SecureServer, type SecureServerOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { SearchAttributeType, defineSearchAttributeKey } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { connectTemporal, guessUiUrl } from '../../src/temporal/connect-temporal.ts';
import { ensureSearchAttributes } from '../../src/temporal/namespace.ts';
import { searchAttributes } from '../../src/temporal/search-attributes.ts';
import { startTemporal } from '../helpers/temporal-server.ts';
import type { TemporalTestServer } from '../helpers/temporal-server.ts';
import { createFolder } from './dev-server/stand-ins.ts';

describe('guessUiUrl', () => {
  it.each([
    ['localhost:7233', 'http://localhost:8233'],
    ['127.0.0.1', 'http://127.0.0.1:8233'],
    ['localhost:17233', null],
    ['temporal:7233', null],
  ])('returns the UI of %s only for the default ports of a dev server', (address, url) => {
    expect(guessUiUrl(address)).toBe(url);
  });
});

describe('connectTemporal', () => {
  let temporal: TemporalTestServer;
  let dataDir: string;
  let messages: string[];
  beforeAll(async () => {
    temporal = await startTemporal();
  });
  afterAll(() => temporal.stop());
  beforeEach(async () => {
    dataDir = await createFolder();
    messages = [];
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  function connect(
    env: Record<string, string>,
    wanted: Parameters<typeof connectTemporal>[0]['searchAttributes'] = [],
  ) {
    const say = (text: string) => messages.push(text);
    const home = { HOME: dataDir, PATH: process.env['PATH'] };
    return connectTemporal({
      dataDir,
      env: { ...home, ...env },
      say,
      promptTimers: true,
      searchAttributes: wanted,
      connectSeconds: 0.5,
      locate: () => Promise.reject(new Error('a dev server is wanted')),
    });
  }

  it('uses the address of TEMPORAL_ADDRESS, and prints it', async () => {
    const service = await connect({ TEMPORAL_ADDRESS: temporal.address }, searchAttributes);
    expect(service).toMatchObject({
      connectOptions: { address: temporal.address },
      namespace: 'default',
      uiUrl: null,
    });
    expect(messages).toEqual([`Temporal: using the service at ${temporal.address}, namespace default`]);
    await (await Connection.connect(service.connectOptions)).close();
    await (await NativeConnection.connect(service.connectOptions)).close();
    await service.release();
  });

  it('uses a profile of the configuration file, including API key and metadata', async () => {
    const file = path.join(dataDir, 'temporal.toml');
    const profile = [
      '[profile.staging]',
      `address = "${temporal.address}"`,
      'api_key = "key"',
      'tls.disabled = true',
      'grpc_meta = { tenant = "a" }',
    ];
    await writeFile(file, profile.join('\n'));
    const service = await connect({
      TEMPORAL_CONFIG_FILE: file,
      TEMPORAL_PROFILE: 'staging',
      TEMPORAL_UI_URL: 'https://temporal.example',
    });
    expect(service).toMatchObject({
      connectOptions: { address: temporal.address, apiKey: 'key', tls: false, metadata: { tenant: 'a' } },
      uiUrl: 'https://temporal.example',
    });
  });

  it('uses TLS when an API key is set, unless TLS is disabled', async () => {
    const failing = connect({
      TEMPORAL_ADDRESS: temporal.address.replace('127.0.0.1', 'localhost'),
      TEMPORAL_API_KEY: 'key',
    });
    await expect(failing).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('it does not support TLS, which a TLS setting or an API key turns on') as string,
    });
  });

  it('adds missing search attributes', async () => {
    const attribute = defineSearchAttributeKey('AddedLater', SearchAttributeType.INT);
    await connect({ TEMPORAL_ADDRESS: temporal.address }, [...searchAttributes, attribute]);
    const { customAttributes } = await temporal.connection.operatorService.listSearchAttributes({
      namespace: 'default',
    });
    expect(customAttributes).toHaveProperty('AddedLater');
  });

  it('accepts search attributes that another process adds at the same time', async () => {
    const before = defineSearchAttributeKey('AddedBefore', SearchAttributeType.KEYWORD);
    const after = defineSearchAttributeKey('AddedAfter', SearchAttributeType.KEYWORD);
    const other = await Connection.connect({ address: temporal.address });
    const list = jest.spyOn(other.operatorService, 'listSearchAttributes');
    list.mockImplementationOnce(async (request) => {
      await ensureSearchAttributes(temporal.connection, 'default', [before]);
      return temporal.connection.operatorService.listSearchAttributes(request);
    });
    await ensureSearchAttributes(other, 'default', [before]);
    expect(list).toHaveBeenCalled();

    const add = jest.spyOn(other.operatorService, 'addSearchAttributes');
    add.mockImplementationOnce(async () => {
      await ensureSearchAttributes(temporal.connection, 'default', [after]);
      throw new Error('6 ALREADY_EXISTS: Search attribute AddedAfter already exists.'); // as older servers answer
    });
    await ensureSearchAttributes(other, 'default', [after]);
    expect(add).toHaveBeenCalled();
    await other.close();
  });

  it('prints the commands when it cannot add search attributes', async () => {
    const tooMany = Array.from({ length: 40 }, (_, index) =>
      defineSearchAttributeKey(`Switch${index}`, SearchAttributeType.BOOL),
    );
    const failing = connect({ TEMPORAL_ADDRESS: temporal.address }, tooMany);
    await expect(failing).rejects.toMatchObject({
      reason: 'search-attributes',
      message: expect.stringContaining(
        '  temporal operator search-attribute create --namespace default --name Switch39 --type Bool\n',
      ) as string,
    });
  });

  it('fails with one message when nothing answers', async () => {
    const failing = connect({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    await expect(failing).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringMatching(/^Temporal at 127\.0\.0\.1:1 cannot be reached: [^\n]*$/) as string,
    });
  });

  describe('with TLS', () => {
    const fixture = (name: string) => path.join(__dirname, '../fixtures', name);
    const pair = (certificate: string) => ({
      cert: readFileSync(fixture(certificate)),
      key: readFileSync(fixture('temporal-key.pem')),
    });
    const clientPair = {
      TEMPORAL_TLS_CLIENT_CERT_PATH: fixture('temporal-certificate.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: fixture('temporal-key.pem'),
    };
    const trusting = { TEMPORAL_TLS_SERVER_CA_CERT_PATH: fixture('temporal-certificate.pem') };
    let server: Http2SecureServer | undefined;
    afterEach(() => server?.close());

    /** Refuses every call, if it lets anybody in. */
    async function listen(options: SecureServerOptions) {
      server = createSecureServer(options, (_, response) => {
        const headers = { 'content-type': 'application/grpc', 'grpc-status': 16, 'grpc-message': 'no' };
        response.stream.respond(headers, { endStream: true });
      });
      server.on('tlsClientError', () => {});
      server.on('sessionError', () => {});
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return `localhost:${(server.address() as AddressInfo).port}`;
    }

    const cases: [string, SecureServerOptions, Record<string, string>, string][] = [
      [
        'an expired certificate',
        pair('temporal-certificate-expired.pem'),
        { TEMPORAL_TLS_SERVER_CA_CERT_PATH: fixture('temporal-certificate-expired.pem') },
        'its certificate has expired (CERT_HAS_EXPIRED). Renew it there',
      ],
      [
        'a certificate of an untrusted CA',
        pair('temporal-certificate.pem'),
        { TEMPORAL_TLS: 'true' },
        '(DEPTH_ZERO_SELF_SIGNED_CERT). Set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the CA that signed it',
      ],
      [
        'a certificate of another name',
        pair('temporal-certificate.pem'),
        { ...trusting, TEMPORAL_TLS_SERVER_NAME: 'elsewhere.example' },
        '(ERR_TLS_CERT_ALTNAME_INVALID). Correct TEMPORAL_ADDRESS, or set TEMPORAL_TLS_SERVER_NAME',
      ],
      [
        'a server that requires a client certificate',
        {
          ...pair('temporal-certificate.pem'),
          requestCert: true,
          ca: readFileSync(fixture('temporal-certificate.pem')),
        },
        trusting,
        '. Set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH',
      ],
      [
        'a server that refuses the client certificate',
        {
          ...pair('temporal-certificate.pem'),
          requestCert: true,
          ca: readFileSync(fixture('receiver-certificate.pem')),
        },
        { ...trusting, ...clientPair },
        '. Correct TEMPORAL_TLS_CLIENT_CERT_PATH',
      ],
      [
        'an API key that is refused',
        pair('temporal-certificate.pem'),
        { ...trusting, TEMPORAL_API_KEY: 'not-to-be-told' },
        'it rejects the API key (TEMPORAL_API_KEY): no. Check that it has not expired and may use this namespace',
      ],
      [
        'neither an API key nor a client certificate',
        pair('temporal-certificate.pem'),
        trusting,
        'Set TEMPORAL_API_KEY',
      ],
      ['TLS where none is set', pair('temporal-certificate.pem'), {}, 'it requires TLS. Set TEMPORAL_TLS=true'],
    ];
    it.each(cases)('reports %s in one line', async (_, options, env, message) => {
      const address = await listen(options);
      const failure = await connect({ TEMPORAL_ADDRESS: address, ...env }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ reason: 'refused', message: expect.stringContaining(message) as string });
      expect(String(failure)).toMatch(
        /^TemporalUnavailableError: Temporal at localhost:\d+ cannot be reached: [^\n]*$/,
      );
      expect(String(failure)).not.toContain('not-to-be-told');
    });

    it('reports an expired client certificate before it connects', async () => {
      const failing = connect({
        TEMPORAL_ADDRESS: '127.0.0.1:1',
        ...clientPair,
        TEMPORAL_TLS_CLIENT_CERT_PATH: fixture('temporal-certificate-expired.pem'),
      });
      await expect(failing).rejects.toMatchObject({
        reason: 'configuration',
        message: expect.stringContaining('(TEMPORAL_TLS_CLIENT_CERT_PATH) expired on 2020-02-01') as string,
      });
    });

    it.each([
      ['http://127.0.0.1:7233', '127.0.0.1:7233'],
      ['https://user:pw@temporal.example:7233/', 'temporal.example:7233, and set TEMPORAL_TLS=true'],
      ['temporal.example:7233/', 'temporal.example:7233'],
    ])('reports an address that is a URL: %s', async (address, written) => {
      await expect(connect({ TEMPORAL_ADDRESS: address })).rejects.toMatchObject({
        reason: 'configuration',
        message: `Temporal's settings (TEMPORAL_… or its configuration file) cannot be used: the address (TEMPORAL_ADDRESS) must have no scheme and no path. Write ${written}`,
      });
    });

    it.each([
      [
        'a key without its certificate',
        { TEMPORAL_TLS_CLIENT_KEY_PATH: fixture('temporal-key.pem') },
        'are both required',
      ],
      ['a file that is not there', { ...clientPair, TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere.pem' }, '/nowhere.pem'],
    ])('reports %s', async (_, env, message) => {
      const failing = connect({ TEMPORAL_ADDRESS: '127.0.0.1:1', ...env });
      await expect(failing).rejects.toMatchObject({
        reason: 'configuration',
        message: expect.stringContaining(message) as string,
      });
    });
  });

  it('fails when the namespace does not exist', async () => {
    const failing = connect({ TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: 'elsewhere' });
    await expect(failing).rejects.toThrow(
      `Temporal at ${temporal.address} has no namespace elsewhere. Create it, or set TEMPORAL_NAMESPACE`,
    );
  });

  it('fails when the profile does not exist', async () => {
    await expect(connect({ TEMPORAL_PROFILE: 'nowhere' })).rejects.toMatchObject({ reason: 'configuration' });
  });

  it('uses the dev server of the data folder when no address is configured', async () => {
    await expect(connect({})).rejects.toThrow('a dev server is wanted');
  });
});
