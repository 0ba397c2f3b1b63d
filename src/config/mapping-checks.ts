/** Checks of the mapping beyond its schema: fields exist, transforms fit, and identity properties keep their source. */
import { z } from 'zod';
import { isKnownReasonCode, reasonCodes } from '../service/contract/reason-codes.ts';
import type { ObjectType } from '../hubspot/hubspot-record.ts';
import { isManagedProperty } from '../delivery/mapping/crm-properties.ts';
import { defaultMapping, identityProperties } from '../delivery/mapping/default-mapping.ts';
import { parseTemplate } from '../delivery/mapping/templates.ts';
import { transformNames, type TransformName } from '../delivery/mapping/transforms.ts';
import { fieldPart, never, partialReasons, toLongForm } from './mapping-settings.ts';
import { findSourceProblem } from './mapping-sources.ts';
import { childOf, validEntries } from './partial-validation.ts';
import { problemAt, type PathProblem } from './problems.ts';

/** One property in its long form. */
interface MappedField {
  readonly object: ObjectType;
  readonly property: string;
  readonly path: readonly PropertyKey[];
  readonly isShort: boolean;
  readonly isNever: boolean;
  readonly from: string | null;
  readonly value: string | null;
  readonly isRoundRobin: boolean;
  readonly transform: TransformName | null;
}

export function checkMapping(mapping: unknown): PathProblem[] {
  return [
    ...checkPartial(mapping),
    ...checkFields(mapping),
    ...checkCompanyTexts('company_notes', mapping),
    ...checkCompanyTexts('company_tasks', mapping),
  ];
}

/** Texts by reason code: the codes are known, and the fields exist. */
function checkCompanyTexts(key: string, mapping: unknown): PathProblem[] {
  return validEntries(z.string(), childOf(mapping, key)).flatMap(([code, value]) => {
    const path = ['mapping', key, code];
    if (isKnownReasonCode(code)) return checkTemplate('companies', path, value);
    const remedy = `The reason codes are ${Object.keys(reasonCodes).join(', ')}`;
    return [problemAt(path, 'is no reason code', remedy, 'key')];
  });
}

function checkPartial(mapping: unknown): PathProblem[] {
  const codes = ['default', ...partialReasons];
  return validEntries(z.unknown(), childOf(mapping, 'partial_companies')).flatMap(([code]) => {
    const path = ['mapping', 'partial_companies', code];
    return codes.includes(code)
      ? []
      : [
          problemAt(
            path,
            'is no reason of PARTIAL rows',
            `Write default, or one of ${partialReasons.join(', ')}`,
            'key',
          ),
        ];
  });
}

function checkFields(mapping: unknown): PathProblem[] {
  return (['companies', 'contacts'] as const).flatMap((object) =>
    validEntries(fieldPart, childOf(mapping, object)).flatMap(([property, field]) => {
      const {
        from = null,
        value = null,
        round_robin: roundRobin,
        transform = null,
        policy,
      } = typeof field === 'string' ? toLongForm(field) : field;
      const path = ['mapping', object, property];
      const isShort = typeof field === 'string';
      const isRoundRobin = roundRobin !== undefined;
      const isNever = policy === never;
      return checkField({ object, property, path, isShort, isNever, from, value, isRoundRobin, transform });
    }),
  );
}

function checkField(field: MappedField): PathProblem[] {
  const { object, property, path, isNever, from, value } = field;
  if (isManagedProperty(property))
    return [problemAt(path, 'is written by prospect-sync and cannot be mapped', 'Remove it', 'key')];
  if (property === identityProperties[object]) return checkIdentity(field);
  const defaults: Readonly<Record<string, unknown>> = defaultMapping[object];
  const hasDefault = Object.hasOwn(defaults, property);
  if (isNever) {
    const remedy = `The defaults are ${Object.keys(defaults).join(', ')}`;
    return hasDefault ? [] : [problemAt(path, 'is not in the default mapping, so never has no effect', remedy, 'key')];
  }
  if (field.isRoundRobin) return checkRoundRobin(field);
  if (value !== null) return checkValue(field, value);
  if (from !== null) return checkSource(field, from);
  if (!hasDefault)
    return [
      problemAt(path, 'has no source field', 'Add from, for example from: company.name, or value with a text', 'key'),
    ];
  return checkSource(field, defaultMapping[object][property]?.from ?? '');
}

/** Records are matched by these properties, so their source must stay the same. */
function checkIdentity({
  object,
  property,
  path,
  isShort,
  isNever,
  from,
  value,
  isRoundRobin,
  transform,
}: MappedField): PathProblem[] {
  const source = defaultMapping[object][property]?.from;
  const reason = `${object} are matched by it`;
  if (isNever) return [problemAt(path, `cannot be removed: ${reason}`, 'You can change its policy')];
  if (isRoundRobin)
    return [problemAt([...path, 'round_robin'], `is always filled from ${source}: ${reason}`, 'Remove it')];
  if (value !== null)
    return [problemAt([...path, 'value'], `is always filled from ${source}: ${reason}`, 'You can change its policy')];
  if (from !== null && from !== source) {
    const at = isShort ? path : [...path, 'from'];
    return [problemAt(at, `is always filled from ${source}: ${reason}`, 'You can change its policy')];
  }
  if (transform !== null)
    return [problemAt([...path, 'transform'], `takes no transform: ${reason}`, 'You can change its policy')];
  return [];
}

function checkSource({ object, path, isShort, transform, ...field }: MappedField, from: string): PathProblem[] {
  const problem = findSourceProblem(object, { from, transform });
  if (problem === null) return [];
  const at = isShort || field.from === null ? path : [...path, 'from'];
  return [problemAt(problem.concerns === 'transform' ? [...path, 'transform'] : at, problem.rule, problem.remedy)];
}

function checkRoundRobin({ path, from, value, transform }: MappedField): PathProblem[] {
  const others = Object.entries({ from, value, transform }).flatMap(([name, given]) => (given === null ? [] : [name]));
  return others.length === 0
    ? []
    : [problemAt([...path, 'round_robin'], `cannot be used together with ${others.join(', ')}`, 'Remove one of them')];
}

function checkValue({ object, path, from, transform }: MappedField, value: string): PathProblem[] {
  if (from !== null) return [problemAt([...path, 'value'], 'cannot be used together with from', 'Remove one of them')];
  if (transform !== null) {
    const remedy = 'Write the transform behind the field, for example {slot.delivered_at|date}';
    return [problemAt([...path, 'transform'], 'has no effect on a value', remedy)];
  }
  return checkTemplate(object, [...path, 'value'], value);
}

function checkTemplate(object: ObjectType, at: readonly PropertyKey[], value: string): PathProblem[] {
  const template = parseTemplate(value);
  if ('problem' in template) {
    const remedy = `Write fields as {company.name} or {slot.delivered_at|date}, and a brace itself as {{ or }}. Transforms: ${transformNames.join(', ')}`;
    return [problemAt(at, template.problem, remedy)];
  }
  return template.parts.flatMap((part) => {
    const problem = typeof part === 'string' ? null : findSourceProblem(object, part);
    if (typeof part === 'string' || problem === null) return [];
    return [problemAt(at, `{${part.from}}: ${problem.rule}`, problem.remedy)];
  });
}
