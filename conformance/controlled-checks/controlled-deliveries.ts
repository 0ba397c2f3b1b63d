import { createHash } from 'node:crypto';
import { operations } from '../../src/service/contract/index.ts';
import type { Check } from '../probe/check.ts';
import { bySearch } from '../checks/path-parameters.ts';
import { createTestOrganization } from './test-organization.ts';

export const controlledDeliveryChecks: readonly Check[] = [
  {
    id: 'deliveries.contacts',
    clause: 'Company and prospect records; Change history 1.1.0',
    title: 'the listing has the companies of all orders of the profile, with delivered contacts only',
    needs: 'orders that cost nothing',
    effect: 'read',
    async run(common) {
      const test = createTestOrganization(common);
      const { probe } = test;
      const profile_id = await test.createProfile();
      const order = { order_type: 'DISCOVERY', profile_id } as const;
      const first = await test.finishOrder({ ...order, briefing_quantity: 3, target_countries: ['Italy'] });
      const second = await test.finishOrder({ ...order, briefing_quantity: 2 });
      const slots = [...(await test.readSlots(first)), ...(await test.readSlots(second))];
      const { companies } = await probe.ask(operations.listDeliveredCompanies, 200, bySearch(profile_id));
      const idsOf = (records: readonly { id?: string | null | undefined }[]) =>
        records.map(({ id }) => id ?? '').toSorted();
      test.expectEqual('companies', idsOf(companies), idsOf(slots.map(({ company }) => company ?? {})));
      const prospects = companies.flatMap((company) => company.prospects ?? []);
      probe.expect(prospects.length > 0, 'the listing has no contacts');
      for (const prospect of prospects) {
        const { email_status, email_client_deliverable, email_delivery_quality } = prospect;
        const texts = [email_status, email_delivery_quality, prospect.email_delivery_quality_reason];
        const found = [email_client_deliverable, ...texts.map((text) => typeof text)];
        test.expectEqual('quality of a contact', found, [true, 'string', 'string', 'string']);
        for (const field of ['validation_confidence', 'bounce_risk_score']) {
          probe.expect(!(field in prospect), `a contact carries ${field}`);
        }
      }
      for (const { id } of companies) {
        const params = { prospect_search_id: profile_id, company_id: id ?? '' };
        const { markdown, urls, content_fingerprint } = await probe.ask(operations.getWebsiteMarkdown, 200, { params });
        const digest = createHash('sha256').update(markdown).digest('hex');
        test.expectEqual('content_fingerprint', content_fingerprint, digest);
        probe.expect(
          urls.every((url) => URL.canParse(url)),
          'urls must be URLs',
        );
      }
      const unknown = { params: { prospect_search_id: profile_id, company_id: probe.newId() } };
      await probe.answers(operations.getWebsiteMarkdown, 404, { ...unknown, code: 'COMPANY_NOT_FOUND' });
    },
  },
];
