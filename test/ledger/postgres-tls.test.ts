import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { describePostgres } from '../../src/ledger/postgres.ts';

const fixture = (name: string) => path.join(__dirname, '../fixtures', name);
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** Answers the request for TLS like PostgreSQL with one letter, and then calls `handle`. */
async function listen(answer: 'S' | 'N', handle: (socket: Socket) => void = () => {}): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(answer);
      handle(socket);
    });
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const speakTls = (certificate: string) => (socket: Socket) => {
  const key = readFileSync(fixture('temporal-key.pem'));
  const cert = readFileSync(fixture(certificate));
  new TLSSocket(socket, { isServer: true, key, cert }).on('error', () => {});
};
const connect = (port: number, query: string) =>
  describePostgres({ databaseUrl: `postgres://prospect:not-to-be-message@localhost:${port}/ledger?${query}` });

describe('describePostgres', () => {
  it.each([
    ['a certificate of an untrusted CA', '', /is not signed by a trusted CA \(\w+\)\. Add sslrootcert=FILE/],
    ['an expired one', 'temporal-certificate-expired.pem', /has expired \(CERT_HAS_EXPIRED\)\. Renew it there/],
  ])('reports %s as an error that waiting does not solve', async (_, trusted, message) => {
    const port = await listen('S', speakTls(trusted || 'temporal-certificate.pem'));
    const rootCertificate = trusted === '' ? '' : `&sslrootcert=${fixture(trusted)}`;
    const failing = connect(port, `sslmode=verify-full${rootCertificate}`);
    await expect(failing).rejects.toMatchObject({
      name: 'LedgerError',
      reason: 'refused',
      message: expect.stringMatching(message) as string,
    });
  });

  it('reports a server without TLS', async () => {
    await expect(connect(await listen('N'), 'sslmode=verify-full')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('does not support TLS, which the address requires') as string,
    });
  });

  it('reports a server that answers without TLS', async () => {
    const port = await listen('S', (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await expect(connect(port, 'sslmode=verify-full')).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('cannot be reached over TLS') as string,
    });
  });

  it('reports a missing certificate file without the address of the ledger', async () => {
    await expect(connect(1, 'sslmode=verify-full&sslrootcert=/nowhere.pem')).rejects.toMatchObject({
      reason: 'refused',
      message:
        'a file in the address of the ledger cannot be read: there is no such file (ENOENT). Correct sslrootcert, sslcert or sslkey there',
    });
  });
});
