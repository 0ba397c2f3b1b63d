// An order is reconciled, exported, and verified on a machine that has only the files.
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { generatePrivateKey, publicKeyText, readPrivateKey } from '../../src/proof/certificate/signature.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { runCommand } from '../helpers/run-command.ts';
import { itOfAll } from '../helpers/sample.ts';

let project: ExampleProject;
let elsewhere: string;
let order: { order_id: string; certificate: string; slots: number; files: { path: string }[] };

beforeAll(async () => {
  project = await startExampleProject();
  elsewhere = await mkdtemp(path.join(tmpdir(), 'prospect-sync-elsewhere-'));
  const { stdout } = await project.command('run', 'demo-enrichment', '--json');
  [order] = JSON.parse(stdout).orders;
  await project.command('export', order.order_id, '--out', path.join(elsewhere, 'slots.ndjson.gz'));
  await copyFile(order.certificate, path.join(elsewhere, 'certificate.json'));
});
afterAll(async () => {
  await project?.stop();
  await rm(elsewhere, { recursive: true, force: true });
});

/** In a folder without configuration, ledger and variables. */
const verify = (...args: string[]) => runCommand(['verify', ...args], { cwd: elsewhere });

async function verifyJson(...args: string[]) {
  const { code, stdout } = await verify(...args, '--json');
  return { code, document: JSON.parse(stdout) };
}

describe('run', () => {
  it('writes the certificate beside the spreadsheets, and reports its path', () => {
    expect(order.certificate).toBe(
      path.join(path.dirname(order.files[0]?.path ?? ''), `${order.order_id}.certificate.json`),
    );
  });
});

