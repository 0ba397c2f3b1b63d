import { propertyNames } from '../../../src/delivery/crm/record-match.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { adoptionDomains, companyKey } from '../../../src/ledger/identity.ts';
import { matchCompanies, type CompanyIdentity } from '../../../src/delivery/crm/match-companies.ts';
import { companyAt, createCrm, type Crm } from './projection-harness.ts';

const properties = propertyNames('companies', defaultMapping);
const key = 'prospect_sync_company_key';

/** A company as matchCompanies receives it. */
function sought(domain: string, submittedId: string | null = null): CompanyIdentity {
  const company = companyAt(domain);
  return { submittedId, duplicateRecordIds: [], key: companyKey(company), domains: adoptionDomains(company) };
}

async function match({ dependencies }: Crm, ...companies: CompanyIdentity[]) {
  const matches = await matchCompanies(dependencies, companies, properties);
  return [...matches.values()].map(({ rule, record, candidates, problem }) => ({
    rule,
    id: record?.id ?? null,
    candidates,
    problem,
  }));
}

const found = (rule: string, id: string | undefined) => ({ rule, id, candidates: [id], problem: null });
const none = { rule: 'none', id: null, candidates: [], problem: null };

describe('matchCompanies', () => {
  it('prefers the submitted record to the one with the key, and that to the one with the domain', async () => {
    const crm = await createCrm();
    const [submitted = '', keyed, known] = await crm.create(
      'companies',
      { name: 'Submitted' },
      { name: 'Keyed', [key]: 'acme.example' },
      { name: 'Known', domain: 'acme.example' },
    );
    expect(await match(crm, sought('acme.example', submitted))).toEqual([
      { ...found('external_id', submitted), candidates: [submitted, keyed] },
    ]);
    expect(await match(crm, sought('acme.example'))).toEqual([found('key', keyed)]);
    await crm.archive('companies', keyed ?? '');
    expect(await match(crm, sought('acme.example'))).toEqual([found('domain', known)]);
    await crm.archive('companies', known ?? '');
    expect(await match(crm, sought('acme.example'))).toEqual([none]);
  });

  it('uses the first existing record that a later row submitted for the same company', async () => {
    const crm = await createCrm();
    const [removed = '', twin = '', other = ''] = await crm.create(
      'companies',
      { name: 'A' },
      { name: 'B' },
      { name: 'C' },
    );
    await crm.archive('companies', removed);
    const company = { ...sought('acme.example'), duplicateRecordIds: [removed, twin, other] };
    expect(await match(crm, company)).toEqual([found('external_id', twin)]);
    await crm.archive('companies', twin);
    await crm.archive('companies', other);
    expect(await match(crm, company)).toEqual([none]);
  });

  it('quarantines a company whose submitted record was deleted, whatever else matches', async () => {
    const crm = await createCrm({ assumed: { mergedIds: 'gone' } });
    const ids = await crm.create(
      'companies',
      { name: 'One' },
      { name: 'Two' },
      { name: 'Three', domain: 'acme.example' },
    );
    const [one = '', two = ''] = ids;
    await crm.merge('companies', one, two);
    const [removed = ''] = await crm.create('companies', { name: 'Gone' });
    await crm.archive('companies', removed);
    const missing = { rule: 'external_id', id: null, problem: 'submitted_record_missing' };
    expect(await match(crm, ...[one, two, removed, 'CRM-7'].map((id) => sought('acme.example', id)))).toEqual([
      { ...missing, candidates: [one] },
      { ...missing, candidates: [two] },
      { ...missing, candidates: [removed] },
      { ...missing, candidates: [] },
    ]);
  });

  it.each([
    ['keeps the id of the primary one', { mergeKeepsPrimaryId: true }],
    ['resolves earlier ids', {}],
  ])('follows a merged submitted record when HubSpot %s', async (_, assumed) => {
    const crm = await createCrm({ assumed });
    const [one = '', two = ''] = await crm.create('companies', { name: 'One' }, { name: 'Two' });
    const merged = await crm.merge('companies', one, two);
    for (const submitted of [one, two])
      expect(await match(crm, sought('acme.example', submitted))).toEqual([found('external_id', merged)]);
  });

  it('gives a submitted record its new key before it matches the other companies of the batch', async () => {
    const crm = await createCrm();
    const [one = '', two = '', domained = ''] = await crm.create(
      'companies',
      { name: 'One', [key]: 'old.example' },
      { name: 'Two' },
      { name: 'Three', domain: 'shop.example' },
    );
    const matches = await matchCompanies(
      crm.dependencies,
      [
        sought('new.example', one),
        sought('new.example', two),
        sought('new.example'),
        sought('old.example'),
        sought('other.example', domained),
        sought('shop.example'),
      ],
      properties,
    );
    expect(
      [...matches.values()].map(({ rule, record, candidates, problem, conflictingProperties }) => [
        rule,
        record?.id,
        candidates,
        problem,
        conflictingProperties,
      ]),
    ).toEqual([
      ['external_id', one, [one], null, []],
      ['external_id', two, [two, one], null, [key]],
      ['key', one, [one], null, []],
      ['none', undefined, [], null, []],
      ['external_id', domained, [domained], null, []],
      ['domain', undefined, [domained], 'domain_of_another_company', []],
    ]);
  });

  it('uses a record id from the ledger only when the record has the key', async () => {
    const crm = await createCrm();
    const [wrong = '', right] = await crm.create(
      'companies',
      { name: 'Wrong', [key]: 'other.example' },
      { name: 'Right', [key]: 'acme.example' },
    );
    await crm.dependencies.ledger.records.save('companies', [
      { key: 'acme.example', recordId: wrong },
      { key: 'gone.example', recordId: '404' },
    ]);
    expect(await match(crm, sought('acme.example'), sought('gone.example'))).toEqual([found('key', right), none]);
  });

  it('finds a record from the ledger without searching for its key', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { name: 'Right', [key]: 'acme.example' });
    await crm.dependencies.ledger.records.save('companies', [{ key: 'acme.example', recordId: id }]);
    expect(await match(crm, sought('acme.example'))).toEqual([found('key', id)]);
    expect(crm.calls).toHaveLength(1);
  });

  it('prefers the exact domain to its parent domain', async () => {
    const crm = await createCrm();
    const [wide, exact] = await crm.create(
      'companies',
      { name: 'Wide', domain: 'acme.example' },
      { name: 'Exact', domain: 'shop.acme.example' },
    );
    expect(await match(crm, sought('shop.acme.example'), sought('team.acme.example'))).toEqual([
      found('domain', exact),
      found('domain', wide),
    ]);
  });

  // Guarantee: Ambiguous matches are never guessed
  it('reports an ambiguous match when two records have the domain, and names both', async () => {
    const crm = await createCrm();
    const exact = await crm.create(
      'companies',
      { name: 'A', domain: 'acme.example' },
      { name: 'B', domain: 'Acme.Example' },
    );
    const wide = await crm.create(
      'companies',
      { name: 'C', domain: 'wide.example' },
      { name: 'D', domain: 'wide.example' },
    );
    const undecided = { rule: 'domain', id: null, problem: 'domain_of_several_records' };
    expect(await match(crm, sought('acme.example'), sought('shop.wide.example'))).toEqual([
      { ...undecided, candidates: exact },
      { ...undecided, candidates: wide },
    ]);
  });

  it('finds a company by an additional domain, as one has after a merge', async () => {
    const crm = await createCrm();
    const [head = '', branch = '', primary] = await crm.create(
      'companies',
      { name: 'Acme', domain: 'acme.example' },
      { name: 'Acme DE', domain: 'acme-gmbh.example' },
      { name: 'Owner', domain: 'taken.example' },
    );
    const merged = await crm.merge('companies', head, branch);
    await crm.create('companies', { name: 'Other', domain: 'other.example', hs_additional_domains: 'taken.example' });
    expect(await match(crm, sought('acme-gmbh.example'), sought('taken.example'))).toEqual([
      found('additional_domain', merged),
      found('domain', primary),
    ]);
    expect(await match(crm, sought('shop.acme-gmbh.example'))).toEqual([found('domain', merged)]);
  });

  it('never guesses by an additional domain', async () => {
    const crm = await createCrm();
    const [one, two, keyed, shared] = await crm.create(
      'companies',
      { name: 'A', hs_additional_domains: 'both.example' },
      { name: 'B', hs_additional_domains: 'x.example; Both.example' },
      { name: 'C', domain: 'c.example', [key]: 'c.example', hs_additional_domains: 'd.example' },
      { name: 'E', domain: 'e.example', hs_additional_domains: 'f.example;g.example' },
    );
    const undecided = { rule: 'additional_domain', id: null };
    const several = { ...undecided, candidates: [shared], problem: 'domain_of_several_companies' };
    expect(await match(crm, ...['both', 'd', 'f', 'g'].map((name) => sought(`${name}.example`)))).toEqual([
      { ...undecided, candidates: [one, two], problem: 'domain_of_several_records' },
      { ...undecided, candidates: [keyed], problem: 'domain_of_another_company' },
      several,
      several,
    ]);
    expect(await match(crm, sought('e.example'), sought('f.example'), sought('shop.g.example'))).toEqual([
      found('domain', shared),
      several,
      none,
    ]);
  });

  it('names at most ten candidates', async () => {
    const crm = await createCrm();
    await crm.create('companies', ...Array.from({ length: 12 }, (_, i) => ({ name: `${i}`, domain: 'acme.example' })));
    expect((await match(crm, sought('acme.example')))[0]?.candidates).toHaveLength(10);
  });

  it('does not match a record that has the key of another company', async () => {
    const crm = await createCrm();
    const [other] = await crm.create(
      'companies',
      { name: 'Moved', domain: 'acme.example', [key]: 'other.example' },
      { name: 'Head', domain: 'group.example', [key]: 'group.example' },
    );
    expect(await match(crm, sought('acme.example'), sought('shop.group.example'))).toEqual([
      { rule: 'domain', id: null, candidates: [other], problem: 'domain_of_another_company' },
      none,
    ]);
  });

  it('ignores records with other keys under the parent domain', async () => {
    const crm = await createCrm();
    const [, free] = await crm.create(
      'companies',
      { name: 'Ours', domain: 'group.example', [key]: 'other.example' },
      { name: 'Free', domain: 'group.example' },
    );
    expect(await match(crm, sought('shop.group.example'))).toEqual([found('domain', free)]);
  });

  it('gives a record that several companies match to the one with its exact domain', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('companies', { name: 'Head', domain: 'group.example' });
    expect(
      await match(crm, sought('shop.group.example'), sought('group.example'), sought('team.group.example')),
    ).toEqual([none, found('domain', id), none]);
  });

  it('gives a record to none of several companies without its exact domain', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('companies', { name: 'Head', domain: 'group.example' });
    const several = { rule: 'domain', id: null, candidates: [id], problem: 'domain_of_several_companies' };
    expect(await match(crm, sought('shop.group.example'), sought('team.group.example'))).toEqual([several, several]);
  });

  describe('matchCompanies while search results are stale', () => {
    async function createLagging() {
      const crm = await createCrm({ searchLagMs: 60_000 });
      const [one = '', two = ''] = await crm.create(
        'companies',
        { name: 'One', domain: 'one.example' },
        { name: 'Two', domain: 'two.example', city: 'Bern' },
      );
      crm.pass(60_000);
      return { crm, one, two };
    }

    it('does not find a record before the index contains it', async () => {
      const { crm } = await createLagging();
      const [late] = await crm.create('companies', { name: 'Late', domain: 'late.example' });
      expect(await match(crm, sought('late.example'))).toEqual([none]);
      crm.pass(60_000);
      expect(await match(crm, sought('late.example'))).toEqual([found('domain', late)]);
    });

    it('does not match a record that has been archived', async () => {
      const { crm, one } = await createLagging();
      await crm.archive('companies', one);
      expect(await match(crm, sought('one.example'))).toEqual([none]);
    });

    it('does not count an archived record as a second candidate', async () => {
      const crm = await createCrm({ searchLagMs: 60_000 });
      const [one = '', two] = await crm.create('companies', { domain: 'acme.example' }, { domain: 'acme.example' });
      crm.pass(60_000);
      await crm.archive('companies', one);
      expect(await match(crm, sought('acme.example'))).toEqual([found('domain', two)]);
    });

    it('does not match a record whose domain has changed', async () => {
      const { crm, one } = await createLagging();
      await crm.edit('companies', one, { domain: 'moved.example' });
      expect(await match(crm, sought('one.example'))).toEqual([none]);
    });

    it('does not match a record that has got the key of another company', async () => {
      const { crm, one } = await createLagging();
      await crm.edit('companies', one, { [key]: 'other.example' });
      expect(await match(crm, sought('one.example'))).toEqual([
        { rule: 'domain', id: null, candidates: [one], problem: 'domain_of_another_company' },
      ]);
    });

    it('does not match a record that has lost its additional domain', async () => {
      const crm = await createCrm({ searchLagMs: 60_000 });
      const [id = ''] = await crm.create('companies', { name: 'A', hs_additional_domains: 'a.example' });
      crm.pass(60_000);
      await crm.edit('companies', id, { hs_additional_domains: '' });
      expect(await match(crm, sought('a.example'))).toEqual([none]);
    });

    it('returns the current properties of the record', async () => {
      const { crm, two } = await createLagging();
      await crm.edit('companies', two, { city: 'Basel' });
      const [found] = (await matchCompanies(crm.dependencies, [sought('two.example')], properties)).values();
      expect(found?.record?.properties).toMatchObject({ city: 'Basel' });
    });
  });
});
