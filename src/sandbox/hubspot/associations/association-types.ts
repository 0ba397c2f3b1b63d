import type { AssociationSpecWithLabel } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/AssociationSpecWithLabel.js';
import { invalid, notBuilt } from '../failures.ts';
import { companyType, contactType, dealType, noteType, taskType, type ObjectType } from '../object-types.ts';
import type { Wire } from '../wire.ts';

/** A labelled type of link, seen from one of its sides. */
export interface Label {
  readonly typeId: number;
  /** The same link seen from the other side. */
  readonly inverse: number;
  readonly text: string;
  /** As the query parameter `associations` answers it. */
  readonly name: string;
  /** The side whose records have at most one link of this label: a contact has one primary company. */
  readonly only: 'from' | 'to';
}

/** Two types of record between which links are known, seen from one of them. */
export interface AssociationPair {
  readonly from: ObjectType;
  readonly to: ObjectType;
  readonly unlabelled: number;
  readonly unlabelledName: string;
  readonly labels: readonly Label[];
}

// Published in the SDK as AssociationTypes; the direction decides the id. The first side of a label has one such link.
const rows: readonly {
  readonly types: readonly [ObjectType, ObjectType];
  readonly ids: readonly [number, number];
  readonly label?: { readonly ids: readonly [number, number]; readonly texts: readonly [string, string] };
}[] = [
  { types: [contactType, companyType], ids: [279, 280], label: { ids: [1, 2], texts: ['Primary', 'Primary'] } },
  { types: [dealType, companyType], ids: [341, 342], label: { ids: [5, 6], texts: ['Primary', 'Primary'] } },
  {
    types: [companyType, companyType],
    ids: [450, 450],
    label: { ids: [14, 13], texts: ['Parent Company', 'Child Company'] },
  },
  { types: [contactType, contactType], ids: [449, 449] },
  { types: [dealType, dealType], ids: [451, 451] },
  { types: [dealType, contactType], ids: [3, 4] },
  { types: [noteType, contactType], ids: [202, 201] },
  { types: [noteType, companyType], ids: [190, 189] },
  { types: [noteType, dealType], ids: [214, 213] },
  { types: [taskType, contactType], ids: [204, 203] },
  { types: [taskType, companyType], ids: [192, 191] },
  { types: [taskType, dealType], ids: [216, 215] },
];

const pairs = new Map<string, AssociationPair>();
for (const { types, ids, label } of rows) {
  const isOneType = types[0] === types[1];
  for (const [near, far] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const [from, to] = [types[near], types[far]];
    const name = `${from.singular}_to_${to.singular}`;
    const labels = isOneType ? ([0, 1] as const) : ([near] as const);
    pairs.set(`${from.typeId}/${to.typeId}`, {
      from,
      to,
      unlabelled: ids[near],
      unlabelledName: label ? `${name}_unlabeled` : name,
      labels: label
        ? labels.map((side) => ({
            typeId: label.ids[side],
            inverse: label.ids[side === 0 ? 1 : 0],
            text: label.texts[side],
            name: isOneType ? (side === 0 ? 'child_to_parent_company' : 'parent_to_child_company') : name,
            only: side === 0 ? 'from' : 'to',
          }))
        : [],
    });
  }
}

export function knownPair(from: ObjectType, to: ObjectType): AssociationPair | undefined {
  return pairs.get(`${from.typeId}/${to.typeId}`);
}

export function associationPair(from: ObjectType, to: ObjectType): AssociationPair {
  const pair = knownPair(from, to);
  if (!pair) throw notBuilt(`associations from ${from.plural} to ${to.plural}`);
  return pair;
}

/** The labels among the types of one link. Fails with 400 for a type that the pair does not have. */
export function labelsAmong(pair: AssociationPair, typeIds: readonly number[]): Set<number> {
  for (const typeId of typeIds) {
    if (typeId === pair.unlabelled || pair.labels.some((label) => label.typeId === typeId)) continue;
    throw invalid(`Association type ${typeId} is not defined from ${pair.from.typeId} to ${pair.to.typeId}.`);
  }
  return new Set(typeIds.filter((typeId) => typeId !== pair.unlabelled));
}

/** A type of a link as answers show it; `label` is null for the unlabelled type, which the SDK's model does not say. */
export type LinkSpec = Omit<Wire<AssociationSpecWithLabel>, 'label'> & { label: string | null };

/** Every type that links of a pair can have. */
export function specsOf({ unlabelled, labels }: AssociationPair): LinkSpec[] {
  return [
    ...labels.map(({ typeId, text }): LinkSpec => ({ category: 'HUBSPOT_DEFINED', typeId, label: text })),
    { category: 'HUBSPOT_DEFINED', typeId: unlabelled, label: null },
  ];
}
