import { findOperandProblems, findValueProblem } from '../../src/hubspot/filter-values.ts';
import type { Property } from '../../src/hubspot/crm-property.ts';
import type { SearchFilter } from '../../src/hubspot/search-filter.ts';

const property = (type: string, more: Partial<Property> = {}): Property => ({
  name: 'p',
  type,
  fieldType: type,
  ...more,
});
const stage = property('enumeration', {
  options: [
    { value: 'lead', label: 'Lead' },
    { value: 'marketingqualifiedlead', label: 'Marketing Qualified Lead' },
    { value: 'customer', label: 'Customer' },
  ],
});
const topics = property('enumeration', { fieldType: 'checkbox', options: [{ value: 'a' }, { value: 'b' }] });
const owner = property('enumeration', { name: 'hubspot_owner_id', externalOptions: true });

const judge = (of: Property, operator: SearchFilter['operator'], values: readonly string[]) => {
  const [value = '', highValue = ''] = values;
  return findValueProblem(of, { propertyName: 'p', operator, value, highValue, values });
};

describe('findValueProblem', () => {
  it.each<[string, Property, SearchFilter['operator'], string[]]>([
    ['an internal name', stage, 'NEQ', ['customer']],
    ['several internal names', stage, 'NOT_IN', ['customer', 'lead']],
    ['a part of an internal name', stage, 'CONTAINS_TOKEN', ['market*']],
    ['no value', stage, 'HAS_PROPERTY', ['Customer']],
    ['several checkboxes', topics, 'EQ', ['a;b']],
    ['options that are not listed', property('enumeration', { options: [] }), 'EQ', ['x']],
    ['options elsewhere', property('enumeration', { externalOptions: true }), 'EQ', ['x']],
    ['the id of an owner', owner, 'EQ', ['42']],
    ['a yes or no', property('bool'), 'EQ', ['true']],
    ['a number', property('number'), 'GT', ['1000']],
    ['a negative fraction', property('number'), 'BETWEEN', ['-0.5', '12.75']],
    ['a fraction below one', property('number'), 'GT', ['0.125']],
    ['milliseconds', property('datetime'), 'GTE', ['1793491200000']],
    ['the start of 1970', property('date'), 'GT', ['0']],
    ['an ISO day', property('date'), 'GTE', ['2026-11-01']],
    ['an ISO time', property('datetime'), 'GTE', ['2026-11-01T08:00:00.000Z']],
    ['any text', property('string'), 'EQ', ['1.000']],
  ])('accepts %s', (_, of, operator, values) => {
    expect(judge(of, operator, values)).toBeNull();
  });

  it.each<[Property, SearchFilter['operator'], string[], string]>([
    [stage, 'NEQ', ['Customer'], '"Customer": no option of the property. Did you mean customer? Internal names are'],
    [stage, 'NOT_IN', ['lead', 'CUSTOMER'], '"CUSTOMER": no option of the property. Did you mean customer?'],
    [stage, 'EQ', ['Marketing Qualified Leads'], 'Did you mean marketingqualifiedlead?'],
    [stage, 'NEQ', ['Kunde'], 'no option of the property. Internal names are needed: lead (Lead), marketing'],
    [stage, 'NOT_CONTAINS_TOKEN', ['Cust*'], '"Cust*": no option of the property.'],
    [stage, 'EQ', [''], '"": no option of the property.'],
    [topics, 'EQ', ['a;c'], '"a;c": no option of the property.'],
    [owner, 'NEQ', ['Sales'], '"Sales": no id of an owner. Owner ids are in the settings of HubSpot'],
    [property('bool'), 'EQ', ['Yes'], 'Did you mean true?'],
    [property('number'), 'GT', ['1.000'], '"1.000": no clear number. Write 1000, or 1 if that was meant'],
    [property('number'), 'LT', ['1,250'], 'Write 1250, or 1.25 if that was meant'],
    [property('number'), 'LT', ['1.125'], 'Write 1125, or 1.1250 if that was meant'],
    [property('number'), 'BETWEEN', ['1', '2.500'], '"2.500": no clear number. Write 2500, or 2.5'],
    [property('number'), 'IN', ['1', '12,5'], '"12,5": no clear number. Write 12.5'],
    [property('number'), 'GT', ['1.234.567,5'], 'Write 1234567.5'],
    [property('number'), 'GT', ['1 000 000'], 'Write 1000000'],
    [property('number'), 'GTE', ['über 50'], '"über 50": no clear number. Write the number in decimal digits'],
    [property('number'), 'GTE', ['1e3'], 'Write the number in decimal digits'],
    [property('number'), 'GTE', [''], 'Write the number in decimal digits'],
    [property('date'), 'GTE', ['01.11.2026'], 'Write milliseconds since 1970: 1793491200000, which is 2026-11-01'],
    [property('datetime'), 'LT', ['31.2.2026'], 'Write milliseconds since 1970: for example 1793491200000'],
    [property('datetime'), 'LT', ['11/01/2026'], 'no clear time. Write milliseconds since 1970: for example'],
    [property('datetime'), 'LT', ['2026-02-30'], 'no clear time; the day 2026-02-30 does not exist.'],
    [property('datetime'), 'LT', ['1793491200'], 'Write milliseconds since 1970: 1793491200000'],
    [property('datetime'), 'LT', ['2026'], 'no clear time.'],
  ])(
    'refuses a value that the property cannot have, and says what to write: %j %s %j',
    (of, operator, values, text) => {
      expect(judge(of, operator, values)).toContain(text);
      expect(judge(of, operator, values)).toMatch(new RegExp(`^p ${operator} "`));
    },
  );

  it('names some of many options', () => {
    const options = Array.from({ length: 150 }, (_, index) => ({ value: `OPTION_${index}` }));
    const problem = judge(property('enumeration', { options }), 'EQ', ['x']);
    expect(problem).toMatch(/OPTION_19 and 130 more$/);
  });
});

