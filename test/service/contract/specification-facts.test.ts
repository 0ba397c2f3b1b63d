/**
 * Compares the committed openapi.json with facts that were copied from the specification by hand, independently of
 * the schemas, to find misreadings that client and sandbox share. `departures` lists intended differences; a new one and
 * a missing one both fail.
 */
import { readFileSync } from 'node:fs';
import facts from '../../fixtures/specification-facts.json' with { type: 'json' };

// A document of unknown depth; the tests check every step.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fact = string | (Record<string, unknown> & { is: string });

const document: Json = JSON.parse(readFileSync('openapi.json', 'utf8'));

const departures: Record<string, string> = {
  // The tolerant reader accepts null for an omitted field; the sandbox never sends it (`toStrict`).
  'Result slot.external_id': 'optional string or null',
  'Result slot.duplicate_of_input_position': 'optional integer or null',
  'Reason.detail': 'optional string or null',
  'Company.source_id': 'optional string or null',
  'Prospect.email_status': 'optional string or null',
  'Prospect.email_client_deliverable': 'optional boolean or null',
  'Prospect.email_delivery_quality': 'optional string or null',
  'Prospect.email_delivery_quality_reason': 'optional string or null',
  // Absent until COMPLETED, and without a spreadsheet (A41, A50).
  'Output.result_count': 'optional integer or null',
  'Output.result_sha256': 'optional string or null',
  'Output.location': 'optional string or null',
};

const largestOffset = 'offset.maximum=9007199254740991';

/** Limits that only openapi.json states, by query or body; each is marked as an assumption. */
const stricter: Record<string, string[]> = {
  'POST /api/v1/blacklists/{blacklist_id}/entries #/entries/items': ['company_name.minLength=1'],
  'POST /api/v1/search-profile-creations': [
    'profile_name.minLength=1',
    'ideal_customer_profile.minLength=1',
    'target_countries.items.minLength=1',
    'target_cities.items.minLength=1',
    'target_industries.items.minLength=1',
    'excluded_industries.items.minLength=1',
    'contact_roles.items.minLength=1',
    'output_language.minLength=1',
  ],
  'GET /api/v1/blacklists/{blacklist_id}/entries': [largestOffset],
  'GET /api/v1/orders/{order_id}/results': ['limit.minimum=1', largestOffset],
  'GET /api/v1/orders/{order_id}/outputs': ['limit.minimum=1', 'limit.maximum=100', largestOffset],
  'POST /api/v1/orders/{order_id}/outputs': ['output_language.minLength=1', 'spreadsheet_id.minLength=1'],
};

