// HubSpot's association types by direction. Labels that users define have other ids in each portal.

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

/** Only category and id together identify a type: user-defined labels are numbered from 1 too. */
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