describe('findOperandProblems', () => {
  const find = (propertyName: string, operator: SearchFilter['operator'], ...values: string[]) => {
    const [value = '', highValue = ''] = values;
    return findOperandProblems({ propertyName, operator, value, highValue, values });
  };

  it.each([
    ['500', '50'],
    ['10', '9.5'],
    ['1', '-1'],
    ['2026-11-02', '2026-11-01'],
    ['2026-11-02T10:00:00Z', '2026-11-02'],
    ['1793491200000', '2026-10-31'],
  ])('finds that no value is between %s and %s', (low, high) => {
    expect(find('p', 'BETWEEN', low, high)).toEqual([
      { key: 'highValue', problem: `is below value, ${low}`, remedy: 'Swap value and highValue' },
    ]);
    expect(find('p', 'BETWEEN', high, low)).toEqual([]);
    expect(find('p', 'BETWEEN', low, low)).toEqual([]);
  });

  it.each([
    'https://www.anker.example',
    'http://Anker.example/shop?a=b',
    'anker.example/',
    'www.anker.example:443',
    '//anker.example',
  ])('finds the web address %s, and what to write', (address) => {
    const problem = 'is a web address, and domain has domains only';
    for (const operator of ['EQ', 'NEQ', 'CONTAINS_TOKEN'] as const)
      expect(find('domain', operator, address)).toEqual([{ key: 'value', problem, remedy: 'Write anker.example' }]);
    expect(find('domain', 'NOT_IN', 'beta.example', address)).toMatchObject([{ key: 'values', problem }]);
    expect(find('website', 'EQ', address)).toEqual([]);
  });

  it.each([' Anker', 'Anker ', '\u00A0Anker', ' '])('finds the blanks of %j', (text) => {
    const found = { problem: 'has blanks around it, which HubSpot compares too', remedy: 'Remove them' };
    expect(find('name', 'EQ', text)).toEqual([{ key: 'value', ...found }]);
    expect(find('name', 'IN', 'beta', text)).toEqual([{ key: 'values', ...found }]);
    expect(find('name', 'BETWEEN', 'a', text)).toEqual([{ key: 'highValue', ...found }]);
    expect(find('name', 'HAS_PROPERTY', text)).toEqual([]);
  });

  it.each<[string, SearchFilter['operator'], string[]]>([
    ['name', 'EQ', ['Anker Werke GmbH']],
    ['domain', 'EQ', ['anker.example']],
    ['domain', 'IN', ['anker.example', 'sub.beta.co.uk']],
    ['domain', 'CONTAINS_TOKEN', ['anker*']],
    ['name', 'BETWEEN', ['b', 'a']],
    ['zip', 'BETWEEN', ['01067', '99998']],
    ['createdate', 'BETWEEN', ['2026-11-01', '1893456000000']],
    ['name', 'EQ', ['']],
  ])('finds nothing in %s %s %j', (name, operator, values) => expect(find(name, operator, ...values)).toEqual([]));
});
