import { formatProblems } from '../../src/config/problems.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { head, parse as parseText } from './config-harness.ts';

const parse = (contacts: string) => parseText(`${head}contacts: ${contacts}\n`);

describe('contacts in prospect-sync.yaml', () => {
  it.each([
    ['{}', defaultContactPolicy],
    ['{delivery_quality: {}}', defaultContactPolicy],
    ['{require_client_deliverable: true}', { ...defaultContactPolicy, requireClientDeliverable: true }],
    ['{without_email: create}', { ...defaultContactPolicy, withoutEmail: 'create' }],
    [
      '{delivery_quality: {only: [good, fair], except: [risky]}}',
      { ...defaultContactPolicy, deliveryQualities: { only: ['good', 'fair'], except: ['risky'] } },
    ],
  ])('reads %s', (text, policy) => {
    expect(parse(text)).toMatchObject({ ok: true, config: { contacts: policy } });
  });

  it.each([
    [
      '{without_email: maybe}',
      '3:27 contacts.without_email: must be one of skip, create, found "maybe". Meaning: People without an email address: skip them, or create a contact by name',
    ],
    [
      '{require_client_deliverable: 1}',
      '3:40 contacts.require_client_deliverable: must be true or false, found 1. Did you mean true?',
    ],
    [
      '{delivery_quality: {only: []}}',
      '3:37 contacts.delivery_quality.only: at least 1 item, found a list of 0. Meaning: Accept only these values of email_delivery_quality; a missing value is left out',
    ],
    [
      '{delivery_quality: {only: [Good, fair], except: [bad, good]}}',
      '3:65 contacts.delivery_quality.except[1]: is also in only. Remove it from one of the two',
    ],
    [
      '{delivery_quality: {onli: [a]}}',
      '3:31 contacts.delivery_quality.onli: there is no such setting. Did you mean only?',
    ],
  ])('rejects %s', (text, problem) => {
    const parsed = parse(text);
    expect(parsed.ok ? '' : formatProblems(parsed, '').slice(1)).toBe(problem);
  });
});
