import { operations } from '../../src/service/contract/index.ts';
import { need, type Check } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { bySearch, searchOfProfile } from './path-parameters.ts';

const { getWebsiteMarkdown, listDeliveredCompanies } = operations;

export const deliveryReads: readonly Check[] = [
  {
    id: 'deliveries.unknown-id',
    clause: 'Authentication 7; not shown: the 404 body',
    title: 'deliveries and website markdown of an unknown prospect search are 404',
    effect: 'read',
    async run(probe, { unknownId }) {
      await probe.answers(listDeliveredCompanies, 404, { params: { prospect_search_id: unknownId } });
      await probe.answers(getWebsiteMarkdown, 404, {
        params: { prospect_search_id: unknownId, company_id: unknownId },
      });
    },
  },
];

export const deliveryChecks: readonly Check[] = [
  {
    id: 'deliveries.list',
    clause: 'Endpoints, GET deliveries; Change history 1.1.0, 1.3.0',
    title: 'the legacy listing of the profile can be read',
    effect: 'orders',
    async run(probe, { profileId }) {
      const search = await findSearch(probe, profileId);
      const page = await probe.ask(listDeliveredCompanies, 200, bySearch(search));
      const prospects: readonly object[] = page.companies.flatMap((company) => company.prospects ?? []);
      const withRemovedField = prospects.filter((p) => 'validation_confidence' in p || 'bounce_risk_score' in p).length;
      probe.expect(
        withRemovedField === 0,
        `GET deliveries: ${withRemovedField} prospects have a field that was removed from the specification`,
      );
    },
  },
  {
    id: 'deliveries.website-markdown',
    clause: 'Endpoints, GET website-markdown; Change history 1.1.0',
    title: 'the website markdown of a delivered company comes with its provenance',
    effect: 'orders',
    async run(probe, { profileId, collected }) {
      const company = collected.discovery?.deliveredCompanyId ?? collected.enrichment?.deliveredCompanyId;
      const params = { company_id: need(company, 'a delivered company') };
      const search = await findSearch(probe, profileId);
      await probe.ask(getWebsiteMarkdown, 200, { params: { ...params, prospect_search_id: search } });
    },
  },
];

function findSearch(probe: Probe, profileId: string | undefined): Promise<string> {
  return searchOfProfile(profileId, (search) => probe.raw.send(listDeliveredCompanies, bySearch(search)));
}
