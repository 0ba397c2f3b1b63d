import { ApiFailure, notBuilt } from './failures.ts';

/** What differs between kinds of CRM records. A new kind is one row here and its default properties. */
export interface ObjectType {
  readonly typeId: string;
  readonly plural: string;
  readonly singular: string;
  readonly modifiedProperty: string;
  /** Returned when a read names no properties. */
  readonly defaultProperties: readonly string[];
  /** A record needs one of these to be created. */
  readonly requiredAnyOf: readonly string[];
  /** Where the free text `query` of a search looks. */
  readonly queriedProperties: readonly string[];
  /** Records are known by an address: `email` is unique, and so is every address of `hs_additional_emails`. */
  readonly knownByEmail: boolean;
}

export const objectTypes: readonly ObjectType[] = [
  {
    typeId: '0-1',
    plural: 'contacts',
    singular: 'contact',
    modifiedProperty: 'lastmodifieddate',
    defaultProperties: ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
    requiredAnyOf: ['email', 'firstname', 'lastname'],
    queriedProperties: ['email', 'firstname', 'lastname', 'phone', 'company', 'hs_additional_emails'],
    knownByEmail: true,
  },
  {
    typeId: '0-2',
    plural: 'companies',
    singular: 'company',
    modifiedProperty: 'hs_lastmodifieddate',
    defaultProperties: ['createdate', 'domain', 'hs_lastmodifieddate', 'hs_object_id', 'name'],
    requiredAnyOf: ['name', 'domain'],
    queriedProperties: ['name', 'domain', 'website', 'phone'],
    knownByEmail: false,
  },
];

const notBuiltTypes = new Set(
  'deals deal 0-3 tickets ticket 0-5 notes note 0-46 tasks task 0-27 emails email 0-49 communications communication 0-18 calls 0-48 meetings 0-47 leads lead 0-136 line_items 0-8 products 0-7 quotes 0-14'.split(
    ' ',
  ),
);

const byName = new Map(
  objectTypes.flatMap((type) => [type.typeId, type.plural, type.singular].map((name) => [name, type])),
);

export function objectTypeOf(name: string): ObjectType {
  const type = byName.get(name.toLowerCase());
  if (type) return type;
  if (notBuiltTypes.has(name.toLowerCase())) throw notBuilt(`records of type ${name}`);
  // HubSpot gives this error neither category nor context.
  throw new ApiFailure(400, { message: `Unable to infer object type from: ${name}` });
}
