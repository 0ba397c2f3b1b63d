import { reasonCodes, slotStatuses } from '../../../src/service/contract/index.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { sourcePaths } from '../../../src/delivery/mapping/source-paths.ts';
import { transformNames, transforms } from '../../../src/delivery/mapping/transforms.ts';
import { toMappedProperties, toWrittenContent } from '../../../src/delivery/mapping/written-content.ts';

const content = (from: string, transform: (typeof transformNames)[number] | null = null) =>
  toWrittenContent({ from, transform, policy: 'always' });

describe('toWrittenContent', () => {
  it.each([
    ['company.name', null, 'text', null],
    ['company.employee_count', null, 'number', null],
    ['slot.input_position', null, 'number', null],
    ['slot.delivered_at', null, 'time', null],
    ['slot.delivered_at', 'date', 'date', null],
    ['slot.delivered_at', 'year', 'number', null],
    ['prospect.email_client_deliverable', null, 'boolean', ['true', 'false']],
    ['slot.status', null, 'text', [...slotStatuses]],
    ['slot.status', 'lowercase', 'text', slotStatuses.map((word) => word.toLowerCase())],
    ['slot.reason_codes', 'join', 'list', Object.keys(reasonCodes)],
    ['slot.reasons.code', 'first', 'text', Object.keys(reasonCodes)],
    ['slot.reason_codes', 'count', 'number', null],
    ['company.prospects', 'count', 'number', null],
    ['company.prospects.job_title', 'join', 'list', null],
  ] as const)('is for %s with transform %s of kind %s', (from, transform, kind, words) => {
    expect(content(from, transform)).toEqual({ kind, words, from });
  });

  it.each([
    ['1000', 'number'],
    ['-0.5', 'number'],
    ['1.000', 'text'],
    ['1,5', 'text'],
  ])('reads the constant %s as a %s', (value, kind) => {
    expect(toWrittenContent({ value, policy: 'always' })).toMatchObject({ kind, words: [value], isConstant: true });
  });

  it('returns a kind for every path and every transform that accepts it', () => {
    for (const [path, kind] of sourcePaths) {
      const taking = transformNames.filter((name) => transforms[name].takes.includes(kind));
      const all = kind === 'list' || kind === 'records' ? taking : [null, ...taking];
      for (const transform of all)
        expect(content(path, transform).kind).toMatch(/^(text|number|boolean|time|date|list)$/);
    }
  });
});

describe('toMappedProperties', () => {
  it('lists every mapped property with the content it receives', () => {
    const mapped = toMappedProperties(defaultMapping);
    const { companies, contacts } = defaultMapping;
    expect(mapped).toHaveLength(Object.keys(companies).length + Object.keys(contacts).length);
    expect(mapped).toContainEqual({
      type: 'companies',
      name: 'numberofemployees',
      holds: { kind: 'number', words: null, from: 'company.employee_count' },
    });
  });
});
