import { propertyNames } from '../../src/projection/record-match.ts';
import { defaultMapping } from '../../src/mapping/crm-plan.ts';
import { adoptionDomains, companyKey } from '../../src/mapping/identity.ts';
import { matchCompanies, type CompanyIdentity } from '../../src/projection/match-companies.ts';
import { companyAt, createCrm, type Crm } from './crm.ts';

const properties = propertyNames('companies', defaultMapping);
const key = 'prospect_sync_company_key';

/** A company to look for, as the projection asks for it. */
function sought(domain: string, submittedId: string | null = null): CompanyIdentity {
  const company = companyAt(domain);
  return { submittedId, duplicateRecordIds: [], key: companyKey(company), domains: adoptionDomains(company) };
}

async function match({ dependencies }: Crm, ...companies: CompanyIdentity[]) {
  const matches = await matchCompanies(dependencies, companies, properties);
  return matches.map(({ rule, record, candidates, problem }) => ({
    rule,
    id: record?.id ?? null,
    candidates,
    problem,
  }));
}

const found = (rule: string, id: string | undefined) => ({ rule, id, candidates: [id], problem: null });
const none = { rule: 'none', id: null, candidates: [], problem: null };

describe('matchCompanies', () => {
  it('takes the submitted record before the one with our key, and that before the one with the domain', async () => {
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

  it('takes the record that a later row submitted for the same company, the first that is there', async () => {
    const crm = await createCrm();
    const [gone = '', twin = '', other = ''] = await crm.create(
      'companies',
      { name: 'A' },
      { name: 'B' },
      { name: 'C' },
    );
    await crm.archive('companies', gone);
    const company = { ...sought('acme.example'), duplicateRecordIds: [gone, twin, other] };
    expect(await match(crm, company)).toEqual([found('external_id', twin)]);
    await crm.archive('companies', twin);
    await crm.archive('companies', other);
    expect(await match(crm, company)).toEqual([none]);
  });

  it('makes nothing of a submitted record that is gone, whatever else would be found', async () => {
    const crm = await createCrm();
    const ids = await crm.create(
      'companies',
      { name: 'One' },
      { name: 'Two' },
      { name: 'Three', domain: 'acme.example' },
    );
    const [one = '', two = ''] = ids;
    await crm.merge('companies', one, two);
    const [gone = ''] = await crm.create('companies', { name: 'Gone' });
    await crm.archive('companies', gone);
    const missing = { rule: 'external_id', id: null, problem: 'submitted_record_missing' };
    expect(await match(crm, ...[one, two, gone, 'CRM-7'].map((id) => sought('acme.example', id)))).toEqual([
      { ...missing, candidates: [one] },
      { ...missing, candidates: [two] },
      { ...missing, candidates: [gone] },
      { ...missing, candidates: [] },
    ]);
  });

  it('follows a submitted record that was merged where the portal does', async () => {
    const crm = await createCrm({ assumed: { mergeKeepsPrimaryId: true } });
    const [one = '', two = ''] = await crm.create('companies', { name: 'One' }, { name: 'Two' });
    await crm.merge('companies', one, two);
    expect(await match(crm, sought('acme.example', one))).toEqual([found('external_id', one)]);
  });

  it('gives a submitted record the key of its company, and other companies of the batch reckon with that', async () => {
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
      matches.map(({ rule, record, candidates, problem, conflictingProperties }) => [
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

  it('believes the ledger only where the record carries the key', async () => {
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

  it('takes the record that the ledger remembers without looking for its key', async () => {
    const crm = await createCrm();
    const [id = ''] = await crm.create('companies', { name: 'Right', [key]: 'acme.example' });
    await crm.dependencies.ledger.records.save('companies', [{ key: 'acme.example', recordId: id }]);
    expect(await match(crm, sought('acme.example'))).toEqual([found('key', id)]);
    expect(crm.calls).toHaveLength(1);
  });

  it('prefers the exact domain to the one it belongs to', async () => {
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

  it('never guesses between two records of a domain, and names both', async () => {
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

  it('names ten of many', async () => {
    const crm = await createCrm();
    await crm.create('companies', ...Array.from({ length: 12 }, (_, i) => ({ name: `${i}`, domain: 'acme.example' })));
    expect((await match(crm, sought('acme.example')))[0]?.candidates).toHaveLength(10);
  });

  it('leaves the record of another company of ours to that one', async () => {
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

  it('passes over companies of ours under the wider domain', async () => {
    const crm = await createCrm();
    const [, free] = await crm.create(
      'companies',
      { name: 'Ours', domain: 'group.example', [key]: 'other.example' },
      { name: 'Free', domain: 'group.example' },
    );
    expect(await match(crm, sought('shop.group.example'))).toEqual([found('domain', free)]);
  });

  it('gives a record that several claim to the one whose own domain it has', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('companies', { name: 'Head', domain: 'group.example' });
    expect(
      await match(crm, sought('shop.group.example'), sought('group.example'), sought('team.group.example')),
    ).toEqual([none, found('domain', id), none]);
  });

  it('gives a record that several claim, and none has for its own, to nobody', async () => {
    const crm = await createCrm();
    const [id] = await crm.create('companies', { name: 'Head', domain: 'group.example' });
    const several = { rule: 'domain', id: null, candidates: [id], problem: 'domain_of_several_companies' };
    expect(await match(crm, sought('shop.group.example'), sought('team.group.example'))).toEqual([several, several]);
  });

  describe('where search lags behind', () => {
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

    it('does not see a record before its time', async () => {
      const { crm } = await createLagging();
      const [late] = await crm.create('companies', { name: 'Late', domain: 'late.example' });
      expect(await match(crm, sought('late.example'))).toEqual([none]);
      crm.pass(60_000);
      expect(await match(crm, sought('late.example'))).toEqual([found('domain', late)]);
    });

    it('takes no candidate that was archived since', async () => {
      const { crm, one } = await createLagging();
      await crm.archive('companies', one);
      expect(await match(crm, sought('one.example'))).toEqual([none]);
    });

    it('counts no candidate that was archived since', async () => {
      const crm = await createCrm({ searchLagMs: 60_000 });
      const [one = '', two] = await crm.create('companies', { domain: 'acme.example' }, { domain: 'acme.example' });
      crm.pass(60_000);
      await crm.archive('companies', one);
      expect(await match(crm, sought('acme.example'))).toEqual([found('domain', two)]);
    });

    it('takes no candidate that has another domain by now', async () => {
      const { crm, one } = await createLagging();
      await crm.edit('companies', one, { domain: 'moved.example' });
      expect(await match(crm, sought('one.example'))).toEqual([none]);
    });

    it('takes no candidate that became another company of ours since', async () => {
      const { crm, one } = await createLagging();
      await crm.edit('companies', one, { [key]: 'other.example' });
      expect(await match(crm, sought('one.example'))).toEqual([
        { rule: 'domain', id: null, candidates: [one], problem: 'domain_of_another_company' },
      ]);
    });

    it('hands over what the record holds now', async () => {
      const { crm, two } = await createLagging();
      await crm.edit('companies', two, { city: 'Basel' });
      const [found] = await matchCompanies(crm.dependencies, [sought('two.example')], properties);
      expect(found?.record?.properties).toMatchObject({ city: 'Basel' });
    });
  });
});
