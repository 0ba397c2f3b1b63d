import type { AssociationSpecWithLabel } from '@hubspot/api-client/lib/codegen/crm/associations/v4/models/AssociationSpecWithLabel.js';
import { validationError } from '../api-error.ts';
import { companyType, contactType, dealType, noteType, taskType, type ObjectType } from '../object-types.ts';
import type { JsonOf } from '../json-model.ts';

/** User-defined types reuse numbers of HubSpot's types: only category and number together identify a type. */
export interface AssociationType {
  readonly category: string;
  readonly typeId: number;
}

/** A labelled association type in one direction. */
export interface Label extends AssociationType {
  readonly category: 'HUBSPOT_DEFINED' | 'USER_DEFINED';
  /** Made of category and number. */
  readonly key: string;
  /** The key of the same type in the other direction. */
  readonly inverse: string;
  readonly text: string;
  /** Name in answers to the query parameter `associations`. */
  readonly name: string;
  /** The side whose records have at most one link with this label: a contact has one primary company. */
  readonly only?: 'from' | 'to';
}

/** Two object types that can be linked, in one direction. */
export interface AssociationPair {
  readonly from: ObjectType;
  readonly to: ObjectType;
  readonly unlabelled: number;
  readonly unlabelledName: string;
  readonly labels: readonly Label[];
}

// Ids from AssociationTypes of the SDK; each direction has its own. A record on the first side has at most one link with the label.
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
            category: 'HUBSPOT_DEFINED',
            typeId: label.ids[side],
            key: keyOf({ category: 'HUBSPOT_DEFINED', typeId: label.ids[side] }),
            inverse: keyOf({ category: 'HUBSPOT_DEFINED', typeId: label.ids[side === 0 ? 1 : 0] }),
            text: label.texts[side],
            name: isOneType ? (side === 0 ? 'child_to_parent_company' : 'parent_to_child_company') : name,
            only: side === 0 ? 'from' : 'to',
          }))
        : [],
    });
  }
}

/** A pair with the labels that every portal has. */
export function builtInPair(from: ObjectType, to: ObjectType): AssociationPair | undefined {
  return pairs.get(`${from.typeId}/${to.typeId}`);
}

export function keyOf({ category, typeId }: AssociationType): string {
  return `${category}/${typeId}`;
}

export function isUnlabelled({ unlabelled }: AssociationPair, { category, typeId }: AssociationType): boolean {
  return category === 'HUBSPOT_DEFINED' && typeId === unlabelled;
}

/** The keys of the labels among the types of one link. Answers 400 for a type that the pair does not have. */
export function labelsAmong(pair: AssociationPair, types: readonly AssociationType[]): Set<string> {
  const labels = types.filter((type) => !isUnlabelled(pair, type));
  for (const type of labels) {
    if (pair.labels.some(({ key }) => key === keyOf(type))) continue;
    const { category, typeId } = type;
    throw validationError(
      `Association type ${category} ${typeId} is not defined from ${pair.from.typeId} to ${pair.to.typeId}.`,
    );
  }
  return new Set(labels.map(keyOf));
}

/** An association type in answers; `label` is null for the unlabelled type, although the SDK's model requires a text. */
export type AssociationSpec = Omit<JsonOf<AssociationSpecWithLabel>, 'label'> & { label: string | null };

/** The types of a link that has the labels `held`; without `held`, all types of the pair. */
export function toAssociationSpecs(
  { unlabelled, labels }: AssociationPair,
  held?: ReadonlySet<string>,
): AssociationSpec[] {
  return [
    ...labels
      .filter(({ key }) => held?.has(key) ?? true)
      .map(({ category, typeId, text }) => ({ category, typeId, label: text })),
    { category: 'HUBSPOT_DEFINED', typeId: unlabelled, label: null },
  ];
}

/** The types of a link by their names, as v3 and the query parameter `associations` show them: labels first. */
export function typeNames({ labels, unlabelledName }: AssociationPair, held: ReadonlySet<string>): string[] {
  return [...labels.filter(({ key }) => held.has(key)).map(({ name }) => name), unlabelledName];
}
