/** The fields of a user's file, and the names that columns have for them. */
import { distance } from 'fastest-levenshtein';
import { toHeaderKey } from '../text/header-key.ts';
import { withoutMarks } from '../text/normalize-text.ts';
import { words } from '../text/words.ts';

/** All fields that a file can have. Exclusions read all of them. */
export const sourceFields = [
  'company_name',
  'website_url',
  'city',
  'country',
  'external_id',
  'reason',
  'expires_at',
] as const;
export type SourceField = (typeof sourceFields)[number];

/** English and German names of the fields, in the form of `toHeaderKey`. */
const synonyms: Readonly<Record<SourceField, readonly string[]>> = {
  company_name: words(
    'company name organisation organization organisation_name organization_name account account_name business business_name legal_name customer',
    'customer_name client firma firmenname firmenbezeichnung unternehmen unternehmensname gesellschaft betrieb kunde',
    'kundenname organisationsname',
  ),
  website_url: words(
    'website url domain homepage web site web_site www webpage web_page web_address website_address company_url',
    'company_domain company_website internet webseite web_seite website_adresse internetadresse internetseite webadresse',
    'domaene link',
  ),
  city: words(
    'town location place municipality hq_city stadt ort gemeinde standort sitz firmensitz plz',
    'postleitzahl zip zip_code postal_code postcode',
  ),
  country: words(
    'nation country_code country_name country_region hq_country land staat laendercode laenderkennzeichen',
  ),
  external_id: words(
    'id crm_id record_id hubspot_id hubspot_record_id object_id company_id account_id customer_id client_id source_id',
    'customer_number customer_no client_number account_number number no nr nummer kundennummer kundennr kunden_nr kd_nr',
    'kdnr kunden_id kundenid firmen_id debitor debitorennummer debitor_nr datensatz_id crm_nummer',
  ),
  reason: words('cause grund begruendung ausschlussgrund'),
  expires_at: words(
    'expires expiry expiry_date expiration expiration_date valid_until valid_to until end_date gueltig_bis ablauf',
    'ablaufdatum bis befristet_bis enddatum gesperrt_bis sperre_bis sperrung_bis sperrfrist sperrfrist_bis ausgeschlossen_bis',
    'ausschluss_bis blockiert_bis blocked_until block_until excluded_until exclude_until exclusion_until valid_through',
  ),
};

/**
 * French, Italian, Spanish, Portuguese, Dutch, Polish and Scandinavian names of the fields, without marks, and technical names of SAP. They
 * are not compared by typing errors: `Days` is not `Pays`. What has another sense in English or German is missing: `Site`, `Stato`.
 */
const foreignNames: Readonly<Partial<Record<SourceField, readonly string[]>>> = {
  company_name: words(
    'name1 name_org1 societe raison_sociale entreprise nom_entreprise nom_de_l_entreprise nom_societe nom_de_la_societe denomination_sociale',
    'nom_du_client nom_client azienda impresa ragione_sociale societa nome_azienda nome_cliente denominazione_sociale empresa razon_social',
    'nombre_empresa nombre_de_la_empresa nombre_cliente nome_da_empresa razao_social bedrijf bedrijfsnaam klantnaam onderneming nazwa',
    'nazwa_firmy przedsiebiorstwo nazwa_klienta foretag foretagsnamn virksomhed firmanavn bedrift',
  ),
  website_url: words(
    'uri_addr uri_srch site_web site_internet adresse_web url_du_site adresse_internet page_web sito sito_web sito_internet indirizzo_web',
    'pagina_web sitio_web sitio direccion_web site_da_empresa webadres internetadres internetpagina strona_www strona_internetowa',
    'strona_web adres_www hemsida webbplats hjemmeside nettside webside',
  ),
  city: words(
    'ort01 city1 ville commune localite citta comune localita ciudad localidad poblacion municipio cidade plaats woonplaats',
    'vestigingsplaats stad gemeente miasto miejscowosc postort poststed',
  ),
  country: words('land1 pays paese nazione pais panstwo kraj landkode landskod'),
  external_id: words(
    'kunnr lifnr code_client numero_client numero_de_client no_client n_client id_client code_du_client reference_client codice_cliente',
    'cod_cliente numero_cliente id_cliente codigo_cliente codigo_de_cliente codigo_do_cliente numero_de_cliente cod_de_cliente klantnummer',
    'klantnr klantcode klant_id debiteurnummer debiteurennummer debiteurnr relatienummer numer_klienta nr_klienta kod_klienta id_klienta',
    'kundnummer kundnr kundenummer kundenr',
  ),
};

function isForeignName(field: SourceField, key: string): boolean {
  return foreignNames[field]?.includes(withoutMarks(key)) ?? false;
}

/** Words that indicate the field anywhere in a header: `Company website`, `Firma (Kunde)`. */
const indicatingWords: Readonly<Partial<Record<SourceField, readonly string[]>>> = {
  company_name: words('firma firmenname unternehmen unternehmensname'),
  website_url: words('website webseite homepage domain'),
  external_id: words('kundennummer kundennr'),
};

/** `Name 2`, `Firma2`, `Company name (2)`: the second line of a name. */
export function isNameContinuation(header: string): boolean {
  const [, key = ''] = /^(.+?)_?[2-4]$/.exec(toHeaderKey(header)) ?? [];
  return key === 'name' || key === 'namenszusatz' || isHeaderName('company_name', key);
}