describe('openapi.json', () => {
  it('contains the version, the prefix of every path, and bearer authentication for all', () => {
    expect(document.info.version).toBe(facts.contract.version);
    for (const path of Object.keys(document.paths)) expect(path.startsWith(`${facts.contract.prefix}/`)).toBe(true);
    const [name = ''] = Object.keys(document.security[0]);
    expect(document.components.securitySchemes[name]).toEqual(facts.contract.security);
    for (const name of Object.keys(facts.operations)) expect(operationAt(name)).not.toHaveProperty('security');
  });

  it('contains exactly the operations of the specification', () => {
    const published = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    // The specification mentions an order list without its path (A79).
    expect(new Set(published)).toEqual(new Set([...Object.keys(facts.operations), 'GET /api/v1/orders']));
  });

  it.each(Object.entries(facts.operations))('states the scopes, statuses and key of %s', (name, fact) => {
    const operation = operationAt(name);
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining(fact.refusals));
    const stated = {
      scopes: fact.scopes === null ? [] : operation['x-required-scopes'],
      success: fact.success === null ? null : statuses.filter((status) => status < 300),
      hasMark: fact.scopes !== null || 'x-assumed' in operation,
    };
    expect(stated).toEqual({
      scopes: fact.scopes ?? [],
      success: fact.success === null ? null : [fact.success],
      hasMark: true,
    });
    if (!('idempotencyKey' in fact)) return;
    const key = operation.parameters.find((parameter: Json) => parameter.name === 'Idempotency-Key');
    expect([key?.in, key?.required]).toEqual(['header', fact.idempotencyKey === 'required']);
  });

  it('has no body for a 204', () => {
    for (const name of Object.keys(facts.operations)) {
      const { responses } = operationAt(name);
      expect(responses['204'] ?? {}).not.toHaveProperty('content');
    }
  });

  it.each(Object.entries<Record<string, Record<string, unknown>>>(facts.queries))(
    'describes the query of %s',
    (name, fact) => {
      const parameters = operationAt(name).parameters.filter((parameter: Json) => parameter.in === 'query');
      expect(parameters.map((parameter: Json) => parameter.name)).toEqual(Object.keys(fact));
      for (const { required, schema } of parameters) expect([required, schema.type]).toEqual([false, 'integer']);
      const publishedLimits = parameters.flatMap((parameter: Json) => limitsOf(parameter.name, parameter.schema));
      const meant = Object.entries(fact).flatMap(([key, stated]) => limitsOfFact(key, stated));
      expect(publishedLimits.toSorted(byText)).toEqual([...meant, ...(stricter[name] ?? [])].toSorted(byText));
    },
  );

  it.each(Object.entries<Record<string, Fact>>(facts.bodies))('describes the body of %s', (name, fields) => {
    const { required, schema } = bodyAt(name);
    expect(required).toBe(true);
    expect(fieldsOf(schema)).toEqual(mapValues(fields, (fact) => (typeof fact === 'string' ? fact : fact.is)));
    const publishedLimits = Object.entries<Json>(schema.properties).flatMap(([field, value]) => limitsOf(field, value));
    const meant = Object.entries(fields).flatMap(([field, fact]) => limitsOfFact(field, fact));
    expect(publishedLimits.toSorted(byText)).toEqual([...meant, ...(stricter[name] ?? [])].toSorted(byText));
  });

  it.each(Object.entries(stricter))('marks limits that the specification does not state: %s', (name, limits) => {
    const fields: [string, Json][] = name.startsWith('GET')
      ? operationAt(name).parameters.map(({ name, schema, ...parameter }: Json) => [name, { ...parameter, ...schema }])
      : Object.entries<Json>(bodyAt(name).schema.properties);
    const marks = new Map(fields.flatMap(([field, value]) => markedLimitsOf(field, value)));
    for (const limit of limits) expect([limit, marks.get(limit)]).toEqual([limit, expect.any(String)]);
  });

  it('marks all limits of the order body except the values of features', () => {
    const { properties } = bodyAt('POST /api/v1/orders').schema;
    const limits = Object.entries<Json>(properties).flatMap(([field, value]) => markedLimitsOf(field, value));
    expect(limits.length).toBeGreaterThan(7);
    const unmarked = limits.filter(([, mark]) => mark === undefined).map(([limit]) => limit);
    expect(unmarked).toEqual([`features.items.enum=${facts.features.join()}`]);
    expect([properties.webhook_url['x-assumed'], properties.profile_id['x-assumed']]).toEqual(['A54', 'A08']);
  });

  it('marks every id in a path, because the answer to an invalid id is not specified', () => {
    const ids = Object.keys(facts.operations).flatMap((name) =>
      operationAt(name).parameters.filter(
        ({ in: where, schema }: Json) => where === 'path' && schema.format === 'uuid',
      ),
    );
    expect(ids.length).toBeGreaterThan(15);
    expect(new Set(ids.map(({ schema }: Json) => schema['x-assumed']))).toEqual(new Set(['A55']));
  });

  it('marks the unspecified rules of an Idempotency-Key', () => {
    const keyOf = (name: string) =>
      operationAt(name).parameters.find((parameter: Json) => parameter.name === 'Idempotency-Key');
    const keys = Object.keys(facts.operations).flatMap((name) => keyOf(name) ?? []);
    expect(keys).toHaveLength(4);
    for (const { schema } of keys)
      expect(schema).toEqual({
        type: 'string',
        minLength: 1,
        maxLength: 255,
        pattern: '^[!-~](?:[ -~]*[!-~])?$',
        'x-assumed': 'A53',
      });
    expect(keyOf('POST /api/v1/orders')['x-assumed']).toBe('A17');
    expect(keyOf('POST /api/v1/orders/{order_id}/export')['x-assumed']).toBe('A53');
  });

  it('states the scopes of an order with blacklists', () => {
    const scopes = operationAt('POST /api/v1/orders')['x-required-scopes-with-blacklists'];
    expect(scopes).toEqual(expect.arrayContaining(facts.scopesOfOrderWithBlacklists));
    expect(scopes.filter((scope: string) => scope.startsWith('blacklists:')).length).toBeGreaterThan(0);
  });

  it('describes the fields of the order body that the specification names', () => {
    const { schema } = bodyAt('POST /api/v1/orders');
    const published = mapValues(fieldsOf(schema), (field) => field.replace('optional ', ''));
    expect(published).toEqual({ ...facts.orderBody, profile_id: 'uuid' });
    expect(deref(schema.properties.features.items).enum).toEqual(facts.features);
    expect(schema.properties.order_type.enum).toContain('DISCOVERY');
  });

  it('states what a website may start with', () => {
    const { schema } = bodyAt('POST /api/v1/blacklists/{blacklist_id}/entries #/entries/items');
    const pattern = new RegExp(unwrap(schema.properties.website_url).schema.pattern);
    for (const start of ['http://', 'https://', 'www.']) expect(`${start}acme.example`).toMatch(pattern);
    for (const start of ['', 'ftp://', '//', ' https://']) expect(`${start}acme.example`).not.toMatch(pattern);
  });

  const resources = Object.entries(facts.resources).flatMap(([name, fact]) =>
    fact.at.map((at) => ({ name, at, partly: 'isPartlyShown' in fact, gone: 'gone' in fact ? fact.gone : [], fact })),
  );
  it.each(resources)('describes $name in $at', ({ name, at, partly, gone, fact }) => {
    const published = fieldsOf(answerAt(at));
    const expected = mapValues<string>(fact.fields, (field, key) => departures[`${name}.${key}`] ?? field);
    expect(partly ? pickKeys(published, Object.keys(expected)) : published).toEqual(expected);
    for (const field of gone) expect(published).not.toHaveProperty(field);
  });

  it('departs only from stated fields that really differ', () => {
    for (const [name, published] of Object.entries(departures)) {
      const [resource = '', field = ''] = name.split('.');
      const stated: Json = Object.entries(facts.resources).find(([key]) => key === resource)?.[1].fields;
      expect(stated[field]).toEqual(expect.any(String));
      expect(stated[field]).not.toBe(published);
    }
  });

  it('marks every departure', () => {
    for (const name of Object.keys(departures)) {
      const [resource = '', field = ''] = name.split('.');
      const at = Object.entries(facts.resources).find(([key]) => key === resource)?.[1].at[0] ?? '';
      const published: Json = answerAt(at).properties[field];
      expect([name, published['x-assumed'] ?? published['x-assumed-null']]).toEqual([name, expect.any(String)]);
    }
  });

  it('marks the label of a summary, which the specification does not name', () => {
    const { properties } = answerAt('GET /api/v1/orders/{order_id}/results #/summary/reasons/items');
    expect(properties.label['x-assumed']).toBe('A56');
  });

  it.each(Object.entries(facts.words))('lists the values of %s', (_, fact) => {
    const schema = answerAt(fact.at);
    const partly = 'isPartlyShown' in fact;
    const known: string[] = schema['x-known-values'];
    expect(partly ? known.filter((word) => fact.are.includes(word)) : known).toEqual(fact.are);
    expect('x-assumed' in schema).toBe(partly);
  });

  it('describes the answers 401, 403 and 404', () => {
    for (const name of Object.keys(facts.operations)) {
      expect(fieldsOf(refusalAt(name, 401))).toEqual(facts.refusals[401]);
      expect(fieldsOf(refusalAt(name, 403))).toEqual(facts.refusals[403]);
    }
    for (const name of Object.keys(facts.operations).filter((name) => name.includes('{blacklist_id}')))
      expect(fieldsOf(refusalAt(name, 404))).toEqual(facts.refusals[404]);
    const either: Json[] = refusalAt('PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists', 404).anyOf;
    expect(either.map((schema) => fieldsOf(deref(schema)))).toContainEqual(facts.refusals[404]);
  });

  it('lists the scopes, also in a 403', () => {
    const { required_scopes } = refusalAt('GET /api/v1/blacklists', 403).properties;
    expect(required_scopes.items['x-known-values']).toEqual(facts.scopes);
  });

  it('lists every error code with its status, and marks the assumed ones', () => {
    const codes: Record<string, { status: number; assumed?: string }> = document['x-error-codes'];
    const isStated = (code: string) => Object.entries(facts.errorCodes).find(([key]) => key === code)?.[1] != null;
    const stated = Object.entries(facts.errorCodes).filter(([, status]) => status !== null);
    for (const [code, status] of stated) expect([code, codes[code]]).toEqual([code, { status }]);
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(Object.keys(facts.errorCodes)));
    for (const [code, { assumed }] of Object.entries(codes)) expect([code, !assumed]).toEqual([code, isStated(code)]);
    const known = refusalAt('GET /api/v1/orders/{order_id}/results', 409).properties.code['x-known-values'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(facts.errorCodes)));
  });

  it('lists every reason code with its slot status and whether it has a detail', () => {
    const published = mapValues<Json>(
      document['x-reason-codes'],
      ({ status, detail, legacy, discoveryOnly }, code) => ({
        status: code === 'RESULT_LIMIT_EXCEEDED' ? null : status,
        hasDetail: detail !== 'none',
        ...(legacy && { legacy }),
        ...(discoveryOnly && { discoveryOnly }),
      }),
    );
    expect(published).toEqual(facts.reasonCodes);
    const codes = answerAt('GET /api/v1/orders/{order_id}/results #/items/items/reason_codes/items')['x-known-values'];
    expect(codes).toEqual(Object.keys(facts.reasonCodes));
  });

  it('contains the limits', () => {
    expect(document['x-limits']).toEqual(facts.limits);
  });

  it('describes the webhook with its headers, fields, data keys and classifications', () => {
    const { parameters, requestBody } = document.webhooks.reply.post;
    expect(parameters.map(({ name }: Json) => name)).toEqual(facts.webhook.headers);
    for (const parameter of parameters) expect(parameter).toMatchObject({ in: 'header', required: true });
    expect(parameters[0]).toMatchObject({ description: expect.stringContaining('-Webhooks/1.0'), 'x-assumed': 'A65' });
    expect(Object.keys(requestBody.content)).toEqual([facts.webhook.contentType]);
    const body = deref(requestBody.content[facts.webhook.contentType].schema);
    expect(fieldsOf(body)).toEqual(facts.webhook.fields);
    const data = deref(body.properties.data);
    expect(fieldsOf(data)).toEqual(facts.webhook.dataFields);
    expect(data.properties.classification['x-known-values']).toEqual(facts.webhook.classifications);
    const types = facts.webhook.classifications.map((word) => `reply.${word}`);
    expect(body.properties.type['x-known-values']).toEqual(types);
  });
});

