// The website texts of an order, as Markdown files and in the ledger.
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { toWebsiteFileName, writeWebsites } from '../../src/delivery/files/website-files.ts';
import { forget, previewForget } from '../../src/delivery/erasure/forget.ts';
import { applyRetention } from '../../src/delivery/erasure/retention.ts';
import type { ActivityHarnessOptions } from './activity-harness.ts';
import { createReady, row } from './order-steps.ts';
import { readRefusal } from '../../src/replies/refusal.ts';

const context = {
  readRefusal: (body: string | null) => readRefusal(body, defaultReplyPolicy),
  now: () => new Date(),
  signal: new AbortController().signal,
};

async function createDelivered(options: ActivityHarnessOptions = {}) {
  const harness = await createReady(options);
  const order = await harness.collectEnrichment([row('Acme'), row('Bolt'), row('Crane')]);
  const { profile_id: prospectSearchId } = await harness.prospecting.orders.get(order.orderId);
  const directory = path.join(harness.folder, 'texts');
  const write = () =>
    writeWebsites(
      { ...harness, ...context },
      {
        ...order,
        prospectSearchId: prospectSearchId ?? '',
        directory,
      },
    );
  const asked = () => harness.asked().filter((call) => call.endsWith('/website-markdown')).length;
  const slots = await harness.ledger.slots.readParsed(order.orderId, { from: 0, to: order.total });
  const files = () => readdirSync(directory).toSorted();
  const read = (file: string) => readFileSync(path.join(directory, file), 'utf8');
  return { ...harness, order, write, asked, slots, files, read, directory, prospectSearchId };
}

/** Answers calls for website texts instead of the service. */
const answering = (answer: (url: URL) => Response | null): ActivityHarnessOptions => ({
  serviceFetch: async (request, proceed) => {
    const url = new URL(request.url);
    const changed = url.pathname.endsWith('/website-markdown') ? answer(url) : null;
    return changed ?? proceed(request);
  },
});

const notFound = (code: string) => Response.json({ error: { code, message: 'no' } }, { status: 404 });

describe('websites', () => {
  it('has one file for each company: its origin, then the text of the service', async () => {
    const { write, files, read, slots, order, directory } = await createDelivered();
    expect(await write()).toEqual({ directory, files: 3, fetched: 3, without: [] });
    expect(files()).toEqual(['0001-acme.example.md', '0002-bolt.example.md', '0003-crane.example.md']);
    for (const [index, file] of files().entries()) {
      const { name, domain, id, employee_count: employees } = slots[index]?.slot.company ?? {};
      const [, yaml = '', text] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(read(file)) ?? [];
      expect(parse(yaml)).toEqual({
        order_id: order.orderId,
        row: index + 1,
        company_id: id,
        company: name,
        domain,
        observed_at: expect.stringMatching(/^\d{4}-/),
        urls: expect.arrayContaining([expect.stringContaining(domain ?? '?')]),
        content_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        fetched_at: expect.stringMatching(/Z$/),
      });
      expect(text).toMatch(new RegExp(`^# ${name}\\n[^]*has ${employees} employees`));
    }
  });

  it('is fetched once: later calls write missing files from the ledger', async () => {
    const { write, asked, files, directory } = await createDelivered();
    await write();
    rmSync(path.join(directory, '0002-bolt.example.md'));
    expect(await write()).toMatchObject({ files: 3, fetched: 0 });
    expect(files()).toHaveLength(3);
    expect(asked()).toBe(3);
  });

  it('names companies without a text, and asks for them again', async () => {
    let hidden = true;
    const options = answering(() => (hidden ? notFound('COMPANY_NOT_FOUND') : null));
    const { write } = await createDelivered(options);
    expect(await write()).toMatchObject({ files: 0, without: [0, 1, 2] });
    hidden = false;
    expect(await write()).toMatchObject({ files: 3, fetched: 3, without: [] });
  });

  it('does not take an unknown prospect search for companies without a text', async () => {
    const { write } = await createDelivered(answering(() => notFound('PROSPECT_SEARCH_NOT_FOUND')));
    await expect(write()).rejects.toThrow('PROSPECT_SEARCH_NOT_FOUND');
  });

  it('needs only the text of an answer, and keeps it as it is', async () => {
    const markdown = '---\nevil: yaml\n---\n\u001b[2J# Title\r\n';
    const { write, files, read } = await createDelivered(answering(() => Response.json({ markdown })));
    await write();
    expect(read(files()[0] ?? '').endsWith(`\n---\n\n${markdown}`)).toBe(true);
  });

  it.each([
    ['the company', (domain: string) => ({ kind: 'domain' as const, value: domain })],
    ['a person of the company', (_: string, email: string) => ({ kind: 'email' as const, value: email })],
  ])('is erased with %s', async (_, toIdentifier) => {
    const { write, files, ledger, slots, order, asked } = await createDelivered();
    await write();
    const company = slots[1]?.slot.company;
    const email = company?.prospects?.find((person) => person.email)?.email ?? '';
    const { identifiers } = await previewForget(ledger, toIdentifier(company?.domain ?? '', email.toLowerCase()));
    const { files: erased } = await forget(ledger, identifiers, context);
    expect(erased.deleted).toEqual([expect.stringMatching(/0002-bolt\.example\.md$/)]);
    expect(files()).toEqual(['0001-acme.example.md', '0003-crane.example.md']);
    expect(await ledger.websites.read(order.orderId, { from: 1, to: 2 })).toMatchObject([{ markdown: null, urls: [] }]);
    // It does not come back.
    expect(await write()).toMatchObject({ files: 2, fetched: 0, without: [] });
    expect(asked()).toBe(3);
  });

  it('is not stored when it has the address of a forgotten person', async () => {
    const markdown = 'Write to Jane.Doe@elsewhere.example';
    const { write, ledger, order } = await createDelivered(answering(() => Response.json({ markdown })));
    await forget(ledger, [{ kind: 'email', value: 'jane.doe@elsewhere.example' }], context);
    expect(await write()).toMatchObject({ files: 0, fetched: 0, without: [] });
    expect((await ledger.websites.read(order.orderId, { from: 0, to: 3 })).map((site) => site.markdown)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('is erased by retention, but a file that was changed is left and named', async () => {
    const { write, files, ledger, directory } = await createDelivered();
    await write();
    const changed = path.join(directory, '0001-acme.example.md');
    writeFileSync(changed, 'my notes');
    const later = { ...context, now: () => new Date(Date.now() + 400 * 86_400_000) };
    const { files: erased } = await applyRetention(ledger, 30, later);
    expect(erased).toMatchObject({ left: [changed] });
    expect(erased.deleted).toHaveLength(2);
    expect(files()).toEqual(['0001-acme.example.md']);
  });
});

describe('toFileName', () => {
  it('is one name that every file system takes, different for each row', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 1_000_000 }),
        fc.oneof(fc.string({ unit: 'binary' }), fc.domain()),
        (position, domain) => {
          const name = toWebsiteFileName(position, domain);
          expect(name).toMatch(/^\d{4,7}(?:-[a-z0-9.-]*[a-z0-9])?\.md$/);
          expect(name).not.toContain('..');
          expect(name.length).toBeLessThan(120);
          expect(Number.parseInt(name, 10)).toBe(position + 1);
        },
      ),
    );
    expect(toWebsiteFileName(0, '../../etc/passwd')).toBe('0001.md');
    expect(toWebsiteFileName(11, 'münchen.example')).toBe('0012-xn--mnchen-3ya.example.md');
  });
});
