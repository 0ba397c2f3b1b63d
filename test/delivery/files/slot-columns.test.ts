import { withRecordLinks } from '../../../src/delivery/files/slot-columns.ts';
import { slotColumns } from '../../../src/delivery/files/slot-rows.ts';

const linksOf = (mode: 'slot' | 'prospect', text: string) => {
  const columns = slotColumns(mode, { further: { Site: 'company.website_url' }, ownHeaders: ['Website'] });
  const linked = columns.map((column) => withRecordLinks(column, 123));
  return Object.fromEntries(linked.flatMap(({ header, link }) => (link === undefined ? [] : [[header, link(text)]])));
};

describe('links of a results spreadsheet', () => {
  it('lead from ids to the records of the portal, and from addresses to pages', () => {
    const page = 'https://www.example.com/a';
    expect(linksOf('prospect', page)).toMatchObject({ Website: page, 'Company LinkedIn': page, LinkedIn: page });
    expect(linksOf('slot', '17')).toEqual({
      Website: null,
      'Company LinkedIn': null,
      'HubSpot Company Id': 'https://app.hubspot.com/contacts/123/record/0-2/17',
      'Best Contact LinkedIn': null,
      'Best Contact HubSpot Contact Id': 'https://app.hubspot.com/contacts/123/record/0-1/17',
    });
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:pass@example.com',
    'ms-excel:ofe|u|x',
    'a.example',
    '',
  ])('leave %j a text', (text) => expect(linksOf('prospect', text)).toMatchObject({ Website: null, LinkedIn: null }));
});
