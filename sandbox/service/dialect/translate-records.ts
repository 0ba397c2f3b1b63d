/** Translates the companies and people of slots to other field names and forms. */
import { companyFields } from '../../../src/service/contract/company-fields.ts';
import { prospectFields } from '../../../src/service/contract/prospect-fields.ts';
import { hashText } from '../../deterministic-values.ts';
import { isRecord, put, type Choose, type Json } from './json-paths.ts';

/** Fields of a record as pairs of name and value. */
type Fields = readonly (readonly [name: string, value: unknown])[];

const addressFields = ['street', 'postal_code', 'city', 'country'];
const textFields = ['name', 'first_name', 'last_name', 'full_name'];

export function createRecordTranslator(choose: Choose) {
  const isSpecified = (table: object, field: string) => 'specified' in (Reflect.get(table, field) ?? {});

  return { toSlot, toTime };

  function toSlot(slot: Json): Json {
    const company = isRecord(slot['company']) ? toCompany(slot['company']) : null;
    const optional = ['external_id', 'duplicate_of_input_position'].filter((field) => !Object.hasOwn(slot, field));
    const nulls = choose('slot_nulls') === 'null' ? Object.fromEntries(optional.map((field) => [field, null])) : {};
    if (company === null) return { ...slot, ...nulls };
    const { people, record } = company;
    const beside = choose('people') === 'beside' ? { [nameOf('company', 'prospects')]: people } : {};
    return { ...slot, ...nulls, company: record, ...beside };
  }

  function toCompany(company: Json): { record: Json; people: unknown } {
    const { prospects, ...own } = company;
    const list = Array.isArray(prospects)
      ? prospects.map((person: unknown) => (isRecord(person) ? toProspect(person) : person))
      : [];
    const fields = Object.entries(own).flatMap(([field, value]) => toCompanyFields(field, value, own));
    const people = choose('people') === 'items' ? { items: list, count: list.length } : list;
    const specified = fields.filter(([name]) => isSpecified(companyFields, name));
    const others = fields.filter(([name]) => !isSpecified(companyFields, name));
    const nested = nest(choose('company_nesting'), { ...toRecord(specified) }, toRecord(others));
    return {
      people,
      record: choose('people') === 'beside' ? nested : { ...nested, [nameOf('company', 'prospects')]: people },
    };
  }

  function toCompanyFields(field: string, value: unknown, company: Json): Fields {
    const name = nameOf('company', field);
    if (isSpecified(companyFields, field)) return [[field, value]];
    if (field === 'id') return toId('company', name, value);
    if (field === 'employee_count') return known(name, toEmployees(value));
    if (field === 'fit_score') return known(name, toScore(value));
    if (field === 'website_url' || field === 'domain') return toWebsite(field, name, value);
    if (addressFields.includes(field)) return toAddress(field, name, value, company);
    return known(name, value);
  }

  function toProspect(person: Json): Json {
    const fields = Object.entries(person).flatMap(([field, value]) => toProspectFields(field, value, person));
    const specified = fields.filter(([name]) => isSpecified(prospectFields, name));
    const others = fields.filter(([name]) => !isSpecified(prospectFields, name));
    return nest(choose('prospect_nesting'), toRecord(specified), toRecord(others));
  }

  function toProspectFields(field: string, value: unknown, person: Json): Fields {
    const name = nameOf('prospect', field);
    if (isSpecified(prospectFields, field)) return [[field, typeof value === 'boolean' ? toBoolean(value) : value]];
    if (field === 'id') return toId('prospect', name, value);
    if (field === 'qualification_score') return known(name, toScore(value));
    if (textFields.includes(field)) return toPersonName(field, name, value, person);
    if (field === 'email') return toEmail(name, value);
    return known(name, value);
  }

  function toId(record: 'company' | 'prospect', name: string, value: unknown): Fields {
    const form = choose(`${record}_id`);
    if (form === 'missing') return [];
    const number = hashText(String(value)) % 1_000_000_000;
    if (form === 'integer') return [[name, number]];
    return [[name, form === 'prefixed' ? `${record === 'company' ? 'cmp' : 'per'}_${number}` : value]];
  }

  function toEmployees(value: unknown): unknown {
    if (typeof value !== 'number') return value;
    const form = choose('employees');
    const [from, to] = value <= 50 ? [1, 50] : value <= 200 ? [51, 200] : [201, 5_000];
    if (form === 'range') return `${from}-${to}`;
    if (form === 'min_max') return { min: from, max: to };
    return form === 'text' ? `about ${value} employees` : value;
  }

  function toScore(value: unknown): unknown {
    const form = choose('scores');
    if (typeof value !== 'number') return value;
    if (form === 'object') return { value, scale: 100 };
    return form === 'text' ? String(value) : value;
  }

  function toWebsite(field: string, name: string, value: unknown): Fields {
    const form = choose('website');
    if (form === 'website' && field === 'domain') return [];
    if (form === 'domain' && field === 'website_url') return [];
    if (form === 'without_scheme' && typeof value === 'string') return known(name, value.replace(/^https?:\/\//, ''));
    return known(name, value);
  }

  function toAddress(field: string, name: string, value: unknown, company: Json): Fields {
    const form = choose('address');
    if (form === 'flat') return known(name, value);
    if (field !== 'street') return [];
    const parts = addressFields.flatMap((part) => known(nameOf('company', part), company[part]));
    return [[cased(form === 'nested' ? 'address' : 'location'), toRecord(parts)]];
  }

  function toPersonName(field: string, name: string, value: unknown, person: Json): Fields {
    const form = choose('person_name');
    if (form === 'full') return field === 'full_name' ? known(name, value) : [];
    if (form === 'both') return known(name, value);
    if (form === 'two') return field === 'full_name' ? [] : known(name, value);
    if (field !== 'first_name') return [];
    return [[cased('name'), { first: person['first_name'], last: person['last_name'] }]];
  }

  function toEmail(name: string, value: unknown): Fields {
    const form = choose('person_email');
    if (typeof value !== 'string' || form === 'text') return known(name, value);
    if (form === 'object') return [[name, { address: value, kind: 'work' }]];
    if (form === 'list') return [[cased('emails'), [{ value, primary: true }]]];
    return [
      [
        cased('channels'),
        [
          { kind: 'PHONE', value: '+49 30 1234567' },
          { kind: 'EMAIL', value },
        ],
      ],
    ];
  }

  /** A field without a value, in the form of this service. */
  function known(name: string, value: unknown): Fields {
    if (value !== null && value !== undefined) return [[name, value]];
    const form = choose('missing_values');
    if (form === 'absent') return [];
    return [[name, form === 'empty' ? '' : form === 'dash' ? '-' : null]];
  }

  function toBoolean(value: boolean): unknown {
    const form = choose('booleans');
    if (form === 'words') return value ? 'yes' : 'no';
    return form === 'numbers' ? Number(value) : value;
  }

  function toTime(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const form = choose('timestamps');
    const at = Date.parse(value);
    if (form === 'seconds') return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
    if (form === 'epoch') return Math.floor(at / 1_000);
    return form === 'epoch_ms' ? at : value;
  }

  function nameOf(record: 'company' | 'prospect', field: string): string {
    return cased(choose(`${record}.${field}`));
  }

  function cased(name: string): string {
    const form = choose('key_case');
    if (form === 'kebab') return name.replaceAll('_', '-');
    if (form === 'snake') return name;
    const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return form === 'camel' ? camel : camel.charAt(0).toUpperCase() + camel.slice(1);
  }
}

function nest(name: string, own: Json, others: Json): Json {
  return name === 'flat' ? { ...others, ...own } : { ...own, [name]: others };
}

function toRecord(fields: Fields): Json {
  return fields.reduce<Json>((record, [name, value]) => put(record, name, value), {});
}
