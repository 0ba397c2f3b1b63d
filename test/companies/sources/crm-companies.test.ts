import { tmpdir } from 'node:os';
import { createFieldCleaner } from '../../../src/companies/sources/field-values.ts';
import { readCompanies } from '../../../src/companies/sources/enrichment-companies.ts';
import { toSourceText } from '../../../src/proof/report/source-text.ts';
import { readCrm } from '../../../src/companies/sources/crm-companies.ts';
import type { CrmCompanies } from '../../../src/config/enrichment-source-settings.ts';
import type { CrmRecord } from '../../../src/hubspot/hubspot-record.ts';
import { exclusionPortal } from '../../activities/exclusion-portal.ts';
import { failure } from '../../activities/activity-harness.ts';
import { discoveryPlan } from '../../helpers/pipeline.ts';
import { createSandboxPortal } from '../../helpers/sandbox-portal.ts';
import { crmCompanies } from '../../helpers/companies-source.ts';

const companies = [
  { name: 'Acme', domain: 'acme.example', country: 'Germany', lifecyclestage: 'lead' },
  { name: 'Beta', domain: 'beta.example', country: 'Germany', lifecyclestage: 'customer', city: 'Ulm' },
  { name: 'Gamma', domain: 'gamma.example', country: 'France', lifecyclestage: 'lead', city: 'Lyon' },
];

async function createPortal() {
  const portal = createSandboxPortal();
  const ids = await portal.createRecords('companies', companies);
  const read = async (selection: Partial<CrmCompanies>) => {
    const names: string[] = [];
    const fromCrm = ({ properties }: CrmRecord) => properties['name'] ?? null;
    const pages = readCrm(
      portal.client,
      crmCompanies(selection),
      { fromCrm, cleaner: createFieldCleaner(), problems: () => [] },
      new AbortController().signal,
    );
    for await (const { rows } of pages) names.push(...rows);
    return names.toSorted();
  };
  const { sandbox: portals, portalId, send: sendToHubSpot } = portal;
  return { ids, read, sendToHubSpot, ...exclusionPortal({ portals, portalId, sendToHubSpot }) };
}

describe('readCrm', () => {
  it('reads companies in lifecycle stages', async () => {
    const { read } = await createPortal();
    expect(await read({ lifecycleStages: ['lead'] })).toEqual(['Acme', 'Gamma']);
  });

  it('reads the members of lists, each once', async () => {
    const portal = await createPortal();
    const [acme = '', beta = '', gamma = ''] = portal.ids;
    const lists = [await portal.list([acme, beta]), await portal.list([beta, gamma])];
    expect(await portal.read({ lists })).toEqual(['Acme', 'Beta', 'Gamma']);
  });

  it.each([
    ['0-1', 'contacts'],
    ['0-3', 'deals'],
  ])('refuses a list of other records, and says what it contains: %s', async (objectTypeId, objects) => {
    const { read, sendToHubSpot } = await createPortal();
    const list = { name: 'Others', objectTypeId, processingType: 'MANUAL' };
    const { list: created } = await sendToHubSpot<{ list: { listId: string } }>('POST', '/crm/v3/lists', list);
    expect(await failure(read({ lists: [created.listId] }))).toMatchObject({
      type: 'ListRefused',
      message: expect.stringContaining(
        `HubSpot list ${created.listId} is a list of ${objects}, and a list of companies is needed: nothing was changed or ordered`,
      ),
    });
  });

  it('reads companies without a property', async () => {
    const { read } = await createPortal();
    expect(await read({ without: 'city' })).toEqual(['Acme']);
  });

  it('reads the companies of a search, by the groups of its filters', async () => {
    const { read } = await createPortal();
    const filterGroups = [
      [
        { propertyName: 'country', operator: 'EQ', value: 'Germany' },
        { propertyName: 'city', operator: 'HAS_PROPERTY' },
      ],
      [{ propertyName: 'domain', operator: 'IN', values: ['gamma.example'] }],
    ] as const;
    expect(await read({ filterGroups })).toEqual(['Beta', 'Gamma']);
  });

  it.each<[string, Partial<CrmCompanies>, string, string]>([
    ['a list that does not exist', { lists: ['999'] }, 'ListRefused', 'HubSpot list 999 does not exist'],
    ['an unknown property', { without: 'no_such' }, 'PropertyRefused', 'HubSpot has no company property "no_such"'],
    [
      'a search that HubSpot rejects',
      { filterGroups: [[{ propertyName: 'country', operator: 'IN' }]] },
      'SearchRefused',
      'companies.hubspot.filter_groups, country IN',
    ],
    [
      'an unknown property of a search',
      { filterGroups: [[{ propertyName: 'contry', operator: 'EQ', value: 'x' }]] },
      'PropertyRefused',
      'HubSpot has no company property "contry". Did you mean country?',
    ],
    [
      'the label of an option in a search, which would select all companies',
      { filterGroups: [[{ propertyName: 'lifecyclestage', operator: 'NEQ', value: 'Customer' }]] },
      'SearchRefused',
      'companies.hubspot.filter_groups[0].filters[0]: lifecyclestage NEQ "Customer": no option of the property. Did you mean customer?',
    ],
    [
      'a number with another sign in a search',
      {
        filterGroups: [
          [{ propertyName: 'country', operator: 'HAS_PROPERTY' }],
          [{ propertyName: 'numberofemployees', operator: 'GT', value: '1.000' }],
        ],
      },
      'SearchRefused',
      'companies.hubspot.filter_groups[1].filters[0]: numberofemployees GT "1.000": no clear number. Write 1000',
    ],
    [
      'a search of a text property by capitals',
      { filterGroups: [[{ propertyName: 'country', operator: 'IN', values: ['Germany', 'austria'] }]] },
      'SourceEmpty',
      'matches companies.hubspot.filter_groups; write the values of IN of a text property in lower case: germany',
    ],
    ['a search without companies', { without: 'name' }, 'SourceEmpty', 'no CRM company is without name'],
  ])('rejects %s', async (_, selection, type, message) => {
    const { read } = await createPortal();
    expect(await failure(read(selection))).toMatchObject({ type, message: expect.stringContaining(message) });
  });
});

describe('an enrichment of CRM companies', () => {
  it('names the records whose name looks wrong or is hardly that of a company, before the order', async () => {
    const { client, createRecords } = createSandboxPortal();
    const names = ['Test GmbH', '*', 'M?ller', 'Acme', 'Jordan'];
    const records = names.map((name, index) => ({ name, domain: `c${index}.example`, country: 'Norway' }));
    const ids = await createRecords('companies', records);
    const filterGroups = [[{ propertyName: 'country', operator: 'EQ', value: 'Norway' }]] as const;
    const { source } = await readCompanies(
      client,
      {
        runName: 'weekly',
        companies: crmCompanies({ filterGroups }),
        exclusions: [],
        maxBriefings: null,
        delivery: discoveryPlan(tmpdir(), { runName: 'weekly' }).delivery,
      },
      { signal: new AbortController().signal, recordProgress: () => {} },
    );
    expect(source.report.doubtfulRecords).toEqual({ records: 3, first: ids.slice(0, 3) });
    expect(toSourceText(source.report)).toContainEqual(
      expect.stringMatching(/^CRM companies whose name looks wrong .* or is hardly that of a company: 3 \(record \d+/),
    );
  });
});
