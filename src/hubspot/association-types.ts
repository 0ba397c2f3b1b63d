// HubSpot's own types of links, by direction; a label that people defined has an id of its portal's.

export const associationTypes = {
  contactToPrimaryCompany: 1,
  companyToPrimaryContact: 2,
  contactToCompany: 279,
  companyToContact: 280,
  dealToCompany: 341,
  dealToPrimaryCompany: 5,
  companyToDeal: 342,
  companyToPrimaryDeal: 6,
  dealToContact: 3,
  contactToDeal: 4,
} as const;

export const associationCategories = ['HUBSPOT_DEFINED', 'USER_DEFINED', 'INTEGRATOR_DEFINED'] as const;

/** Labels that people define are numbered from 1 in each portal, as HubSpot's own types are: the number alone names none. */
export interface LinkType {
  readonly category: (typeof associationCategories)[number];
  readonly typeId: number;
}

export function toHubSpotType(name: keyof typeof associationTypes): LinkType {
  return { category: 'HUBSPOT_DEFINED', typeId: associationTypes[name] };
}

export function isSameType(a: LinkType, b: LinkType): boolean {
  return a.category === b.category && a.typeId === b.typeId;
}
