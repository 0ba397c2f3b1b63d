import type { Company, Prospect, Slot } from '../../../src/service/contract/index.ts';

export function prospect(changes: Partial<Prospect> = {}): Prospect {
  return {
    id: '22222222-2222-4222-8222-222222222222',
    first_name: 'Anna',
    last_name: 'Abel',
    full_name: 'Anna Abel',
    job_title: 'Head of Sales',
    email: 'anna.abel@acme.example',
    phone: null,
    linkedin_url: null,
    qualification_score: 80,
    email_status: 'valid',
    email_client_deliverable: true,
    email_delivery_quality: 'client_deliverable',
    email_delivery_quality_reason: 'mailbox confirmed',
    ...changes,
  };
}

export function company(changes: Partial<Company> = {}): Company {
  return {
    id: '33333333-3333-4333-8333-333333333333',
    source_id: null,
    name: 'Acme GmbH',
    website_url: 'https://www.acme.example',
    domain: 'acme.example',
    description: 'Makes things',
    industry: 'Machines',
    employee_count: 12,
    founded_year: 1990,
    phone: null,
    email: null,
    street: 'Ring 1',
    postal_code: '10115',
    city: 'Berlin',
    country: 'Germany',
    linkedin_url: null,
    fit_score: 70,
    prospects: [],
    ...changes,
  };
}

export function slot(changes: Partial<Slot> = {}): Slot {
  return {
    input_position: 7,
    status: 'ENRICHED',
    reason_codes: ['POLICY_ELIGIBLE'],
    reasons: [],
    company: company(),
    delivered_at: '2026-11-20T12:00:00.123456Z',
    ...changes,
  };
}