/** Whether the header is the name of the field or a synonym. */
export function isHeaderName(field: SourceField, header: string): boolean {
  const key = toHeaderKey(header);
  return key === field || synonyms[field].includes(key) || isForeignName(field, key);
}

/** Headers that name companies, and neither people, as `name` or `customer` may, nor anything else. */
const companyHeaders: ReadonlySet<string> = new Set(
  words(
    'company_name company account_name business_name organisation organization organisation_name organization_name legal_name',
    'firma firmenname firmenbezeichnung unternehmen unternehmensname organisationsname gesellschaft',
  ),
);

export function isCompanyHeader(header: string): boolean {
  return companyHeaders.has(toHeaderKey(header));
}

const firstNameHeaders: ReadonlySet<string> = new Set(words('vorname first_name firstname given_name forename prenom'));

const lastNameHeaders: ReadonlySet<string> = new Set(
  words('nachname familienname zuname last_name lastname surname family_name familyname nom_de_famille'),
);

const personHeaders: ReadonlySet<string> = new Set([
  ...firstNameHeaders,
  ...lastNameHeaders,
  ...words(
    'ansprechpartner ansprechpartnerin ansprechperson ansprechpartner_name kontakt kontaktname kontakt_name kontaktperson',
    'contact contact_name contact_person person full_name fullname voller_name name_vorname vorname_name nachname_vorname',
    'vorname_nachname vor_und_nachname first_and_last_name mitarbeiter mitarbeiterin employee employee_name email e_mail',
    'email_address e_mail_adresse',
  ),
]);

/** Whether the column holds people: by its name, also with a number or `Contact` in front; `Name` beside a first name is a last one. */
export function isPersonHeader(header: string, others: readonly string[]): boolean {
  const key = toHeaderKey(header).replace(/_?\d{1,3}$/, '');
  if (personHeaders.has(key) || personHeaders.has(key.replace(/^(?:contact|kontakt|ansprechpartner)_/, '')))
    return true;
  const keys = others.map(toHeaderKey);
  return (
    key === 'name' &&
    keys.some((other) => firstNameHeaders.has(other)) &&
    !keys.some((other) => lastNameHeaders.has(other))
  );
}

const colour =
  /(?:^|_)(?:rot|gelb|gruen|orange|blau|grau|rosa|lila|red|yellow|green|blue|gr[ae]y|pink|purple)(?:e[nrs]?)?(?:_|$)|farb|colou?r/;

/** `rot = nicht anschreiben`, `Legend: red rows are closed`, but not `Farbe` or `Red List` */
export function isColourLegend(header: string): boolean {
  const signs = /[=:]|->|→|–/.test(header);
  return colour.test(toHeaderKey(header.replaceAll('=', ' '))) && (signs || meaning.test(header));
}

const meaning = /\b(?:nicht|kein\p{L}{0,2}|bedeutet|hei(?:ß|ss)t|markiert|gesperrt|not|means|marked|highlighted)\b/iu;

/** Whether the text is a name of any field, in a language that is known. */
export function isKnownHeader(text: string): boolean {
  return sourceFields.some((field) => isHeaderName(field, text));
}

/** Rank of a header for the field, the most likely first; null when the header does not indicate the field. */
export function rankOf(header: string, field: SourceField): number | null {
  const key = toHeaderKey(header);
  const names = [field, ...synonyms[field]];
  const exact = names.indexOf(key);
  if (exact !== -1) return exact;
  if (isForeignName(field, key)) return names.length;
  // `Company` is not a misspelt company_id.
  if (isKnownHeader(header)) return null;
  const misspelt = names.findIndex((name) => isMisspelt(key, name));
  if (misspelt !== -1) return names.length + misspelt;
  // A web address or the name of a company is a value, not a header.
  const unabbreviated = withoutRemark(header).replace(/ (?:lt|gem|bzw|inkl|incl)\. /i, ' ');
  if (!/^[\p{L} ()/_*:-]+\.?$/u.test(unabbreviated)) return null;
  const parts = key.split('_');
  return (indicatingWords[field] ?? []).some((word) => parts.includes(word)) ? 2 * names.length : null;
}

/** `Firma` of `Firma (lt. SAP)`, and of a header with further lines */
function withoutRemark(header: string): string {
  return /^.[^\n([{]*/s.exec(header.trim())?.[0].trim() ?? '';
}

/** Whether the header is probably the one that a setting names: misspelt, or with another remark or none. */
export function isNearHeader(header: string, wanted: string): boolean {
  const name = toHeaderKey(withoutRemark(header));
  const isSame = name !== '' && name === toHeaderKey(withoutRemark(wanted));
  return isSame || isMisspelt(toHeaderKey(header), toHeaderKey(wanted));
}

/** Fewer typing errors are allowed in short words: `Art` is not `Ort`. */
function isMisspelt(key: string, name: string): boolean {
  const [left, right] = [key.replaceAll('_', ''), name.replaceAll('_', '')];
  const shorter = Math.min(left.length, right.length);
  const edits = shorter >= 7 ? 2 : shorter >= 4 ? 1 : 0;
  return Math.abs(left.length - right.length) <= edits && distance(left, right) <= edits;
}
