import { validationError, notImplemented } from '../api-error.ts';
import type { ObjectType } from '../object-types.ts';
import { keyOf, builtInPair, type AssociationPair, type Label } from '../built-in/association-types.ts';

export interface LabelDefinition {
  readonly name: string;
  readonly label: string;
  /** Label in the other direction; absent: the same as `label`. */
  readonly inverseLabel?: string | undefined;
}

/** The association types of one portal: those of HubSpot, and user-defined labels. */
export interface AssociationTypes {
  known(from: ObjectType, to: ObjectType): AssociationPair | undefined;
  /** Answers 501 for pairs that the sandbox does not implement. */
  pair(from: ObjectType, to: ObjectType): AssociationPair;
  /** @returns the label in both directions, `from` first. Answers 400 if the pair already has the name. */
  define(pair: AssociationPair, definition: LabelDefinition): Label[];
}

export function createAssociationTypes(): AssociationTypes {
  const extended = new Map<string, AssociationPair>();
  // Custom labels of a portal are numbered from 1, the number of HubSpot's primary company too: seen
  // (community.hubspot.com, "Association's typeId field is not unique").
  let lastTypeId = 0;

  const known = (from: ObjectType, to: ObjectType) =>
    extended.get(`${from.typeId}/${to.typeId}`) ?? builtInPair(from, to);
  const pair = (from: ObjectType, to: ObjectType) => {
    const found = known(from, to);
    if (!found) throw notImplemented(`associations from ${from.plural} to ${to.plural}`);
    return found;
  };
  const add = (from: ObjectType, to: ObjectType, label: Label) => {
    const before = pair(from, to);
    extended.set(`${from.typeId}/${to.typeId}`, { ...before, labels: [...before.labels, label] });
    return label;
  };
  const newType = () => {
    const type = { category: 'USER_DEFINED', typeId: (lastTypeId += 1) } as const;
    return { ...type, key: keyOf(type) };
  };

  return {
    known,
    pair,
    define({ from, to, labels }, { name, label, inverseLabel }) {
      if (labels.some((other) => other.category === 'USER_DEFINED' && other.name === name)) {
        throw validationError(`An association label named ${name} already exists from ${from.typeId} to ${to.typeId}.`);
      }
      const near = newType();
      // Between records of one object type, one type serves both directions.
      if (from === to && inverseLabel === undefined)
        return [add(from, to, { ...near, inverse: near.key, name, text: label })];
      const far = newType();
      return [
        add(from, to, { ...near, inverse: far.key, name, text: label }),
        add(to, from, { ...far, inverse: near.key, name, text: inverseLabel ?? label }),
      ];
    },
  };
}
