/** Finds which required fields the results of an order lack, and which settings would name them. */
import { describeForm } from './describe-shape.ts';
import { isEmpty, isFieldName, flattenRecord } from './flatten-record.ts';
import { pathInCompany, prospectsAt } from './detect-prospects.ts';
import type { OrderShape, FieldSettings, Shape } from './shape.ts';
import { isRecord } from '../../base/json/own-property.ts';

type Json = Readonly<Record<string, unknown>>;

export interface MissingField {
  /** Name of the missing field, for messages. */
  readonly what: string;
  /** Keys of prospect-sync.yaml; one of them has to be set. */
  readonly settings: readonly string[];
  /** Candidate fields of the response, with the form of an example. */
  readonly choices: readonly string[];
}

interface ExaminedOrder {
  readonly order: OrderShape;
  readonly settings: FieldSettings;
  /** Whether CONTACTS were ordered; null when it is not known. */
  readonly contactsOrdered: boolean | null;
  /** Slots as received. */
  readonly samples: readonly Json[];
}

const choicesShown = 8;

/** Empty when the results can be used. A field whose setting is null is not required. */
export function findMissingFields({
  order: { shape, counts },
  settings,
  contactsOrdered,
  samples,
}: ExaminedOrder): MissingField[] {
  if (counts.enriched === 0) return [];
  const missing: MissingField[] = [];
  const companies = samples.flatMap(({ company }) => (isRecord(company) ? [company] : []));
  const identity = ['domain', 'website_url', 'id'] as const;
  const peoplePath = shape.company.prospects?.path ?? null;
  const peopleInCompany = pathInCompany(peoplePath);
  const companyChoices = () => choicesOf(companies, claimedIn(shape.company, peopleInCompany), peopleInCompany);
  const isAccepted = (field: keyof FieldSettings['company']) => settings.company[field] === null;
  if (counts.identified === 0 && !identity.every(isAccepted)) {
    missing.push({
      what: 'a domain, a website or an id of the companies',
      settings: identity.map((field) => `service.fields.company.${field}`),
      choices: companyChoices(),
    });
  }
  if (counts.named === 0 && !isAccepted('name')) {
    missing.push({
      what: 'the names of the companies',
      settings: ['service.fields.company.name'],
      choices: companyChoices(),
    });
  }
  if (counts.people === 0) {
    if (contactsOrdered === true && peoplePath === null && !isAccepted('prospects')) {
      missing.push({
        what: 'the people of the companies, although CONTACTS were ordered',
        settings: ['service.fields.company.prospects'],
        choices: listsOf(samples),
      });
    }
    return missing;
  }
  const people = samples.flatMap((slot) => prospectsAt(slot, peoplePath));
  const personChoices = () => choicesOf(people, claimedIn(shape.prospect, null), null);
  if (counts.withEmail === 0 && settings.prospect.email !== null) {
    missing.push({
      what: 'the email addresses of the people',
      settings: ['service.fields.prospect.email'],
      choices: personChoices(),
    });
  }
  const nameFields = ['full_name', 'first_name', 'last_name'] as const;
  if (counts.withName === 0 && !nameFields.every((field) => settings.prospect[field] === null)) {
    missing.push({
      what: 'the names of the people',
      settings: nameFields.map((field) => `service.fields.prospect.${field}`),
      choices: personChoices(),
    });
  }
  return missing;
}

/** Paths that a field already reads. */
function claimedIn(readings: Shape['company'] | Shape['prospect'], people: string | null): Set<string> {
  const certain = Object.values(readings).flatMap(({ path }) => path ?? []);
  return new Set([...certain, ...(people === null ? [] : [people])]);
}

function choicesOf(records: readonly Json[], claimed: ReadonlySet<string>, except: string | null): string[] {
  const examples = new Map<string, unknown>();
  for (const record of records.slice(0, 50)) {
    for (const { path, value } of flattenRecord(record, except)) {
      if (!claimed.has(path) && isEmpty(examples.get(path))) examples.set(path, value);
    }
  }
  return [...examples]
    .filter(([, value]) => !isEmpty(value))
    .slice(0, choicesShown)
    .map(([path, value]) => `${path} (${describeForm(value)})`);
}

/** Lists of records, and single records, in slots and companies. */
function listsOf(samples: readonly Json[]): string[] {
  const found = new Map<string, string>();
  for (const slot of samples.slice(0, 50)) {
    for (const [key, value] of [
      ...Object.entries(slot),
      ...Object.entries(isRecord(slot['company']) ? slot['company'] : {}),
    ]) {
      const [first] = Array.isArray(value) ? value : [];
      const inner = isRecord(first) ? first : isRecord(value) ? value : null;
      if (key === 'company' || key === 'reasons' || inner === null) continue;
      if (!isFieldName(key)) continue;
      const names = Object.keys(inner).filter(isFieldName).slice(0, 4).join(', ');
      found.set(key, `${key} (${Array.isArray(value) ? 'a list of records' : 'a record'} with ${names})`);
    }
  }
  return [...found.values()].slice(0, choicesShown);
}
