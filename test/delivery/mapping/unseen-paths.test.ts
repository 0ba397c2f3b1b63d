import { findUnseenPaths } from '../../../src/delivery/mapping/unseen-paths.ts';
import { detectShape } from '../../../src/service/reading/detect-shape.ts';
import { noFieldSettings, nothingCounted } from '../../../src/service/reading/shape.ts';

const prospects = [{ email: 'a@alpha.example', full_name: 'Ada Alpha', seniority: 'C' }];
const company = { name: 'Alpha', domain: 'alpha.example', turnover: 5, address: { street: 'x' }, prospects };
const slots = [{ position: 0, status: 'ENRICHED', company }];
const shape = detectShape({ slots, settings: noFieldSettings, previous: null });
const unread = { 'company.turnover': 1, 'company.address': 1, 'company.prospects[].seniority': 1 };
const results = { shape, counts: nothingCounted, unusable: {}, unread };

describe('findUnseenPaths', () => {
  it('finds the fields below raw that no result had', () => {
    const paths = [
      'raw.company.turnovr',
      'raw.company.turnover',
      'raw.company.address.street',
      'raw.company.adress.street',
      'raw.company.name',
      'raw.company.employee_count',
      'raw.prospect.seniority',
      'raw.prospect.hobbies',
      'raw.prospect.email',
      'raw.reason_code',
      'company.name',
    ];
    expect(findUnseenPaths(paths, results)).toEqual([
      'raw.company.turnovr. Did you mean raw.company.turnover?',
      'raw.company.adress.street. Did you mean raw.company.address.street?',
      'raw.prospect.hobbies',
    ]);
  });

  it('finds none where not all names of fields are known', () => {
    expect(findUnseenPaths(['raw.company.turnovr'], { ...results, unread: { others: 9 } })).toEqual([]);
  });
});
