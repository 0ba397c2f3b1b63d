import { readError } from '../../../src/service/reading/read-error.ts';

const read = (body: unknown, sent: unknown = null) => readError(body, { sent, secret: 'sk_live_secret' });

describe('readError', () => {
  it('reads the fields of a FastAPI body', () => {
    const body = {
      detail: [
        { loc: ['body', 'companies', 0, 'name'], msg: 'Field required', type: 'missing', input: { firma: 'Geheim' } },
        { loc: ['body', 'order_type'], msg: "Input should be 'DISCOVERY' or 'ENRICH'", type: 'enum' },
      ],
    };
    expect(read(body)).toMatchObject({
      code: undefined,
      fields: [
        { field: 'companies.0.name', text: 'Field required', type: 'missing' },
        { field: 'order_type', text: "Input should be 'DISCOVERY' or 'ENRICH'", type: 'enum' },
      ],
      detail: "companies.0.name (Field required); order_type (Input should be 'DISCOVERY' or 'ENRICH')",
    });
  });

  it('reads a problem with an errors map', () => {
    const body = {
      type: 'https://errors.example/validation-failed',
      title: 'Your request is invalid.',
      status: 422,
      errors: { 'companies[0].companyName': ['Is required', 'Is a text'], title: ['Is required'] },
    };
    expect(read(body)).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: [
        { field: 'companies.0.companyName', text: 'Is required', type: '' },
        { field: 'title', text: 'Is required', type: '' },
      ],
      detail: 'Your request is invalid.; companies.0.companyName (Is required); title (Is required)',
    });
  });

  it('reads a problem without fields', () => {
    const body = { type: 'urn:problem:order-not-found', title: 'Not found', detail: 'The order does not exist.' };
    expect(read(body)).toEqual({
      code: 'ORDER_NOT_FOUND',
      requestId: undefined,
      requiredScopes: undefined,
      grantedScopes: undefined,
      fields: [],
      detail: 'The order does not exist.',
    });
  });

  it('reads errors with a JSON pointer', () => {
    const body = {
      errors: [
        {
          status: '422',
          code: 'missing',
          title: 'Missing field',
          detail: 'is required',
          source: { pointer: '/search_profile/id' },
        },
        { code: 'unknown', title: 'Unknown field', source: { pointer: '#/companies/0/name' } },
        { code: 'bad', detail: 'is no number', source: { parameter: 'limit' } },
      ],
    };
    expect(read(body).fields).toEqual([
      { field: 'search_profile.id', text: 'is required', type: 'missing' },
      { field: 'companies.0.name', text: 'Unknown field', type: 'unknown' },
      { field: 'limit', text: 'is no number', type: 'bad' },
    ]);
  });

  it.each(['field', 'path', 'property', 'param', 'parameter', 'attribute', 'feld'])(
    'reads the field name from %s',
    (key) => {
      expect(read({ errors: [{ [key]: '$.companies[0].website', message: 'is unknown' }] }).fields).toEqual([
        { field: 'companies.0.website', text: 'is unknown', type: '' },
      ]);
    },
  );

  it.each([
    ['search_profile_id: Field required; companies[0].name: Field required', ['search_profile_id', 'companies.0.name']],
    ['title: too long\norder_type: Must be one of: DISCOVERY, LIST', ['title', 'order_type']],
    ['"search_profile_id" is required', ['search_profile_id']],
    ["body must have required property 'searchProfileId'", ['searchProfileId']],
    ["body/companies/0 must have required property 'name'", ['companies.0.name']],
    ['unknown field `profile_id`, expected `search_profile_id`', ['profile_id']],
    ['companies[0].company_name is not allowed', ['companies.0.company_name']],
    [
      ['property profile_id should not exist', 'searchProfileId must be a string'],
      ['profile_id', 'searchProfileId'],
    ],
    ['The order could not be placed.', []],
    ['https://profi-search.example is no website', []],
    ['anna.search@profi-search.example is no website', []],
    ['Error: the order is not valid. Nordwind GmbH: Field required', []],
  ])('reads field names from the sentence %j', (message, names) => {
    expect(read({ code: 'VALIDATION_ERROR', message }).fields.map(({ field }) => field)).toEqual(names);
  });

  it('prefers a list of fields to a sentence', () => {
    const body = { message: 'profile_id: Field required', errors: [{ field: 'title', message: 'Field required' }] };
    expect(read(body).fields.map(({ field }) => field)).toEqual(['title']);
  });

  it('reads an error in its own record', () => {
    const body = { error: { code: 'PROFILE_NOT_FOUND', message: 'The profile was not found.', request_id: 'req_1' } };
    const { code, requestId, detail } = read(body);
    expect({ code, requestId }).toEqual({ code: 'PROFILE_NOT_FOUND', requestId: 'req_1' });
    expect(detail).toMatch(/^The profile was not found\./);
  });

  it('reads a list of errors without fields', () => {
    expect(read({ errors: [{ code: 'GONE', message: 'The order is gone.' }] })).toMatchObject({
      code: 'GONE',
      fields: [],
      detail: 'The order is gone.',
    });
  });

  it('reads a German body with unknown names', () => {
    const body = {
      code: 'VALIDATION_FAILED',
      meldung: 'die anfrage ist ungültig',
      felder: [
        { feld: 'suchprofil', hinweis: 'muss angegeben werden' },
        { feld: 'auftrag', hinweis: 'ist hier unbekannt' },
      ],
    };
    expect(read(body)).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: [
        { field: 'suchprofil', text: 'muss angegeben werden', type: '' },
        { field: 'auftrag', text: 'ist hier unbekannt', type: '' },
      ],
      detail: 'die anfrage ist ungültig; suchprofil (muss angegeben werden); auftrag (ist hier unbekannt)',
    });
  });

  it('reads the required and the granted scopes', () => {
    const body = {
      code: 'INSUFFICIENT_SCOPE',
      message: 'The key lacks a scope.',
      required_scopes: ['orders:write', 'blacklists:read'],
      user_scopes: ['orders:read', 'not a scope', 7],
      request_id: 'req_2',
    };
    expect(read(body)).toEqual({
      code: 'INSUFFICIENT_SCOPE',
      requestId: 'req_2',
      requiredScopes: ['orders:write', 'blacklists:read'],
      grantedScopes: ['orders:read'],
      fields: [],
      detail: 'The key lacks a scope.',
    });
  });

  it.each([
    [
      { error: 'invalid_token', error_description: 'The token has expired.' },
      'invalid_token',
      'The token has expired.',
    ],
    [{ message: 'Forbidden' }, undefined, undefined],
    [{ code: 'two words', message: 'The order is gone.' }, undefined, 'The order is gone.'],
    [{ code: 'X' }, 'X', undefined],
  ])('reads code and text from %j', (body, code, detail) => {
    expect(read(body)).toMatchObject({ code, detail });
  });

  it.each([null, undefined, '', '<html><h1>502 Bad Gateway</h1></html>', [], 7, {}])('finds nothing in %j', (body) => {
    expect(read(body)).toEqual({
      code: undefined,
      requestId: undefined,
      requiredScopes: undefined,
      grantedScopes: undefined,
      fields: [],
      detail: undefined,
    });
  });

  it('shows at most ten fields, and counts the others', () => {
    const errors = Array.from({ length: 12 }, (_, index) => ({ field: `companies.${index}.name`, msg: 'is required' }));
    const { fields, detail } = read({ errors });
    expect(fields).toHaveLength(12);
    expect(detail).toMatch(/^companies\.0\.name \(is required\); .*; companies\.9\.name \(is required\); and 2 more$/);
  });

  describe('with values of the request', () => {
    const sent = {
      order_type: 'ENRICHMENT',
      profile_id: 'p-1',
      ideal_customer_profile: 'Wolkenfabriken mit Dachgarten',
      companies: [{ company_name: 'Geheimwerk GmbH', website_url: 'https://geheimwerk.example', city: 'Stillort' }],
    };
    const repeats =
      'rejected Geheimwerk GmbH, https://geheimwerk.example, Stillort, Wolkenfabriken mit Dachgarten, ' +
      'anna.schmidt@fremd.example, by Anna Schmidt, https://fremd.example/x, sk_live_secret';
    const bodies: [string, unknown][] = [
      ['a message', { code: 'X', message: repeats }],
      ['a problem', { title: 'Invalid request', detail: repeats }],
      ['FastAPI', { detail: [{ loc: ['body', 'city'], msg: repeats, type: 'value_error', input: sent }] }],
      ['errors with a pointer', { errors: [{ detail: repeats, source: { pointer: '/city' } }] }],
      ['an errors map', { errors: { city: [repeats] } }],
      ['an error record', { error: { code: 'X', message: repeats } }],
      ['a German list', { meldung: repeats, felder: [{ feld: 'ort', hinweis: repeats }] }],
      ['a key that is an address', { errors: { 'anna.schmidt@fremd.example': [repeats] } }],
      ['a field that is a sentence', { errors: [{ field: 'Geheimwerk GmbH', message: repeats }] }],
      ['a code that is a sentence', { code: repeats, request_id: repeats, required_scopes: [repeats] }],
    ];
    it.each(bodies)('never repeats a value of the request, an address or a name (%s)', (_, body) => {
      const serialized = JSON.stringify(read(body, sent));
      expect(serialized).not.toMatch(
        /geheimwerk|stillort|wolkenfabriken|dachgarten|schmidt|anna|fremd|sk_live_secret/i,
      );
    });
  });
});
