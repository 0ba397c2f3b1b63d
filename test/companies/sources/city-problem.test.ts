import { isDoubtfulCity } from '../../../src/companies/sources/city-problem.ts';

/** Texts with semicolons between them. */
const listOf = (...lines: string[]) => lines.flatMap((line) => line.split(';'));

describe('isDoubtfulCity', () => {
  it.each(['70173', 'D-70173', '1010', 'SW1A 1AA', 'Hauptstr. 5', 'Musterweg 12a', '12 High Street', 'Via Roma 3'])(
    'is true for %s',
    (city) => expect(isDoubtfulCity(city, '')).toBe(true),
  );

  it.each([
    'Walter Maschinenbau GmbH',
    'Alpha GmbH & Co. KG',
    'Alpha KG',
    'Alpha e.K.',
    'Acme, Inc.',
    'Beta Sp. z o.o. / Ltd',
  ])('is true for the company %s', (city) => expect(isDoubtfulCity(city, '')).toBe(true));

  it.each(['DÃ¼ren', 'K?ln', 'M\uFFFDnchen', 'WrocÅ‚aw', 'P³ock', '?rebro'])(
    'is true for the broken characters of %s',
    (city) => expect(isDoubtfulCity(city, '')).toBe(true),
  );

  it.each([
    'Baden AG',
    'Rheinfelden AG',
    'Denver CO',
    'Bray, Co. Wicklow',
    'Las Vegas NV',
    'Calgary AB',
    'Adelaide SA',
    'Spa',
    'Oy',
    'Sas van Gent',
    '1012 KG Amsterdam',
    '1234 BV Utrecht',
    'Kg. Baru',
    'As',
    'SÃO PAULO',
    'Ängelholm',
  ])('is false for the place %s', (city) => expect(isDoubtfulCity(city, '')).toBe(false));

  it.each([
    '',
    'Stuttgart',
    '70173 Stuttgart',
    '9000 St. Gallen',
    'Praha 4',
    'Wien 3',
    'Straßburg',
    'St. Gallen',
    'Köln',
    'BERLIN',
    'Bad Berka',
  ])('is false for %p', (city) => expect(isDoubtfulCity(city, '')).toBe(false));

  it.each([
    ['Germany', ''],
    ['Deutschland', 'DE'],
    ['Niemcy', ''],
    ['USA', ''],
    ['Baden-Württemberg', ''],
    ['Baden Wuerttemberg', 'Germany'],
    ['Île-de-France', ''],
    ['śląskie', 'Polska'],
    ['Ulm, Germany', ''],
    ['Ulm (Deutschland)', ''],
    ['DE-50667 Köln', ''],
    ['D-50667 Köln', 'Germany'],
  ])('is true for %s in %p, which is a region, or has a country or its code', (city, country) =>
    expect(isDoubtfulCity(city, country)).toBe(true),
  );

  it.each([
    ['Monaco', ''],
    ['Luxembourg', 'Luxembourg'],
    ['Singapore', ''],
    ['Granada', ''],
    ['Trier', ''],
    ['Mexico', ''],
    ['Lebanon', 'USA'],
    ['Poland', 'United States'],
    ['Atlanta, Georgia', ''],
    ['Paris, Texas', 'US'],
    ['Brandenburg', ''],
    ['Salzburg', 'AT'],
    ['Freiburg (Breisgau)', ''],
    ['Frankfurt (Oder)', ''],
    ['Alle', 'CH'],
    ['Eu', 'FR'],
    ['Łódź', ''],
  ])('is false for the city %s in %p', (city, country) => expect(isDoubtfulCity(city, country)).toBe(false));

  it.each(
    listOf(
      'remote;Remote;REMOTE (Berlin);Remote - Germany;Berlin / remote;fully remote;Homeoffice;Home Office',
      'home-office;télétravail;à distance;teletrabajo;Smart Working;thuiswerk;praca zdalna;online;div.;Div;Diverse',
      'diverse Orte;div. Standorte;div.Orte;versch. Standorte;Verschiedene;various;multiple locations',
      'plusieurs villes;divers;varie sedi;varias ciudades;diverse locaties;różne miejsca;bundesweit;Deutschlandweit',
      'europaweit;weltweit;nationwide;Worldwide;mondial;landelijk;cały kraj;ganz Deutschland;toute la France',
      "Tutta l'Italia;in tutta Italia;toda España;cała Polska;heel Nederland;siehe Rechnung;Siehe oben;s. o.",
      'see invoice;voir facture;vedi fattura;véase factura;zie factuur;patrz faktura;Postfach;Postfach 1234',
      'Postfach 12 34, 70001 Stuttgart;Stuttgart, Postfach 12;P.O. Box 12;PO Box 12;p. o. box 7;BP 12;B.P. 1203',
      'Boîte postale 5;Casella Postale 3;C.P. 12;Apartado 33;Apartado de Correos 3;Postbus 99;Skr. poczt. 5;N.N.',
      'tbd;dito;wie oben;Ausland',
    ),
  )('is true for %s, which is a post box, or says that there is no one city', (city) =>
    expect(isDoubtfulCity(city, '')).toBe(true),
  );

  it.each(
    listOf(
      'Postau;Postbauer-Heng;Postojna;Boxberg;Boxtel;Box;Box Hill;Boxmeer;Boppard;Pforzheim;Halle (Saale)',
      "St. Pölten;L'Aquila;'s-Hertogenbosch;'s-Gravenhage;Y;Å;Ö;Bad Homburg v. d. Höhe;Frankfurt a. M.",
      'Frankfurt (Oder);Villingen-Schwenningen;Weltensburg;Weltenburg;Vari;Varese;Divonne-les-Bains;Divača',
      'Dives-sur-Mer;Remoulins;Remscheid;See;See im Paznaun;Seebad Ahlbeck;Vedi;Ver-sur-Mer;Ver sur Launette;Voiron',
      'Zielona Góra;Siegen;Übersee;Estero;Home;Homestead;Homburg;None;Leer;Brake;National City;International Falls',
      'Nowe Miasto;Wielen;Wieleń;Mehring;Ganzlin;Gesees;Heel;Heelsum;Toul;Toulouse;Todos Santos;Tutzing;Całowanie',
      'Lauterbach;Lauf a. d. Pegnitz;Las Vegas;La Paz;Le Mans;Paris Cedex 08;Lyon Cedex;Paris 8e;Berlin-Mitte',
      'Stuttgart - Vaihingen;Neu-Ulm;Ulm/Donau;Biel/Bienne;Bolzano - Bozen;Rothenburg o. d. T.;Sankt Augustin',
      'S. Giovanni;San Sebastián;Apartadó;Ii;Au;Ham;Wien;Łódź;Aš;Hof;Ort im Innkreis;Werne;Bruck an der Mur',
    ),
  )('is false for the city %s', (city) => expect(isDoubtfulCity(city, '')).toBe(false));
});
