/** The delivery quality policy of every profile: a minimum score and a maximum number of contacts. */
import type { Company, Prospect } from '../../src/service/contract/index.ts';
import type { PublishedSet } from './published-set.ts';

const policy = { lowestScore: 70, contactsPerCompany: 2 } as const;

/** "Delivered-company prospect lists contain only delivered contacts": removes the other contacts of a published company (A44). */
export function applyDeliveryPolicy(company: Company): Company {
  const prospects = (company.prospects ?? [])
    .filter((prospect) => prospect.email_client_deliverable && scoreOf(prospect) >= policy.lowestScore)
    .toSorted((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, policy.contactsPerCompany);
  return { ...company, prospects };
}

/**
 * The set with the policy applied to every company (A78). The policy never changes, so pages stay the same. An ENRICHED slot has
 * a contact that the policy delivers; invented people may all be below it, and then the best one stays.
 */
export function toPolicySet(set: PublishedSet): PublishedSet {
  return {
    ...set,
    slotAt(place) {
      const slot = set.slotAt(place);
      if (!slot.company) return slot;
      const delivered = applyDeliveryPolicy(slot.company);
      const best = (slot.company.prospects ?? []).toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, 1);
      return { ...slot, company: delivered.prospects?.length === 0 ? { ...delivered, prospects: best } : delivered };
    },
  };
}

function scoreOf({ qualification_score }: Prospect): number {
  return qualification_score ?? 0;
}
