import type { Prospect } from '../../src/service/contract/index.ts';
import { hashAt, pick } from '../deterministic-values.ts';
import { firstNames, jobTitles, lastNames } from './word-lists.ts';

/** `email_delivery_quality` and what goes with it; the first three values are the specification's examples. */
const deliveries = [
  quality('valid', true, 'client_deliverable', 'mailbox confirmed'),
  quality('valid', true, 'client_deliverable', 'mailbox confirmed'),
  quality('valid', true, 'generic_company_tier', 'role mailbox of the company'),
  quality('catch_all', false, 'risky_internal_catchall', 'the domain takes every address'),
] as const;

interface Employer {
  readonly seed: number;
  readonly index: number;
  readonly mailDomain: string;
  readonly idOf: (kind: number) => string;
}

/** One to three people with different names; their addresses are below `mailDomain`. */
export function prospectsOf(employer: Employer): Prospect[] {
  const traits = hashAt(employer.seed, employer.index, 110);
  return Array.from({ length: 1 + (traits % 3) }, (_, place) => prospectAt(employer, place, traits));
}

function prospectAt({ seed, index, mailDomain, idOf }: Employer, place: number, traits: number): Prospect {
  const own = hashAt(seed, index, 111 + place);
  // Steps of 11 through 32 names: colleagues never share a first name, so their addresses differ.
  const first = pick(firstNames, (traits >>> 3) + place * 11);
  const last = pick(lastNames, own);
  const local = `${asciiOf(first)}.${asciiOf(last)}`;
  return {
    id: idOf(1 + place),
    first_name: first,
    last_name: last,
    full_name: `${first} ${last}`,
    job_title: pick(jobTitles, (own >>> 5) + place),
    email: `${local}@${mailDomain}`,
    phone: null,
    linkedin_url: own % 3 === 0 ? null : `https://www.linkedin.example/in/${local.replace('.', '-')}-${index}`,
    qualification_score: 60 + ((own >>> 8) % 41),
    ...pick(deliveries, own >>> 12),
  };
}

function quality(email_status: string, email_client_deliverable: boolean, email_delivery_quality: string, why: string) {
  return { email_status, email_client_deliverable, email_delivery_quality, email_delivery_quality_reason: why };
}

/** Cached, because there are few names. */
function asciiOf(name: string): string {
  const known = asciiNames.get(name) ?? toAscii(name);
  asciiNames.set(name, known);
  return known;
}

const asciiNames = new Map<string, string>();

function toAscii(name: string): string {
  return name
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}
