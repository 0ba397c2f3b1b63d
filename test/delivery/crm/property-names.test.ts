import { toCompanyProperties, toContactProperties } from '../../../src/delivery/mapping/crm-properties.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { propertyNames } from '../../../src/delivery/crm/record-match.ts';
import { company, prospect, slot } from '../mapping/slot-builders.ts';

const provenance = { order: { id: 'order-1', run: 'weekly', title: 'New companies' }, mappingVersion: '0123456789ab' };
const namesIn = (wanted: object | null) => Object.values(wanted ?? {}).flatMap((part: object) => Object.keys(part));

describe('propertyNames', () => {
  const known = company({ phone: '1', linkedin_url: 'x' });
  const person = prospect({ phone: '1', linkedin_url: 'x' });

  it.each([
    ['companies', toCompanyProperties(slot(), known, provenance, defaultMapping)],
    ['contacts', toContactProperties({ slot: slot(), prospect: person, company: known }, provenance, defaultMapping)],
  ] as const)('of %s are exactly the properties that are written', (type, wanted) => {
    expect(propertyNames(type, defaultMapping).toSorted()).toEqual(namesIn(wanted).toSorted());
  });
});
