/**
 * Texts of the mapping with fields in braces: `{order.title} {slot.delivered_at|date}`. A text without braces is a constant.
 * `{{` and `}}` stand for the braces themselves.
 */
import { transforms, type TransformName } from './transforms.ts';

/** A field in a template; without a transform its value is written as it is. */
export interface Placeholder {
  readonly from: string;
  readonly transform: TransformName | null;
}

export type TemplatePart = string | Placeholder;

/** `problem`: why the text is not a template. */
export type ParsedTemplate = { readonly parts: readonly TemplatePart[] } | { readonly problem: string };

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

export function parseTemplate(text: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let literal = '';
  let end = 0;
  for (const match of text.matchAll(token)) {
    literal += text.slice(end, match.index);
    end = match.index + match[0].length;
    const [found, field] = match;
    if (found === '{{' || found === '}}') literal += found.charAt(0);
    else if (field === undefined)
      return { problem: `has a ${found} without its counterpart at character ${match.index + 1}` };
    else {
      const placeholder = toPlaceholder(field);
      if (typeof placeholder === 'string') return { problem: placeholder };
      parts.push(literal, placeholder);
      literal = '';
    }
  }
  parts.push(literal + text.slice(end));
  return { parts: parts.filter((part) => part !== '') };
}

function toPlaceholder(field: string): Placeholder | string {
  const [from = '', transform = null, ...more] = field.split('|').map((name) => name.trim());
  if (from === '' || more.length > 0) return `has {${field}}, which is not a field with at most one transform`;
  if (transform === null) return { from, transform };
  return isTransformName(transform) ? { from, transform } : `has an unknown transform in {${field}}`;
}

function isTransformName(name: string): name is TransformName {
  return Object.hasOwn(transforms, name);
}

/**
 * The text with the values of its fields; empty when it has fields and all of them are empty. White space left by an empty field is
 * removed.
 */
export function fillTemplate(parts: readonly TemplatePart[], valueOf: (field: Placeholder) => string): string {
  const values = parts.map((part) => (typeof part === 'string' ? part : valueOf(part)));
  const fields = values.filter((_, index) => typeof parts[index] !== 'string');
  if (fields.length === 0) return values.join('');
  if (fields.every((value) => value === '')) return '';
  return fields.includes('') ? values.join('').replaceAll(/ {2,}/g, ' ').trim() : values.join('');
}
