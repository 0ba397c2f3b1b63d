import type { AssociationSpecWithLabel } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/AssociationSpecWithLabel.js';
import { invalid, notBuilt } from '../failures.ts';
import type { ObjectType } from '../object-types.ts';
import type { Wire } from '../wire.ts';

interface Direction {
  readonly unlabelled: number;
  readonly primary: number;
}

// Published in the SDK as AssociationTypes; the direction decides the id.
const directions: Readonly<Record<string, Direction>> = {
  '0-1/0-2': { unlabelled: 279, primary: 1 },
  '0-2/0-1': { unlabelled: 280, primary: 2 },
};

/** Two types of record between which links are known, seen from one of them. */
export interface AssociationPair extends Direction {
  readonly from: ObjectType;
  readonly to: ObjectType;
}

export function associationPair(from: ObjectType, to: ObjectType): AssociationPair {
  const direction = directions[`${from.typeId}/${to.typeId}`];
  if (!direction) throw notBuilt(`associations from ${from.plural} to ${to.plural}`);
  return { from, to, ...direction };
}

export function isPrimaryType(pair: AssociationPair, typeId: number): boolean {
  if (typeId === pair.primary) return true;
  if (typeId === pair.unlabelled) return false;
  throw invalid(`Association type ${typeId} is not defined from ${pair.from.typeId} to ${pair.to.typeId}.`);
}

/** A type of a link as answers show it; `label` is null for the unlabelled type, which the SDK's model does not say. */
export type LinkSpec = Omit<Wire<AssociationSpecWithLabel>, 'label'> & { label: string | null };

/** The types of a link. A labelled link carries the unlabelled type as well. */
export function specsOf(pair: AssociationPair, primary: boolean): LinkSpec[] {
  const unlabelled: LinkSpec = { category: 'HUBSPOT_DEFINED', typeId: pair.unlabelled, label: null };
  return primary ? [{ category: 'HUBSPOT_DEFINED', typeId: pair.primary, label: 'Primary' }, unlabelled] : [unlabelled];
}
