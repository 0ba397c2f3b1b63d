import { type Property, findIncompatibility, type ContentKind } from '../../src/hubspot/crm-property.ts';

const property = (type: string, more: Partial<Property> = {}): Property => ({
  name: 'p',
  type,
  fieldType: 'text',
  ...more,
});
const content = (kind: ContentKind, words: readonly string[] | null = null) => ({ kind, words, from: 'a.b' });
const kinds: readonly ContentKind[] = ['text', 'number', 'boolean', 'time', 'date', 'list'];
const options = ['RED', 'GREEN'].map((value) => ({ value }));

describe('findIncompatibility', () => {
  it.each([
    ['string', kinds],
    ['phone_number', kinds],
    ['a type of next year', kinds],
    ['number', ['number']],
    ['bool', ['boolean']],
    ['date', ['date']],
    ['datetime', ['time', 'date']],
  ])('accepts the compatible kinds of content for a property of type %s', (type, fitting) => {
    const found = kinds.map((kind) => [kind, findIncompatibility(property(type), content(kind))] as const);
    expect(found.filter(([, misfit]) => misfit === undefined).map(([kind]) => kind)).toEqual(fitting);
    const misfits = found.flatMap(([, misfit]) => misfit ?? []);
    expect(misfits.filter(({ state, code }) => state !== 'problem' || code !== 'PROPERTY_TYPE_DIFFERS')).toEqual([]);
  });

  it('proposes a transform that makes the content compatible', () => {
    const message = (type: string, kind: ContentKind, more = {}) =>
      findIncompatibility(property(type), { ...content(kind), ...more })?.message;
    expect(message('number', 'text', { isUntyped: true })).toBe(
      'p is of type number and cannot hold a.b, a text: give it transform: integer, or map it to a text property',
    );
    expect(message('number', 'text')).toMatch(/a text: map it to a text property$/);
    expect(message('number', 'text', { isConstant: true })).toMatch(/a text: the value must be a number$/);
    expect(message('datetime', 'text', { isConstant: true })).toMatch(/a text: the value must be a time or a date$/);
    expect(message('date', 'time')).toMatch(/a time: give it transform: date$/);
    expect(message('bool', 'number')).toMatch(/a number: map it to a text property$/);
  });

  it.each(['string', 'enumeration'])(
    'warns of a field that is written as the owner, in a property of type %s',
    (type) => {
      const owner = property(type, { name: 'hubspot_owner_id', externalOptions: true });
      const found = (from: string, more = {}) =>
        findIncompatibility(owner, { kind: 'text', words: null, from, ...more });
      expect(found('company.name')).toEqual({
        state: 'warning',
        code: 'PROPERTY_OPTION_MISSING',
        message:
          'hubspot_owner_id takes only ids of owners: HubSpot rejects a record with another company.name. Write an id, or several as round_robin; a contact may take company_record.hubspot_owner_id',
      });
      expect(found('company_record.hubspot_owner_id')).toBeUndefined();
      expect(found('"111"', { kind: 'number', words: ['111'], isConstant: true })).toBeUndefined();
    },
  );

  it.each([
    [{ modificationMetadata: { readOnlyValue: true } }, true],
    [{ modificationMetadata: { readOnlyValue: false }, calculated: true }, false],
    [{ calculated: true }, true],
    [{ fieldType: 'calculation_equation', modificationMetadata: { readOnlyValue: false } }, true],
    [{}, false],
  ])('recognises whether %j is read-only', (more, isReadOnly) => {
    expect(findIncompatibility(property('string', more), content('text'))?.code).toBe(
      isReadOnly ? 'PROPERTY_READ_ONLY' : undefined,
    );
  });

  it.each([
    ['unknown words', content('text'), {}, 'warning'],
    ['words of which one is no option', content('text', ['RED', 'BLUE']), {}, 'warning'],
    ['constants of which one is no option', { ...content('text', ['RED', 'BLUE']), isConstant: true }, {}, 'problem'],
    ['words that are all options', content('text', ['RED']), {}, undefined],
    ['words of which none is an option', content('text', ['red']), {}, 'problem'],
    [
      'the same where HubSpot keeps the options elsewhere',
      content('text', ['red']),
      { externalOptions: true },
      'warning',
    ],
    ['several known words for one choice', content('list', ['RED', 'GREEN']), { fieldType: 'select' }, 'warning'],
    [
      'several known words for several choices',
      content('list', ['RED', 'GREEN']),
      { fieldType: 'checkbox' },
      undefined,
    ],
    ['numbers', content('number'), {}, 'warning'],
  ])('returns the right severity for an enumeration with %s', (_what, holds, more, state) => {
    expect(findIncompatibility(property('enumeration', { options, ...more }), holds)?.state).toBe(state);
  });
});
