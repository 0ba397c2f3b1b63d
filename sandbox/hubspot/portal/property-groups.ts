import { ApiError, notFound } from '../api-error.ts';
import type { GroupDefinition } from '../built-in/property-definition.ts';

export interface PropertyGroups {
  list(): GroupDefinition[];
  has(name: string): boolean;
  read(name: string): GroupDefinition;
  /** An archived name is created anew, with the new label. */
  create(group: GroupDefinition): GroupDefinition;
  update(name: string, change: Partial<Pick<GroupDefinition, 'label' | 'displayOrder'>>): GroupDefinition;
  archive(name: string): void;
}

export function createPropertyGroups(
  presetName: string,
  presetLabel: string,
  isUsed: (group: string) => boolean,
): PropertyGroups {
  const byName = new Map<string, GroupDefinition>();
  byName.set(presetName, { name: presetName, label: presetLabel, displayOrder: 0, archived: false });
  const read = (name: string) => {
    const group = byName.get(name);
    if (!group) throw notFound(`No property group named ${name} exists`, { groupName: [name] });
    return group;
  };
  const set = (group: GroupDefinition) => {
    byName.set(group.name, group);
    return group;
  };
  return {
    list: () => [...byName.values()],
    has: (name) => byName.has(name),
    read,
    create(group) {
      if (byName.has(group.name)) throw nameTaken(group.name);
      return set(group);
    },
    update: (name, change) => set({ ...read(name), ...change }),
    archive(name) {
      read(name);
      if (isUsed(name)) throw stillUsed(name);
      byName.delete(name);
    },
  };
}

// The body of this refusal is not documented for groups; it is shaped like the one for properties.
function nameTaken(name: string): ApiError {
  return new ApiError(409, {
    message: `A property group named '${name}' already exists.`,
    category: 'OBJECT_ALREADY_EXISTS',
    subCategory: 'Properties.GROUP_WITH_NAME_EXISTS',
  });
}

function stillUsed(name: string): ApiError {
  return new ApiError(400, {
    message: "Can't delete or purge a group with active properties",
    context: { groupName: [name] },
    category: 'VALIDATION_ERROR',
    subCategory: 'PropertyGroupError.GROUP_WITH_ACTIVE_PROPERTIES',
  });
}
