/** Decides whether an external id is an email address or a telephone number, which are personal data of whoever has them. */

const emailAddress = /^[^\s@]+@[^\s@.]+\.[^\s@]+$/;

/** A prefix of a country, or of a place that is set apart. `0010012345` is a customer number. */
const telephonePrefix = /^(?:\+|00[1-9]\d{0,2}[ /-]|\(\+?\d{2,5}\)|0[1-9]\d{0,4}[ /]|\d{3}-\d{3}-\d{4}$)/;
const telephoneSigns = /^[\d\s+()./-]+$/;
const fewestDigits = 7;

export function isPersonalId(id: string): boolean {
  return emailAddress.test(id) || isTelephoneNumber(id);
}

function isTelephoneNumber(id: string): boolean {
  const digits = id.replaceAll(/\D/g, '').length;
  return telephonePrefix.test(id) && telephoneSigns.test(id) && digits >= fewestDigits;
}