describe('verify', () => {
  it('lists what it could not check, and ends with 3 while it does not know the signer', async () => {
    const { code, stdout, stderr } = await verify('certificate.json');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toContain(`enrichment order ${order.order_id} of run demo-enrichment`);
    expect(stdout).toMatch(/unchecked {2}Who signed: an unknown key, fingerprint [0-9a-f]{64}/);
    expect(stdout).toContain('unchecked  The slots: no export was given');
    expect(stdout).toContain(`unchecked  The file ${order.order_id}.csv: not in the folder of the certificate`);
    expect(stdout).toContain('certificate.json is consistent, its signer unknown');
  });

  it('knows the key of its own installation', async () => {
    const { code, stdout } = await project.command('verify', order.certificate, '--json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ ok: true, signer: 'own', problems: [] })]);
    const stranger = await verifyJson(order.certificate);
    expect(stranger).toMatchObject({ code: 3, document: { ok: false, signer: null, problems: [] } });
  });

  // Guarantee: The proof can be handed on and verified by others
  it('verifies slots, signer and the files beside the certificate', async () => {
    const { stdout } = await project.command('certificate-key', '--json');
    const { public_key: publicKey, fingerprint, from } = JSON.parse(stdout);
    expect(from).toBe('ledger');
    const slots = path.join(elsewhere, 'slots.ndjson.gz');
    const { code, document } = await verifyJson(order.certificate, '--slots', slots, '--public-key', publicKey);
    expect(code).toBe(0);
    expect(document).toMatchObject({ ok: true, order_id: order.order_id, fingerprint, signer: 'given', problems: [] });
    expect(document.checked).toEqual([
      'the signature, and that the figures agree with each other',
      `the signer: key ${fingerprint}`,
      `${order.slots} slots: their digests, their order and the digest of the first reading`,
      `the file ${order.order_id}.csv`,
      `the file ${order.order_id}.xlsx`,
    ]);
    const subjects = document.unchecked.map(({ subject }: { subject: string }) => subject);
    expect(subjects).toEqual(expect.arrayContaining(['second_reading', 'submitted_rows', 'hubspot']));
    expect(subjects).not.toContain('slots');
  });

  it('ends with 3 when the certificate, its signer, the slots or a file are not as stated', async () => {
    const text = await readFile(path.join(elsewhere, 'certificate.json'), 'utf8');
    await writeFile(path.join(elsewhere, 'edited.json'), text.replace(/"reconciled": \d+/, '"reconciled": 1'));
    const codesOf = async (...args: string[]) => {
      const { code, document } = await verifyJson(...args);
      return { code, problems: document.problems.map((problem: { code: string }) => problem.code) };
    };
    expect(await codesOf('edited.json')).toMatchObject({
      code: 3,
      problems: expect.arrayContaining(['signature_invalid']),
    });
    const other = publicKeyText(readPrivateKey(generatePrivateKey()));
    expect(await codesOf('certificate.json', '--public-key', other)).toEqual({
      code: 3,
      problems: ['signed_by_another_key'],
    });
    for (const file of ['certificate.json', 'edited.json']) {
      const { checked } = (await verifyJson(file, '--public-key', other)).document;
      expect(checked.filter((text: string) => text.startsWith('the signer'))).toEqual([]);
    }
    const lines = gunzipSync(await readFile(path.join(elsewhere, 'slots.ndjson.gz')))
      .toString()
      .split('\n');
    await writeFile(path.join(elsewhere, 'short.ndjson'), lines.slice(1).join('\n'));
    expect(await codesOf('certificate.json', '--slots', 'short.ndjson')).toEqual({
      code: 3,
      problems: ['slots_out_of_order'],
    });
    await writeFile(path.join(elsewhere, `${order.order_id}.csv`), 'edited');
    expect(await codesOf('certificate.json')).toEqual({ code: 3, problems: ['file_changed'] });
    expect((await verify('certificate.json')).stdout).toContain(
      `prospect-sync reconcile ${order.order_id} writes a new`,
    );
    await rm(path.join(elsewhere, `${order.order_id}.csv`));
  });

  it('ends with 2 when a file cannot be read or the key is none', async () => {
    expect(await verify('missing.json')).toMatchObject({
      code: 2,
      stderr: 'missing.json cannot be read: there is no such file (ENOENT)\n',
    });
    expect(await verify(order.order_id)).toMatchObject({
      code: 2,
      stderr: `${order.order_id} cannot be read: there is no such file (ENOENT). To verify an order, write the path of its certificate: ${order.order_id}.certificate.json\n`,
    });
    expect(await verify('certificate.json', '--slots', 'missing.gz')).toMatchObject({ code: 2 });
    await writeFile(path.join(elsewhere, 'results.csv'), '"Position","Company"\n');
    expect(await verify('certificate.json', '--slots', 'results.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('results.csv is not a file of prospect-sync export'),
    });
    expect(await verify('certificate.json', '--public-key', 'none')).toMatchObject({ code: 2 });
  });
});

describe('verify of an order of which a person was erased', () => {
  itOfAll('names forget as a possible cause, and reconcile, after which the certificate is valid', async () => {
    const ran = await project.command('run', 'demo-discovery', '--yes', '--json');
    const [{ order_id: id, certificate }] = JSON.parse(ran.stdout).orders;
    const exported = await project.command('export', id);
    const address = /[\w.-]+@[\w-]+(?:\.[\w-]+)+/.exec(exported.stdout)?.[0] ?? '';
    expect(await project.command('forget', address, '--yes')).toMatchObject({ code: 0 });
    const broken = await runCommand(['verify', certificate], { cwd: elsewhere });
    expect([broken.code, broken.stdout]).toEqual([
      3,
      expect.stringContaining(
        `If forget has erased a person or company of the order since, that is the cause: prospect-sync reconcile ${id} writes a new certificate`,
      ),
    ]);
    await project.command('reconcile', id);
    expect(await project.command('verify', certificate)).toMatchObject({ code: 0 });
  });
});

describe('export', () => {
  it('writes a file that only its owner can read, with the same lines as it prints', async () => {
    const file = path.join(elsewhere, 'slots.ndjson');
    const { stdout } = await project.command('export', order.order_id, '--out', file, '--json');
    const { mode, size } = await stat(file);
    expect(mode & 0o777).toBe(0o600);
    expect(JSON.parse(stdout)).toEqual({
      order_id: order.order_id,
      file,
      slots: order.slots,
      bytes: size,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const text = await readFile(file, 'utf8');
    const printed = await project.command('export', order.order_id);
    expect(printed).toMatchObject({ code: 0, stdout: text });
    expect(gunzipSync(await readFile(path.join(elsewhere, 'slots.ndjson.gz'))).toString()).toBe(text);
    expect(Object.keys(JSON.parse(text.slice(0, text.indexOf('\n'))))).toEqual(['digest', 'position', 'slot']);
  });

  it('ends with 2 for --json without --out, and with 1 for an order that is not in the ledger', async () => {
    expect(await project.command('export', order.order_id, '--json')).toMatchObject({ code: 2 });
    const unknown = await project.command('export', '11111111-2222-4333-8444-555555555555', '--out', 'unknown.gz');
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in the ledger') });
  });
});
