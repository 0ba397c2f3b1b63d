import { createStubService } from './stub-service.ts';

const description = { openapi: '3.1.0', info: { title: 'Prospecting', version: '1.4.0' } };

describe('recordContractVersion', () => {
  it('records info.version of the OpenAPI document at the first usual address that has one', async () => {
    const { client, calls } = createStubService(({ path }) =>
      path === '/api/v1/openapi.json' ? Response.json(description) : Response.json({ code: 'X' }, { status: 404 }),
    );
    await client.recordContractVersion();
    expect(calls.map(({ path }) => path)).toEqual(['/openapi.json', '/api/v1/openapi.json']);
    expect(client.answers.pending()).toEqual([
      expect.objectContaining({ operation: 'service', kind: 'version', path: 'info.version', detail: '1.4.0' }),
    ]);
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['a page', () => new Response('<html>')],
    ['other JSON', () => Response.json({ info: {} })],
    ['a text that is no version', () => Response.json({ ...description, info: { version: 'Anna Schmidt' } })],
    ['a redirect', () => Response.redirect('https://other.example/', 302)],
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ])('records nothing and does not fail for %s', async (_case, respond) => {
    const { client } = createStubService(respond);
    await client.recordContractVersion();
    expect(client.answers.pending()).toEqual([]);
  });
});
