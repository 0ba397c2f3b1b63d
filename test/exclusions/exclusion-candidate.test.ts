import { toCandidateFromCrm, toCandidateFromRow } from '../../src/exclusions/exclusion-candidate.ts';

const now = new Date('2026-11-20T12:00:00Z');
const fromRow = (row: Record<string, string>) => toCandidateFromRow(row, { reason: 'Listed', now });
const fromCrm = (properties: Record<string, string | null>) =>
  toCandidateFromCrm({ id: '501', properties }, 'Customer');

describe('toCandidateFromRow', () => {
  it('gives an address the beginning that the service wants', () => {
    expect(fromRow({ company_name: 'Acme', website_url: 'acme.example' })).toEqual({
      entry: { company_name: 'Acme', website_url: 'https://acme.example', reason: 'Listed' },
      mended: true,
      sharedDomain: false,
      expired: false,
      problems: [],
    });
    expect(fromRow({ company_name: 'Acme', website_url: 'https://acme.example' }).mended).toBe(false);
    expect(fromRow({ company_name: 'Acme', website_url: '' }).mended).toBe(false);
  });

  it.each(['gmail.com', 'https://www.linkedin.com/company/acme', 'www.facebook.com/acme'])(
    'leaves %s out, which would exclude all who have an address there',
    (website_url) => {
      const { entry, mended, sharedDomain } = fromRow({ company_name: 'Acme', website_url, city: 'Graz' });
      expect({ entry, mended, sharedDomain }).toEqual({
        entry: { company_name: 'Acme', city: 'Graz', reason: 'Listed' },
        mended: false,
        sharedDomain: true,
      });
    },
  );

  it.each([
    ['2026-11-19', true],
    ['2026-11-20', false],
    [' 2026-11-21 ', false],
    ['', false],
    ['2026-11-20T12:00:00Z', true],
    ['2026-11-20T12:00:01Z', false],
    ['2026-11-20T13:30:00+02:00', true],
    ['2026-11-20T12:30+00:00', false],
  ])('takes %j for %s: a day counts to its end', (expires_at, expired) => {
    expect(fromRow({ company_name: 'Acme', expires_at })).toMatchObject({ expired, problems: [] });
  });

  it.each(['31.12.2026', '2027-02-31', '2026-11-20T12:00', 'soon', '46000'])('refuses %s as a date', (expires_at) => {
    expect(fromRow({ company_name: 'Acme', expires_at }).problems).toEqual([
      'expires_at: must be a date such as 2027-03-31, or a time with its zone',
    ]);
  });
});

describe('toCandidateFromCrm', () => {
  it('counts an address that somebody typed without its beginning, not the bare domain that the CRM keeps', () => {
    expect(fromCrm({ name: 'Acme', domain: 'acme.example' })).toMatchObject({ mended: false, sharedDomain: false });
    expect(fromCrm({ name: 'Acme', domain: null, website: 'acme.example' })).toMatchObject({ mended: true });
  });

  it('counts shared domains only where no other address is left', () => {
    expect(fromCrm({ name: 'Acme', domain: 'gmail.com', website: 'acme.example' })).toMatchObject({
      sharedDomain: false,
      entry: { website_url: 'https://acme.example' },
    });
    expect(fromCrm({ name: 'Acme', domain: 'gmail.com' })).toMatchObject({ sharedDomain: true });
  });

  it('is nothing without name and domain', () => {
    expect(fromCrm({ name: null, domain: 'gmail.com' })).toBeNull();
  });
});
