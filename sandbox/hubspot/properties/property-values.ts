import { parse } from 'tldts';
import type { PropertyDefinition } from '../built-in/property-definition.ts';

// Third-party figure; HubSpot does not document it for text.
const maxTextLength = 65_536;
const day = 86_400_000;

/** The stored form of a value, or why it is invalid. */
export type CheckedValue = { readonly value: string } | { readonly error: string; readonly message: string };

/** Checks a value that is not empty; an empty one clears any property. */
export function checkValue(
  property: PropertyDefinition,
  value: string,
  reservedDomains: readonly string[],
): CheckedValue {
  switch (property.type) {
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value))
        ? { value: value.trim() }
        : { error: 'INVALID_INTEGER', message: `${value} was not a valid number.` };
    case 'date':
      return checkDate(value);
    case 'datetime':
      return checkDateTime(value);
    case 'bool':
    case 'enumeration':
      return checkOptions(property, value);
    default:
      return property.name === 'email' && property.hubspotDefined
        ? checkEmail(value, reservedDomains)
        : checkText(value);
  }
}

/** Milliseconds of a time given as such or in ISO 8601; NaN otherwise. */
export function toMilliseconds(value: string): number {
  if (/^-?\d+$/.test(value)) return Number(value);
  return /^\d{4}-\d\d-\d\d([T ].*)?$/.test(value) ? Date.parse(value) : Number.NaN;
}

function checkText(value: string): CheckedValue {
  if (value.length <= maxTextLength) return { value };
  return { error: 'PROPERTY_VALUE_TOO_LONG', message: `The value is longer than ${maxTextLength} characters.` };
}

function checkDate(value: string): CheckedValue {
  const time = toMilliseconds(value);
  if (Number.isNaN(time)) return invalidLong(value);
  if (time % day !== 0) return { error: 'INVALID_DATE', message: `${value} is not at midnight UTC` };
  return { value: new Date(time).toISOString().slice(0, 10) };
}

function checkDateTime(value: string): CheckedValue {
  const time = toMilliseconds(value);
  return Number.isNaN(time) ? invalidLong(value) : { value: new Date(time).toISOString() };
}

function invalidLong(value: string): CheckedValue {
  return { error: 'INVALID_LONG', message: `${value} was not a valid long.` };
}

function checkOptions(property: PropertyDefinition, value: string): CheckedValue {
  if (property.externalOptions) return checkText(value);
  // Only checkboxes hold several values, joined by semicolons.
  const parts = property.fieldType === 'checkbox' ? value.split(';').filter((part) => part !== '') : [value];
  const allowed = property.options.map((option) => option.value);
  const wrong = parts.find((part) => !allowed.includes(part));
  if (wrong === undefined) return { value };
  return { error: 'INVALID_OPTION', message: `${wrong} was not one of the allowed options: [${allowed.join(', ')}]` };
}

function checkEmail(value: string, reservedDomains: readonly string[]): CheckedValue {
  const email = value.trim().toLowerCase();
  const domain = /^[^\s@,;<>"]+@((?:[a-z0-9-]+\.)+[a-z0-9-]+)$/u.exec(email)?.[1];
  if (domain !== undefined && email.length <= 254 && hasKnownTopLevel(domain, reservedDomains)) return { value: email };
  return { error: 'INVALID_EMAIL', message: `Email address ${value} is invalid` };
}

function hasKnownTopLevel(domain: string, reservedDomains: readonly string[]): boolean {
  return reservedDomains.includes(domain.slice(domain.lastIndexOf('.') + 1)) || parse(domain).isIcann === true;
}
