import * as fc from 'fast-check';

import { toErrorFacts } from '../../src/hubspot/error-facts.ts';

describe('toErrorFacts', () => {
  it('reads code and property of a rejected request', () => {
    const body = {
      status: 'error',
      message: 'Property values were not valid',
      errors: [{ message: 'nope', code: 'INVALID_EMAIL', context: { propertyName: ['email'] } }],
      category: 'VALIDATION_ERROR',
      correlationId: 'a43683b0-5717-4ceb-80b4-104d02915d8c',
    };
    expect(toErrorFacts(body)).toEqual({
      category: 'VALIDATION_ERROR',
      code: 'INVALID_EMAIL',
      policyName: undefined,
      property: 'email',
      traceIds: [],
      correlationId: 'a43683b0-5717-4ceb-80b4-104d02915d8c',
      existingId: undefined,
      requiredScopes: [],
      ids: [],
    });
  });

  it('reads the JSON inside the message of a rejected row', () => {
    const detail =
      '[{"isValid":false,"message":"Property \\"missing\\" does not exist","error":"PROPERTY_DOESNT_EXIST","name":"missing"}]';
    const error = {
      status: 'error',
      category: 'VALIDATION_ERROR',
      message: `Property values were not valid: ${detail}`,
      context: { objectWriteTraceId: ['call-1-3'] },
    };
    expect(toErrorFacts(error)).toMatchObject({
      category: 'VALIDATION_ERROR',
      code: 'PROPERTY_DOESNT_EXIST',
      property: 'missing',
      traceIds: ['call-1-3'],
    });
  });

  it.each([
    [
      { message: 'You have reached your daily limit.', errorType: 'RATE_LIMIT', policyName: 'DAILY' },
      'RATE_LIMIT',
      'DAILY',
    ],
    [{ message: 'You have reached your secondly limit.' }, undefined, 'SECONDLY'],
    [{ message: 'You have reached your ten_secondly_rolling limit.' }, undefined, 'TEN_SECONDLY_ROLLING'],
  ])('reads the rate limit policy from %j', (body, category, policyName) => {
    expect(toErrorFacts(body)).toMatchObject({ category, policyName });
  });

  it('recognises an idProperty that is not unique', () => {
    const message = 'Unable to perform update/upsert by non-unique 0-2 property domain';
    expect(toErrorFacts({ message })).toMatchObject({ code: 'NON_UNIQUE_ID_PROPERTY', property: 'domain' });
  });

  it('reads a taken value from the message that names both records, whatever the value says', () => {
    const place =
      'portalId=7, objectTypeId=ObjectTypeId{legacyObjectType=CONTACT}, propertyName=email, value=propertyName=x Existing ID: 5. 6 already has that value';
    const message = `Cannot set PropertyValueCoordinates{${place}} on 552148386511. 552239500007 already has that value.`;
    expect(toErrorFacts({ status: 'error', message, category: 'VALIDATION_ERROR' })).toMatchObject({
      category: 'VALIDATION_ERROR',
      code: 'UNIQUE_VALUE_CONFLICT',
      property: 'email',
      existingId: '552239500007',
    });
  });

  it('uses subCategory or error as the code when there is no other', () => {
    expect(toErrorFacts({ subCategory: 'Properties.PROPERTY_WITH_NAME_EXISTS' }).code).toBe(
      'Properties.PROPERTY_WITH_NAME_EXISTS',
    );
    expect(toErrorFacts({ error: 'CONTACT_EXISTS', subCategory: { odd: true } }).code).toBe('CONTACT_EXISTS');
  });

  it.each([
    [{ message: 'Contact already exists. Existing ID: 123' }, '123'],
    [{ message: 'Cannot set PropertyValueCoordinates{value=7 x} on 4. 901 already has that value.' }, '901'],
    [{ message: 'x', errorTokens: { existingObjectId: ['77', '78'] } }, '77'],
    [{ message: 'x', errors: [{ code: 'UNIQUE_VALUE_CONFLICT', context: { existingObjectId: ['55'] } }] }, '55'],
    [{ message: 'x', errors: [{ code: 'X' }, { errorTokens: { existingObjectId: 66 } }] }, '66'],
    [{ message: 'Contact already exists. Existing ID: ada@lovelace.example' }, undefined],
    [{ message: 'x', errorTokens: { existingObjectId: ['ada@lovelace.example'] } }, undefined],
  ])('reads the id of the record that already has the value: %j', (body, existingId) => {
    expect(toErrorFacts(body).existingId).toBe(existingId);
  });

  it.each([
    [{ errors: [{ message: 'x', context: { requiredGranularScopes: ['crm.objects.companies.write'] } }] }],
    [{ context: { requiredScopes: ['crm.objects.companies.write'] } }],
  ])('reads the required scopes: %j', (body) => {
    expect(toErrorFacts({ category: 'MISSING_SCOPES', ...body }).requiredScopes).toEqual([
      'crm.objects.companies.write',
    ]);
  });

  it('keeps trace ids that consist of several words', () => {
    const objectWriteTraceId = ['020d5603-be20-8142-81b0-42c103b4c491/17#contact:0'];
    expect(toErrorFacts({ context: { objectWriteTraceId } }).traceIds).toEqual(objectWriteTraceId);
  });

  it('accepts any body, and never copies free text', () => {
    const field = fc.oneof(fc.emailAddress(), fc.lorem({ mode: 'sentences' }), fc.anything());
    const body = fc.record(
      {
        message: field,
        category: field,
        subCategory: field,
        errorType: field,
        error: field,
        policyName: field,
        correlationId: field,
        context: fc.oneof(field, fc.record({ propertyName: fc.array(field), objectWriteTraceId: fc.array(field) })),
        errors: fc.oneof(field, fc.array(fc.record({ code: field, context: field }))),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(body, fc.anything()), (value) => {
        const { ids: _ids, ...facts } = toErrorFacts(value);
        const words = Object.values(facts)
          .flat()
          .filter((fact) => fact !== undefined);
        expect(words.filter((word) => !/^[\w.:/#-]{1,200}$/.test(word))).toEqual([]);
      }),
    );
  });
});
