import { isPersonalId } from '../../../src/companies/sources/personal-id.ts';

describe('isPersonalId', () => {
  it.each([
    'jane@alpha.example',
    'j.doe+x@mail.alpha.co.uk',
    '+49 711 550',
    '+4971155012',
    '0049 711 55012',
    '0711 55 01 23',
    '0711/550123',
    '(0711) 55012-3',
    '555-010-1234',
  ])('finds %s', (id) => expect(isPersonalId(id)).toBe(true));

  it.each([
    'K-1001',
    '4711',
    '0010012345',
    '30523778935',
    '0049123456',
    'KD@4711',
    '2024-001-17',
    '12-34',
    '+1',
    '1234 5678',
    '',
  ])('does not find %s', (id) => expect(isPersonalId(id)).toBe(false));
});
