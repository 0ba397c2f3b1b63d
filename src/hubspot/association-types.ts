// HubSpot's own types of links, by direction; a label that people defined has an id of its portal's.
import type { ReadableType } from './record.ts';

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

const { contactToPrimaryCompany, companyToPrimaryContact, contactToCompany, companyToContact } = associationTypes;
const { dealToPrimaryCompany, dealToCompany, companyToPrimaryDeal, companyToDeal } = associationTypes;

const ownTypes: Readonly<Record<string, readonly number[]>> = {
  'contacts>companies': [contactToPrimaryCompany, contactToCompany],
  'companies>contacts': [companyToPrimaryContact, companyToContact],
  'deals>companies': [dealToPrimaryCompany, dealToCompany],
  'companies>deals': [companyToPrimaryDeal, companyToDeal],
  'deals>contacts': [associationTypes.dealToContact],
  'contacts>deals': [associationTypes.contactToDeal],
};

/** Whether HubSpot defined this type of link, or people did: a request has to say so, and the two share their numbers. */
export function isOwnType(from: ReadableType, to: ReadableType, typeId: number): boolean {
  return ownTypes[`${from}>${to}`]?.includes(typeId) === true;
}
