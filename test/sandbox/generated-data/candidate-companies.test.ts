import { createCandidates } from '../../../sandbox/generated-data/candidate-companies.ts';
import { companyAt } from '../../../sandbox/generated-data/company-generator.ts';

function first(count: number, criteria: Parameters<typeof createCandidates>[0]) {
  const candidateAt = createCandidates(criteria);
  return Array.from({ length: count }, (_, position) => companyAt(1, candidateAt(position)));
}

describe('createCandidates', () => {
  it('selects by countries (name or code) and industries, without repeating a company', () => {
    const companies = first(500, { target_countries: ['germany', 'AT'], target_industries: ['Software', 'Logistics'] });
    expect(new Set(companies.map(({ country }) => country))).toEqual(new Set(['Germany', 'Austria']));
    expect(new Set(companies.map(({ industry }) => industry))).toEqual(new Set(['Software', 'Logistics']));
    expect(new Set(companies.map(({ id }) => id)).size).toBe(500);
  });

  it('omits excluded industries', () => {
    const companies = first(500, { target_countries: ['CH'], excluded_industries: ['software'] });
    expect(companies.filter(({ industry }) => industry === 'Software')).toEqual([]);
    expect(new Set(companies.map(({ industry }) => industry)).size).toBe(11);
  });

  it('ignores criteria that match no generated company', () => {
    const companies = first(288, { target_countries: ['Atlantis'], target_industries: ['Alchemy'] });
    expect(new Set(companies.map(({ country }) => country)).size).toBe(12);
    expect(new Set(companies.map(({ industry }) => industry)).size).toBe(12);
  });
});
