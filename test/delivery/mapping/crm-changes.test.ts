import * as fc from 'fast-check';
import {
  toChanges,
  toCompanyProperties,
  type PropertiesByPolicy,
} from '../../../src/delivery/mapping/crm-properties.ts';
import { defaultMapping } from '../../../src/delivery/mapping/default-mapping.ts';
import { isSame } from '../../../src/ledger/property-values.ts';
import { company, slot } from './slot-builders.ts';

const nothing: PropertiesByPolicy = { always: {}, fillEmpty: {}, onlyIfOurs: {}, stamp: {} };
const nobodys = () => false;
const ours = () => true;

describe('toChanges', () => {
  it('writes "always" when the value differs, and "fill-empty" when the record is empty', () => {
    const wanted = {
      ...nothing,
      always: { status: 'ENRICHED', kept: 'weekly', code: '' },
      fillEmpty: { name: 'Acme', city: 'Bern', zip: '1', fax: '2' },
    };
    const current = { status: 'PARTIAL', kept: 'weekly', code: null, name: 'By hand', city: '', zip: null, fax: '  ' };
    expect(toChanges(wanted, current, nobodys)).toEqual({ status: 'ENRICHED', city: 'Bern', zip: '1', fax: '2' });
  });

  it('clears a managed property, but not an empty one', () => {
    const wanted = { ...nothing, always: { quality: '', other: '' } };
    expect(toChanges(wanted, { quality: 'risky', other: null }, nobodys)).toEqual({ quality: '' });
  });

  it('writes "only-if-ours" when the record is empty or has the value that was written last', () => {
    const wanted = { ...nothing, onlyIfOurs: { a: 'new', b: 'new', c: 'new', d: 'same' } };
    const requested: string[][] = [];
    const isOurs = (property: string, current: string) => {
      requested.push([property, current]);
      return property === 'b';
    };
    expect(toChanges(wanted, { a: null, b: 'old', c: 'By hand', d: 'same' }, isOurs)).toEqual({ a: 'new', b: 'new' });
    expect(requested).toEqual([
      ['b', 'old'],
      ['c', 'By hand'],
    ]);
  });

  it('writes the stamp together with another change, and never alone', () => {
    const wanted = { ...nothing, always: { status: 'ENRICHED' }, stamp: { run: 'new', version: 'v2' } };
    const current = { status: 'ENRICHED', run: 'old', version: 'v2' };
    expect(toChanges(wanted, current, ours)).toEqual({});
    expect(toChanges(wanted, { ...current, status: '' }, ours)).toEqual({ status: 'ENRICHED', run: 'new' });
  });

  it('creates a record with all values that are not empty', () => {
    const wanted = {
      always: { a: '1', empty: '' },
      fillEmpty: { b: '2' },
      onlyIfOurs: { c: '3' },
      stamp: { d: '4' },
    };
    expect(toChanges(wanted, {}, nobodys)).toEqual({ a: '1', b: '2', c: '3', d: '4' });
  });

  it('treats a property named like an inherited one as absent', () => {
    expect(toChanges({ ...nothing, fillEmpty: { constructor: 'x' } }, {}, nobodys)).toEqual({ constructor: 'x' });
  });

  it('writes only what a changed mapping changes', () => {
    const from = (mapping: typeof defaultMapping, mappingVersion: string) =>
      toCompanyProperties(
        slot(),
        company(),
        { order: { id: 'o', run: 'r', title: 'New companies' }, mappingVersion },
        mapping,
      );
    const before = toChanges(from(defaultMapping, 'v1'), {}, nobodys);
    expect(toChanges(from(defaultMapping, 'v2'), before, nobodys)).toEqual({});
    const industry = { from: 'company.industry', transform: null, policy: 'always' } as const;
    const changed = { ...defaultMapping, companies: { ...defaultMapping.companies, industry_text: industry } };
    expect(toChanges(from(changed, 'v2'), before, nobodys)).toEqual({
      industry_text: 'Machines',
      prospect_sync_mapping_version: 'v2',
    });
  });

  it('is empty after the write, and overwrites existing values only with "always"', () => {
    const text = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('12', '12.0', 'A@b.de', 'true', 'a;b', 'b;a'));
    const named = (prefix: string) =>
      fc.dictionary(
        fc.constantFrom('a', 'b', 'c').map((name) => prefix + name),
        text,
      );
    const filled = (prefix: string) =>
      named(prefix).map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value.trim() !== '')));
    const wanted = fc.record({
      always: named('a'),
      fillEmpty: filled('f'),
      onlyIfOurs: filled('o'),
      stamp: named('s'),
    });
    const present = fc.dictionary(
      fc.tuple(fc.constantFrom('a', 'f', 'o', 's'), fc.constantFrom('a', 'b', 'c')).map((parts) => parts.join('')),
      fc.option(text),
    );
    fc.assert(
      fc.property(wanted, present, fc.boolean(), (wanted, current, mine) => {
        const changes = toChanges(wanted, current, () => mine);
        const after = { ...current, ...changes };
        expect(toChanges(wanted, after, () => mine)).toEqual({});
        for (const [name, value] of Object.entries(current)) {
          const may = name in wanted.always || name in wanted.stamp || (mine && name in wanted.onlyIfOurs);
          expect(may || !value?.trim() || after[name] === value).toBe(true);
        }
        for (const [name, value] of Object.entries(wanted.always)) expect(isSame(value, after[name] ?? '')).toBe(true);
      }),
    );
  });
});
