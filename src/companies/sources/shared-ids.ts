import { isSameCompany, type ComparableCompany } from './same-company.ts';

/** Finds rows with the external id of an earlier row of another company. */
export function createSharedIds() {
  const owners = new Map<string, ComparableCompany>();
  return {
    isShared(company: ComparableCompany): boolean {
      const { externalId: id } = company;
      if (id === '') return false;
      const owner = owners.get(id) ?? company;
      owners.set(id, owner);
      return !isSameCompany(owner, company);
    },
  };
}
