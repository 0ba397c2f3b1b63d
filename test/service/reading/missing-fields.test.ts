import { findMissingFields } from '../../../src/service/reading/missing-fields.ts';
import {
  nothingCounted,
  type ShapeCounts,
  noFieldSettings,
  type FieldSettings,
  type Shape,
} from '../../../src/service/reading/shape.ts';

const complete: ShapeCounts = {
  enriched: 2,
  identified: 2,
  named: 2,
  withPeople: 2,
  people: 3,
  withEmail: 3,
  withName: 3,
};
const people = { prospects: { path: 'company.people', by: 'name' } } as const;
const shape: Shape = {
  company: { id: { path: 'id', by: 'name' }, ...people },
  prospect: { job_title: { path: 'title', by: 'name' } },
};
const samples = [
  {
    status: 'ENRICHED',
    reasons: [{ code: 'POLICY_ELIGIBLE' }],
    company: {
      id: 'geheim-1',
      bezeichnung: 'geheimwerk gmbh',
      netz: { adresse: 'geheimwerk.example' },
      groesse: 250,
      leer: '',
      people: [{ title: 'leitung', anrede: 'frau geheim', erreichbar: { post: 'anna@geheimwerk.example' } }],
    },
  },
];

interface Given {
  counts?: Partial<ShapeCounts>;
  company?: FieldSettings['company'];
  prospect?: FieldSettings['prospect'];
  contactsOrdered?: boolean | null;
  shape?: Shape;
  samples?: typeof samples;
}

function find({ counts = {}, company = {}, prospect = {}, contactsOrdered = true, ...given }: Given) {
  return findMissingFields({
    order: { shape: given.shape ?? shape, counts: { ...complete, ...counts }, unusable: {}, unread: {} },
    settings: { ...noFieldSettings, company, prospect },
    contactsOrdered,
    samples: given.samples ?? samples,
  });
}

const what = (given: Given) => find(given).map((missing) => missing.what);
const identity = 'a domain, a website or an id of the companies';
const noPeople = { people: 0, withPeople: 0, withEmail: 0, withName: 0 };
const withoutPeople: Shape = { ...shape, company: { ...shape.company, prospects: { path: null, by: 'absent' } } };

describe('findMissingFields', () => {
  it('returns nothing when every field was found', () => {
    expect(find({})).toEqual([]);
  });

  it('returns nothing when no slot is enriched', () => {
    expect(find({ counts: nothingCounted })).toEqual([]);
  });

  it('returns nothing when only some records lack a field', () => {
    expect(find({ counts: { identified: 1, named: 1, withEmail: 1, withName: 1 } })).toEqual([]);
  });

  it('reports missing company identities, with their settings and possible fields', () => {
    expect(find({ counts: { identified: 0 }, shape: { ...shape, company: people } })).toEqual([
      {
        what: identity,
        settings: ['service.fields.company.domain', 'service.fields.company.website_url', 'service.fields.company.id'],
        choices: [
          'id ("xxxxxx-0")',
          'bezeichnung ("xxxxxxxxxx xxxx")',
          'netz.adresse ("xxxxxxxxxx.xxxxxxx")',
          'groesse (a whole number)',
        ],
      },
    ]);
  });

  it('reports missing company names, and leaves out fields that are already used', () => {
    expect(find({ counts: { named: 0 } })).toEqual([
      {
        what: 'the names of the companies',
        settings: ['service.fields.company.name'],
        choices: ['bezeichnung ("xxxxxxxxxx xxxx")', 'netz.adresse ("xxxxxxxxxx.xxxxxxx")', 'groesse (a whole number)'],
      },
    ]);
  });

  it('reports missing email addresses and names of contacts', () => {
    const choices = ['anrede ("xxxx xxxxxx")', 'erreichbar.post ("xxxx@xxxxxxxxxx.xxxxxxx")'];
    expect(find({ counts: { withEmail: 0, withName: 0 } })).toEqual([
      { what: 'the email addresses of the people', settings: ['service.fields.prospect.email'], choices },
      {
        what: 'the names of the people',
        settings: [
          'service.fields.prospect.full_name',
          'service.fields.prospect.first_name',
          'service.fields.prospect.last_name',
        ],
        choices,
      },
    ]);
  });

  it('reports missing contacts when CONTACTS were ordered and no list was found', () => {
    expect(find({ counts: noPeople, shape: withoutPeople })).toEqual([
      {
        what: 'the people of the companies, although CONTACTS were ordered',
        settings: ['service.fields.company.prospects'],
        choices: ['netz (a record with adresse)', 'people (a list of records with title, anrede, erreichbar)'],
      },
    ]);
  });

  it.each([
    ['CONTACTS were not ordered', { contactsOrdered: false, shape: withoutPeople }],
    ['it is unknown what was ordered', { contactsOrdered: null, shape: withoutPeople }],
    ['the list is there and empty', { contactsOrdered: true, shape }],
    ['the setting is null', { contactsOrdered: true, shape: withoutPeople, company: { prospects: null } }],
  ])('does not report missing contacts when %s', (_, given) => {
    expect(find({ counts: noPeople, ...given })).toEqual([]);
  });

  it.each([
    [{ identified: 0 }, { company: { domain: null, website_url: null, id: null } }],
    [{ named: 0 }, { company: { name: null } }],
    [{ withEmail: 0 }, { prospect: { email: null } }],
    [{ withName: 0 }, { prospect: { full_name: null, first_name: null, last_name: null } }],
  ])('does not report fields that the settings declare absent (%j)', (counts, settings) => {
    expect(find({ counts })).toHaveLength(1);
    expect(find({ counts, ...settings })).toEqual([]);
  });

  it.each([
    [{ identified: 0 }, { company: { domain: null, id: null } }, identity],
    [{ withName: 0 }, { prospect: { full_name: null } }, 'the names of the people'],
  ])('reports a field when only some of its settings are null (%j)', (counts, settings, expected) => {
    expect(what({ counts, ...settings })).toEqual([expected]);
  });

  it('reports several fields at once', () => {
    expect(what({ counts: { identified: 0, named: 0, withEmail: 0, withName: 0 } })).toHaveLength(4);
  });

  it('lists at most eight possible fields', () => {
    const company = Object.fromEntries('abcdefghijkl'.split('').map((key) => [`feld_${key}`, 'wert']));
    const [missing] = find({
      counts: { named: 0 },
      samples: [{ ...samples[0], company }] as unknown as typeof samples,
    });
    expect(missing?.choices).toHaveLength(8);
  });

  it('contains no letter of a value', () => {
    const counts = { identified: 0, named: 0, withEmail: 0, withName: 0 };
    const serialized = JSON.stringify([find({ counts }), find({ counts: noPeople, shape: withoutPeople })]);
    expect(serialized).not.toMatch(/geheim|anna|frau|leitung|250/i);
  });
});
