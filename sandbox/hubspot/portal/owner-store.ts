import type { PublicOwner } from '@hubspot/api-client/lib/codegen/crm/owners/models/PublicOwner.js';
import { hash } from '../seeded-values.ts';
import type { JsonOf } from '../json-model.ts';

export type Owner = JsonOf<PublicOwner>;

// Owners are older than any time of the sandbox clock.
const since = '2023-02-01T09:00:00.000Z';

const people: readonly (readonly [firstName: string, lastName: string, archived: boolean])[] = [
  ['Robin', 'Berger', false],
  ['Sascha', 'Keller', false],
  ['Kim', 'Winter', false],
  ['Toni', 'Vogel', true],
];

/** The owners of a portal: three who are active and one who has left. The same seed has the same ids. */
export function createOwners(seed: string): readonly Owner[] {
  const first = 70_000_000 + (hash(`${seed}/owners`) % 1_000_000) * 8;
  return people.map(([firstName, lastName, archived], i) => ({
    id: String(first + 2 * i),
    email: `${firstName}.${lastName}@portal.example`.toLowerCase(),
    type: 'PERSON',
    firstName,
    lastName,
    // An archived owner keeps the id and has no user.
    ...(archived ? {} : { userId: first + 2 * i + 1 }),
    userIdIncludingInactive: first + 2 * i + 1,
    createdAt: since,
    updatedAt: since,
    archived,
  }));
}