function operationAt(name: string): Json {
  const [method = '', path = ''] = name.split(' ');
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`openapi.json has no ${name}`);
  return operation;
}

function bodyAt(at: string): { required: boolean; schema: Json } {
  const { required, content } = operationAt(at).requestBody;
  return { required, schema: follow(content['application/json'].schema, at) };
}

/** The schema of the operation's 2xx answer, or the part of it at the pointer after `#`. */
function answerAt(at: string): Json {
  const responses = Object.entries<Json>(operationAt(at).responses);
  const success = responses.find(([status, { content }]) => Number(status) < 300 && content);
  if (!success) throw new Error(`openapi.json has no answer of ${at}`);
  return follow(success[1].content['application/json'].schema, at);
}

function refusalAt(name: string, status: number): Json {
  return deref(operationAt(name).responses[status].content['application/json'].schema);
}

/** `items` selects the items of an array, and a field of that name elsewhere. */
function follow(start: Json, at: string): Json {
  const steps = at.split('#/')[1]?.split('/') ?? [];
  return steps.reduce((schema: Json, step) => {
    const found = schema.type === 'array' ? schema.items : schema.properties?.[step];
    if (!found) throw new Error(`openapi.json has no ${step} in ${at}`);
    return unwrap(found).schema;
  }, deref(start));
}

