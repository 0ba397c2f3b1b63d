/** The language of what prospect-sync itself writes into spreadsheets: headers, names of sheets, reasons and meanings. Values stay as they are. */
import { z } from 'zod';

export const sheetLanguage = z.enum(['en', 'de']);
export type SheetLanguage = z.infer<typeof sheetLanguage>;

/** Of a language such as `de`, `de-AT` or `DE`; English where there are no texts of ours in it. */
export function toSheetLanguage(tag: string): SheetLanguage {
  return /^de\b/i.test(tag) ? 'de' : 'en';
}

/** @returns a function from the English text; what has no German text stays English */
export function sayIn(language: SheetLanguage | undefined): (text: string) => string {
  return language === 'de' ? (text) => german.get(text) ?? text : (text) => text;
}

const german = new Map(
  Object.entries({
    Results: 'Ergebnisse',
    Excluded: 'Ausgeschlossen',
    Summary: 'Übersicht',
    'Source Row': 'Zeile der Quelle',
    source: 'Quelle',
    Position: 'Position',
    'External Id': 'Externe ID',
    'Result Status': 'Ergebnis',
    'Result Reasons': 'Gründe',
    'Reason Codes': 'Codes der Gründe',
    'Duplicate Of': 'Dublette von',
    Exclusion: 'Ausschluss',
    'Company Name': 'Firma',
    Website: 'Website',
    Domain: 'Domain',
    Description: 'Beschreibung',
    Industry: 'Branche',
    Employees: 'Mitarbeiter',
    Founded: 'Gegründet',
    'Company Phone': 'Telefon der Firma',
    'Company Email': 'E-Mail der Firma',
    Street: 'Straße',
    'Postal Code': 'PLZ',
    City: 'Ort',
    Country: 'Land',
    'Company LinkedIn': 'LinkedIn der Firma',
    'Fit Score': 'Punktzahl der Firma',
    'HubSpot Company Id': 'HubSpot-ID der Firma',
    Contacts: 'Kontakte',
    'Best Contact': 'Bester Kontakt:',
    'Contact Name': 'Name',
    Name: 'Name',
    'First Name': 'Vorname',
    'Last Name': 'Nachname',
    'Job Title': 'Funktion',
    Email: 'E-Mail',
    'Email Status': 'Status der E-Mail',
    'Email Client Deliverable': 'E-Mail zustellbar',
    'Email Delivery Quality': 'Zustellbarkeit der E-Mail',
    'Email Delivery Quality Reason': 'Grund der Zustellbarkeit',
    Phone: 'Telefon',
    LinkedIn: 'LinkedIn',
    'Qualification Score': 'Punktzahl der Person',
    'HubSpot Contact Id': 'HubSpot-ID der Person',
    'Delivered At': 'Geliefert am',
    'Matched By': 'Erkannt an',
    Reason: 'Grund',
    'Entry Id': 'ID des Eintrags',
    Order: 'Bestellung',
    Run: 'Lauf',
    Title: 'Titel',
    Kind: 'Art',
    Published: 'Veröffentlicht',
    Ordered: 'Bestellt',
    Returned: 'Zurückgekommen',
    Delivered: 'Geliefert',
    'By status': 'Nach Ergebnis',
    'By reason': 'Nach Grund',
    '(unknown to this version)': '(dieser Version unbekannt)',
    'External id': 'Externe ID',
    'Name and city': 'Name und Ort',
    'The company was found, and the row is eligible under the delivery policy':
      'Die Firma wurde gefunden, und die Zeile ist nach den Lieferregeln geeignet',
    'The company was found; the row has a remark of the delivery policy and no contacts':
      'Die Firma wurde gefunden; die Zeile hat einen Vermerk nach den Lieferregeln und keine Kontakte',
    'No company was found for the row': 'Zu der Zeile wurde keine Firma gefunden',
    'The row is of the same company as an earlier row': 'Die Zeile gehört zu derselben Firma wie eine frühere Zeile',
    Eligible: 'Geeignet',
    'Fully enriched and eligible under the delivery policy':
      'Vollständig angereichert und nach den Lieferregeln geeignet',
    'Confirmed delivery': 'Bestätigte Lieferung',
    'Delivered before results became immutable; confirmed':
      'Geliefert, bevor Ergebnisse unveränderlich wurden; bestätigt',
    'Excluded by policy': 'Durch Regel ausgeschlossen',
    'Excluded by the delivery policy before results became immutable':
      'Durch die Lieferregeln ausgeschlossen, bevor Ergebnisse unveränderlich wurden',
    'Website unreachable': 'Website nicht erreichbar',
    'The website could not be reached': 'Die Website war nicht erreichbar',
    'Website moved': 'Website umgezogen',
    "The website redirects to a domain that is not the company's own":
      'Die Website leitet auf eine Domain um, die nicht der Firma gehört',
    'Website blocked': 'Website gesperrt',
    'The website blocked automated access': 'Die Website hat den automatischen Zugriff abgelehnt',
    'Website empty': 'Website leer',
    'The website returned no usable content': 'Die Website hat keinen verwertbaren Inhalt',
    'No people found': 'Keine Personen gefunden',
    'The website was read, no people were found': 'Die Website wurde gelesen, Personen wurden nicht gefunden',
    'No email found': 'Keine E-Mail gefunden',
    'People were found, no email address was discoverable': 'Personen wurden gefunden, aber keine E-Mail-Adresse',
    'Not processed': 'Nicht bearbeitet',
    'Processing of the row was not finished': 'Die Zeile wurde nicht fertig bearbeitet',
    'Contact path missing': 'Kontaktweg fehlt',
    'Contacts were found, none offers the contact path the profile requires':
      'Kontakte wurden gefunden, aber keiner mit dem Kontaktweg, den das Profil verlangt',
    'Company score too low': 'Punktzahl der Firma zu niedrig',
    "The company's fit score is below the profile's minimum":
      'Die Punktzahl der Firma liegt unter dem Mindestwert des Profils',
    'Prospect score too low': 'Punktzahl der Personen zu niedrig',
    "No contact reached the profile's minimum qualification score":
      'Kein Kontakt erreichte die Mindestpunktzahl des Profils',
    'Identity unresolved': 'Firma nicht erkannt',
    'The submitted company could not be matched to a website or organisation':
      'Zur angegebenen Firma wurde keine Website und keine Organisation gefunden',
    'Duplicate row': 'Doppelte Zeile',
    'The same company was submitted in an earlier row': 'Dieselbe Firma stand schon in einer früheren Zeile',
    'Held for review': 'Zur Prüfung zurückgehalten',
    'Held back for operator review': 'Zurückgehalten, bis der Betreiber sie geprüft hat',
    'Outside the quantity': 'Außerhalb der Menge',
    'Eligible, but outside the requested quantity': 'Geeignet, aber außerhalb der bestellten Menge',
  }),
);
