import * as fc from 'fast-check';
import { createAssociationStore, type AssociationStore } from '../../../../sandbox/hubspot/portal/association-store.ts';
import type { AssociationPair } from '../../../../sandbox/hubspot/built-in/association-types.ts';
import { createAssociationTypes } from '../../../../sandbox/hubspot/portal/portal-association-types.ts';
import { defaultAssumptions } from '../../../../sandbox/hubspot/hubspot-assumptions.ts';
import { companyType, contactType, dealType } from '../../../../sandbox/hubspot/object-types.ts';
import { runsOf } from '../../../helpers/sample.ts';

// Beside HubSpot's labels some of people's own, the first with the number of HubSpot's primary company.
const types = createAssociationTypes();
types.define(types.pair(contactType, companyType), { name: 'pays', label: 'Pays', inverseLabel: 'Paid by' });
types.define(types.pair(companyType, companyType), { name: 'twins', label: 'Twins' });
types.define(types.pair(companyType, companyType), { name: 'owns', label: 'Owns', inverseLabel: 'Owned by' });
const pairs = [
  types.pair(contactType, companyType),
  types.pair(companyType, contactType),
  types.pair(dealType, companyType),
  types.pair(companyType, companyType),
];
const id = fc.nat(4).map(String);
const step = fc.record({
  pair: fc.constantFrom(...pairs),
  from: id,
  to: id,
  act: fc.constantFrom('default', 'label', 'plain', 'unlink', 'merge'),
  labels: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 }),
});

function apply(
  store: AssociationStore,
  { pair, from, to, act, labels }: typeof step extends fc.Arbitrary<infer S> ? S : never,
) {
  if (pair.from === pair.to && from === to) return;
  const keys = labels.map((label) => pair.labels[label % pair.labels.length]?.key ?? '');
  if (act === 'default') store.linkDefault(pair, from, to);
  else if (act === 'label') store.link(pair, from, to, new Set(keys));
  else if (act === 'plain') store.link(pair, from, to, new Set());
  else if (act === 'unlink') store.unlink(pair, from, to);
  else if (from !== to) store.merge(pair.from, [from, to], from);
}

function linksOf(store: AssociationStore, pair: AssociationPair) {
  return ['0', '1', '2', '3', '4'].flatMap((from) =>
    [...store.linked(pair, from)].map(([to, labels]) => ({ from, to, labels: [...labels].sort() })),
  );
}

describe('createAssociationStore', () => {
  it('keeps both directions equal, and at most one link of a single-link label', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, firstCompanyBecomesPrimary) => {
        const store = createAssociationStore({ ...defaultAssumptions, firstCompanyBecomesPrimary }, types);
        for (const one of steps) {
          apply(store, one);
          for (const pair of pairs) {
            const back = types.pair(pair.to, pair.from);
            const inverse = new Map(pair.labels.map((label) => [label.key, label.inverse]));
            for (const { from, to, labels } of linksOf(store, pair)) {
              const expected = labels.map((label) => inverse.get(label) ?? '').sort();
              const seen = [...(store.linked(back, to).get(from) ?? ['unlinked'])].sort();
              expect([pair.unlabelled, from, to, seen]).toEqual([pair.unlabelled, from, to, expected]);
            }
            for (const { key, only } of pair.labels) {
              if (only === undefined) continue;
              const holders = linksOf(store, pair)
                .filter(({ labels }) => labels.includes(key))
                .map((link) => link[only]);
              expect(new Set(holders).size).toBe(holders.length);
            }
          }
        }
      }),
      { numRuns: runsOf(200) },
    );
  });

  it('moves all links of merged records to the new record', () => {
    const links = fc.uniqueArray(fc.tuple(fc.nat(2).map(String), id), { selector: (link) => link.join() });
    fc.assert(
      fc.property(links, (links) => {
        const store = createAssociationStore(defaultAssumptions, types);
        const [pair] = pairs as [AssociationPair];
        for (const [contact, company] of links) store.linkDefault(pair, contact, company);
        store.merge(contactType, ['0', '1'], '9');
        const of = (...contacts: string[]) =>
          new Set(links.filter(([contact]) => contacts.includes(contact)).map(([, company]) => company));
        expect(new Set(store.linked(pair, '9').keys())).toEqual(of('0', '1'));
        expect(new Set(store.linked(pair, '2').keys())).toEqual(of('2'));
        expect([...store.linked(pair, '0').keys(), ...store.linked(pair, '1').keys()]).toEqual([]);
      }),
    );
  });
});