function deref(schema: Json): Json {
  return schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
}

/** The schema without `null`, in any notation. */
function unwrap(schema: Json): { schema: Json; isNullable: boolean } {
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((word: string) => word !== 'null');
    return { schema: { ...schema, type }, isNullable: schema.type.includes('null') };
  }
  if (!schema.anyOf) return { schema: deref(schema), isNullable: false };
  const others = schema.anyOf.filter(({ type }: Json) => type !== 'null');
  if (others.length !== 1) return { schema, isNullable: false };
  return { schema: deref(others[0]), isNullable: others.length < schema.anyOf.length };
}

/** The type of each field, in the notation of the facts. */
function fieldsOf({ properties, required = [] }: Json): Record<string, string> {
  return mapValues<Json>(properties, (field, name) => {
    const { schema, isNullable } = unwrap(field);
    return `${required.includes(name) ? '' : 'optional '}${typeOf(schema)}${isNullable ? ' or null' : ''}`;
  });
}

function typeOf(schema: Json): string {
  if (schema.type === 'array') return `array of ${typeOf(deref(schema.items))}`;
  if (schema.format === 'uuid') return 'uuid';
  return schema.format === 'date-time' ? 'timestamp' : schema.type;
}

const keywords = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'default',
  'enum',
];

function limitsOf(field: string, value: Json): string[] {
  return markedLimitsOf(field, value).map(([limit]) => limit);
}

/** Each limit with the assumption mark of its schema. */
function markedLimitsOf(field: string, value: Json): [limit: string, mark: string | undefined][] {
  const { schema } = unwrap(value);
  const mark = value['x-assumed'] ?? schema['x-assumed'];
  const own = keywords.filter((word) => word in schema).map((word) => `${field}.${word}=${schema[word]}`);
  const pattern = schema.pattern && schema.format !== 'uuid' ? [`${field}.pattern=true`] : [];
  const ofItems = schema.type === 'array' ? markedLimitsOf(`${field}.items`, deref(schema.items)) : [];
  return [...[...own, ...pattern].map((limit): [string, string | undefined] => [limit, mark]), ...ofItems];
}

function limitsOfFact(field: string, fact: Fact | Record<string, unknown>): string[] {
  const { is: _is, ...stated } = typeof fact === 'string' ? { is: fact } : fact;
  return Object.entries(stated).map(([word, value]) => `${field}.${word}=${String(value)}`);
}

function mapValues<T, R = string>(record: Record<string, T>, map: (value: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function pickKeys(record: Record<string, string>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
