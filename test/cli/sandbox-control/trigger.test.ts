import { toTriggerText, trigger } from '../../../src/cli/sandbox-trigger.ts';
import { serveSandbox } from '../../../sandbox/serve-sandbox.ts';
import type { Deliver } from '../../../sandbox/webhooks/send-attempt.ts';

describe('trigger', () => {
  it('sends a reply of the first contact of an order, even if its first slots have none', async () => {
    let status = 204;
    const bodies: { data: Record<string, string> }[] = [];
    const deliver: Deliver = async ({ body }) => {
      bodies.push(JSON.parse(new TextDecoder().decode(body)));
      return { kind: 'answer', status, text: '', location: null, retryAfter: null };
    };
    const served = await serveSandbox({
      receivers: { deliver },
      progression: { profiles: { after_seconds: 0 }, orders: { after_seconds: 0 } },
    });
    try {
      const { url, apiKey } = served.service;
      const ask = async (path: string, body?: unknown) => {
        const headers = {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'idempotency-key': path,
        };
        const method = body === undefined ? 'GET' : 'POST';
        const response = await fetch(`${url}/api/v1${path}`, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        });
        return (await response.json()) as Record<string, string>;
      };
      const { profile_creation_id } = await ask('/search-profile-creations', {
        profile_name: 'Makers',
        ideal_customer_profile: 'Companies that make things',
        target_countries: ['Germany'],
      });
      const { profile_id } = await ask(`/search-profile-creations/${profile_creation_id}`);
      const { order_id: order = '' } = await ask('/orders', {
        order_type: 'ENRICHMENT',
        profile_id,
        companies: [
          { company_name: 'Nobody', website_url: 'https://acme.unresolved-identity.example' },
          { company_name: 'Held', website_url: 'https://acme.blocked-for-review.example' },
          { company_name: 'Beta', website_url: 'https://beta.test' },
        ],
      });
      const to = 'https://hooks.receiver.example/in';
      const { delivery } = await trigger('reply.interested', { controlUrl: served.control.url, to, order });
      expect(delivery.state).toBe('delivered');
      expect(bodies[0]?.data).toMatchObject({
        company_name: 'Beta',
        prospect_email: expect.stringMatching(/@beta\.test$/),
      });
      status = 401;
      const refused = await trigger('reply.interested', { controlUrl: served.control.url, to });
      expect(toTriggerText(refused)).toMatch(
        /response +401\n.*receiver_wants_key\)\n +cause +the receiver rejects the signature/,
      );
    } finally {
      await served.close();
    }
  });
});
