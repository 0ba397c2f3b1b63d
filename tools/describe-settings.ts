/** Describes every setting of prospect-sync.yaml for docs/configuration.md, from the schema and the template. */
import { parse, stringify } from 'yaml';
import type { z } from 'zod';
import { durationPattern } from '../src/config/duration.ts';
import { configJsonSchema, configTemplate, uncommentSettings } from '../src/config/file-schema.ts';
import { childOf } from '../src/config/partial-validation.ts';

export interface SettingDescription {
  /** Dotted name. `NAME` stands for a name that the user chooses, `[]` for each item of a list. */
  readonly key: string;
  /** For example `text`, `duration`, `whole number, 1 to 50`, `{env: NAME}`, `map`. */
  readonly type: string;
  /** Whether the surrounding map must contain it. */
  readonly required: boolean;
  /** As YAML on one line; null: there is no default. */
  readonly default: string | null;
  /** One plain sentence. */
  readonly description: string;
  /** As YAML on one line, taken from the template; null for a map whose settings have examples of their own. */
  readonly example: string | null;
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A setting of a map, of the entries of a map of names, or of the items of a list. */
interface NestedSetting {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** In the order of the schema; a map comes before its settings. */
export function describeSettings(): readonly SettingDescription[] {
  const examples: unknown = parse(uncommentSettings(configTemplate()));
  return describeNested([], configJsonSchema(), examples);
}

function describeNested(parent: readonly string[], schema: JsonSchema, examples: unknown): SettingDescription[] {
  return nestedSettings(schema).flatMap((setting) => {
    const path = [...parent, ...setting.path];
    const nested = describeNested(path, setting.schema, examples);
    return [describeSetting({ ...setting, path }, nested.length > 0, examples), ...nested];
  });
}

function describeSetting(setting: NestedSetting, hasNested: boolean, examples: unknown): SettingDescription {
  const { path, schema, required } = setting;
  return {
    key: path.join('.').replaceAll('.[]', '[]'),
    type: typeText(schema),
    required,
    default: hasNested ? null : yamlText(schema.default),
    description: schema.description ?? '',
    example: hasNested ? null : yamlText(findExample(path, examples)),
  };
}

function nestedSettings(schema: JsonSchema): NestedSetting[] {
  if (isEnvironmentReference(schema)) return [];
  const forms = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(isSchema);
  if (forms.length > 0) return mergeSettings(forms.flatMap(nestedSettings));
  if (isSchema(schema.items)) return prefixed('[]', nestedSettings(schema.items));
  if (isSchema(schema.additionalProperties)) return prefixed('NAME', nestedSettings(schema.additionalProperties));
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    isSchema(property) ? [{ path: [key], schema: property, required: schema.required?.includes(key) ?? false }] : [],
  );
}

function prefixed(prefix: string, settings: readonly NestedSetting[]): NestedSetting[] {
  return settings.map((setting) => ({ ...setting, path: [prefix, ...setting.path] }));
}

/** The kinds of runs share most settings. The setting `kind` gets the values of all kinds. */
function mergeSettings(settings: readonly NestedSetting[]): NestedSetting[] {
  const merged = new Map<string, NestedSetting>();
  for (const setting of settings) {
    const key = setting.path.join('.');
    const earlier = merged.get(key);
    const values = new Set([...constants(earlier?.schema ?? {}), ...constants(setting.schema)]);
    merged.set(key, {
      path: setting.path,
      schema: values.size === 0 ? setting.schema : { ...withoutConst(setting.schema), enum: [...values] },
      required: setting.required || earlier?.required === true,
    });
  }
  return [...merged.values()];
}

function withoutConst({ const: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** The values of a setting that takes listed values only. */
function constants(schema: JsonSchema) {
  return schema.const === undefined ? (schema.enum ?? []) : [schema.const];
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

function isEnvironmentReference({ properties = {} }: JsonSchema): boolean {
  return Object.keys(properties).join(',') === 'env';
}

function typeText(schema: JsonSchema): string {
  const forms = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(isSchema);
  if (forms.length > 0) return [...new Set(forms.map(typeText))].join(' or ');
  if (isEnvironmentReference(schema)) return '{env: NAME}';
  const values = constants(schema);
  if (values.length > 0) return `one of ${values.map(String).join(', ')}`;
  if (schema.type === 'array') return isSchema(schema.items) ? `list of ${typeText(schema.items)}` : 'list';
  if (schema.type === 'string') return textType(schema);
  if (schema.type === 'integer') return `whole number${rangeText(schema)}`;
  if (schema.type === 'number') return `number${rangeText(schema)}`;
  if (schema.type === 'boolean') return 'true or false';
  return schema.type === 'null' ? 'null' : 'map';
}

function textType({ pattern, format }: JsonSchema): string {
  if (pattern === durationPattern.source) return 'duration';
  if (format === 'uri') return 'web address';
  return format === 'date-time' ? 'time' : 'text';
}

/** Bounds that zod adds to every whole number are left out. */
function rangeText({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const isBound = (bound: number | boolean | undefined) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const least = isBound(minimum) ? minimum : undefined;
  const most = isBound(maximum) ? maximum?.toLocaleString('en') : undefined;
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`;
  if (least !== undefined) return `, at least ${least}`;
  if (isBound(exclusiveMinimum)) return `, above ${exclusiveMinimum}`;
  return most === undefined ? '' : `, at most ${most}`;
}

/** The first value that the template has for the setting; undefined where it has none. */
function findExample([key, ...rest]: readonly string[], examples: unknown): unknown {
  if (key === undefined) return examples;
  if (key !== 'NAME' && key !== '[]') return findExample(rest, childOf(examples, key));
  const entries: unknown[] = typeof examples === 'object' && examples !== null ? Object.values(examples) : [];
  return entries.map((entry) => findExample(rest, entry)).find((example) => example !== undefined);
}

function yamlText(value: unknown): string | null {
  if (value === undefined) return null;
  return stringify(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim();
}
