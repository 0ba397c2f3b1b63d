import * as fc from 'fast-check';
import {
  defaultContactPolicy,
  findSkipRule,
  type ContactPolicy,
} from '../../../src/delivery/mapping/contact-policy.ts';
import { prospect } from './slot-builders.ts';

const policy = (changes: Partial<ContactPolicy>): ContactPolicy => ({ ...defaultContactPolicy, ...changes });
const qualities = (changes: Partial<ContactPolicy['deliveryQualities']>) =>
  policy({ deliveryQualities: { only: null, except: [], ...changes } });

describe('findSkipRule', () => {
  it('accepts every contact with an address by default', () => {
    const people = fc.record({
      email_client_deliverable: fc.constantFrom(true, false, null),
      email_delivery_quality: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(people, (person) => {
        expect(findSkipRule(prospect(person), defaultContactPolicy)).toBeNull();
        expect(findSkipRule(prospect({ ...person, email: ' ' }), defaultContactPolicy)).toBe('no_email');
      }),
    );
  });

  it.each([
    [true, null],
    [false, 'not_client_deliverable'],
    [null, 'not_client_deliverable'],
  ])('requires a deliverable address when configured: %j', (email_client_deliverable, rule) => {
    const required = policy({ requireClientDeliverable: true });
    expect(findSkipRule(prospect({ email_client_deliverable }), required)).toBe(rule);
  });

  it.each([
    [qualities({ only: ['good'] }), 'good', null],
    [qualities({ only: ['good'] }), ' Good', null],
    [qualities({ only: ['good'] }), 'risky', 'delivery_quality'],
    [qualities({ only: ['good'] }), null, 'delivery_quality'],
    [qualities({ except: ['risky'] }), 'Risky', 'delivery_quality'],
    [qualities({ except: ['risky'] }), 'good', null],
    [qualities({ except: ['risky'] }), null, null],
    [qualities({ only: ['good', 'fair'], except: ['fair'] }), 'fair', 'delivery_quality'],
  ])('compares the delivery quality with the configured words (%#)', (policy, email_delivery_quality, rule) => {
    expect(findSkipRule(prospect({ email_delivery_quality }), policy)).toBe(rule);
  });

  it('accepts a contact without an address when configured, if it has an id, whatever the rules for addresses', () => {
    const create = policy({
      withoutEmail: 'create',
      requireClientDeliverable: true,
      deliveryQualities: { only: ['good'], except: [] },
    });
    const nobody = { email: null, email_client_deliverable: null, email_delivery_quality: null };
    expect(findSkipRule(prospect(nobody), create)).toBeNull();
    expect(findSkipRule(prospect({ ...nobody, id: null }), create)).toBe('no_email');
    expect(findSkipRule(prospect(nobody), { ...create, withoutEmail: 'skip' })).toBe('no_email');
  });
});
