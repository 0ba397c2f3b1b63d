import { isDoNotContact, isRefusingComment } from '../../../src/companies/sources/do-not-contact.ts';

describe('isDoNotContact', () => {
  it.each([
    ['Status', 'do not contact'],
    ['Status', 'Do Not Contact!'],
    ['Status', 'DNC'],
    ['Status', 'gesperrt'],
    ['Kundenstatus', 'Gesperrt seit 01.02.2025'],
    ['Notiz', 'Widerspruch vom 2024-05-01'],
    ['Notiz', 'Widerspruch (2024-05-01)'],
    ['Newsletter', 'opted out'],
    ['Newsletter', 'Unsubscribed'],
    ['Newsletter', 'abgemeldet'],
    ['Opt-out', 'ja'],
    ['opt_out', 'TRUE'],
    ['Opted out at', '2025-01-31'],
    ['Sperrvermerk', 'x'],
    ['Sperrvermerk', '31.1.2025'],
    ['Do not contact', 'yes'],
    ['Do-Not-Call', '1'],
    ['Werbewiderspruch', 'Ja'],
  ])('is true for %s: %s', (header, cell) => expect(isDoNotContact(header, cell)).toBe(true));

  it.each([
    ['Status', ''],
    ['Status', 'Kunde'],
    ['Status', 'ja'],
    ['Status', 'x'],
    ['Status', 'aktiv'],
    ['Opt-out', 'no'],
    ['Opt-out', 'nein'],
    ['Opt-out', '0'],
    ['Opt-out', 'false'],
    ['Sperrvermerk', ''],
    ['Sperrvermerk', '-'],
    ['Sperrholz', 'x'],
    ['Newsletter', 'subscribed'],
    ['Notiz', 'Widerspruch gegen die Rechnung wurde zurückgezogen'],
    ['Notiz', 'nicht gesperrt'],
    ['Datum', '2025-01-31'],
  ])('is false for %s: %s', (header, cell) => expect(isDoNotContact(header, cell)).toBe(false));
});

describe('isRefusingComment', () => {
  it.each([
    'Nicht mehr kontaktieren! Hat widersprochen.',
    'M. Muster:\nHat am 3.5. der Werbung widersprochen',
    'Gesperrt seit 01.02.2025',
    'Anna:\nWiderspruch',
    'Please do NOT contact, see ticket 12',
    'They opted out in May',
    'Kunde möchte keine Werbung',
  ])('is true for %j', (comment) => expect(isRefusingComment(comment)).toBe(true));

  it.each([
    '',
    'Umsatz geschätzt',
    'Widerspruch gegen die Rechnung wurde zurückgezogen',
    'Konto gesperrt wegen offener Rechnung',
    'Hat nicht widersprochen',
    'Not opted out',
    'Kontaktieren ab Mai',
  ])('is false for %j', (comment) => expect(isRefusingComment(comment)).toBe(false));
});
