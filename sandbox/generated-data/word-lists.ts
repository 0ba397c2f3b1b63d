/** Word lists for generated companies and people. A company name consists of a head, a tail and a field. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** 64 heads × 64 tails × 32 fields: 131,072 different names. */
export const nameHeads = words(`
  Alder Amber Arbor Argent Ashen Aspen Atlas Aurora Azure Birch Bold Bright Cedar Clear Cobalt Copper
  Coral Crest Crown Crystal Dawn Delta Eagle East Elder Ember Falcon Fern Flint Frost Garnet Glen
  Golden Grand Granite Green Harbor Haven Heather High Indigo Iron Ivory Jade Keen Lake Lark Linden
  Lunar Maple Meadow Mist Noble North Oak Onyx Opal Pine Prime Quartz River Silver Stone Summit`);

export const nameTails = words(`
  bank bay bird bloom bridge brook cast cliff craft crest dale dock drift edge fall field
  flow ford forge front gate glade grove guard hall haven heart hill holm horn house keep
  land leaf light line link loom mark mead mill mint moor mount path peak point port
  range reach ridge ring rock root shore span spring stead storm stream tide vale ware works`);

export const nameFields = words(`
  Analytics Automation Biotech Chemicals Components Consulting Controls Coatings Design Diagnostics Dynamics Electronics
  Energy Engineering Fabrics Foods Hydraulics Instruments Labs Logistics Machinery Materials Mobility Networks
  Optics Packaging Plastics Robotics Sensors Software Systems Tooling`);

export const firstNames = words(`
  Anna Björn Carla David Elena Felix Greta Hugo Ines Jonas Karin Léa Marek Nora Oskar Paula
  Quentin Rosa Sören Tilda Ulrich Vera Willem Xenia Yannick Zofia Amélie Bruno Clara Emil Frida Jürgen`);

export const lastNames = words(`
  Abel Bauer Castell Dahl Ebert Fournier Gruber Holm Ivarsson Janssen Keller Lindqvist Müller Novak Olsen Peeters
  Quint Rossi Schäfer Torres Urban Vermeer Weiß Yılmaz Zimmer Ackermann Brandt Corsini Dubois Eriksen Falk García`);

export const streets = words(`
  Bahnhofstraße Lindenallee Parkweg Hafenring Marktplatz Schulstraße Industrieweg Seestraße Mühlgasse Ostring`);

export const jobTitles = [
  'Managing Director',
  'Head of Sales',
  'Chief Technology Officer',
  'Head of Purchasing',
  'Operations Manager',
  'Marketing Lead',
  'Chief Financial Officer',
  'Head of Product',
] as const;

export const industries = [
  'Mechanical Engineering',
  'Software',
  'Logistics',
  'Medical Technology',
  'Chemicals',
  'Food Production',
  'Renewable Energy',
  'Electronics',
  'Construction',
  'Business Consulting',
  'Automotive',
  'Packaging',
] as const;

export interface Country {
  readonly name: string;
  readonly code: string;
  readonly dial: string;
  readonly legalForm: string;
  readonly cities: readonly [string, ...string[]];
}

export const countries = [
  country('Germany', 'DE', '+49', 'GmbH', 'Berlin', 'Hamburg', 'München', 'Köln', 'Leipzig', 'Stuttgart'),
  country('Austria', 'AT', '+43', 'GmbH', 'Wien', 'Graz', 'Linz', 'Salzburg', 'Innsbruck'),
  country('Switzerland', 'CH', '+41', 'AG', 'Zürich', 'Basel', 'Bern', 'Genève', 'Luzern'),
  country('Netherlands', 'NL', '+31', 'B.V.', 'Amsterdam', 'Rotterdam', 'Utrecht', 'Eindhoven'),
  country('Belgium', 'BE', '+32', 'N.V.', 'Antwerpen', 'Gent', 'Liège', 'Leuven'),
  country('France', 'FR', '+33', 'SAS', 'Paris', 'Lyon', 'Nantes', 'Lille', 'Toulouse'),
  country('Italy', 'IT', '+39', 'S.r.l.', 'Milano', 'Torino', 'Bologna', 'Verona'),
  country('Spain', 'ES', '+34', 'S.L.', 'Madrid', 'Barcelona', 'Valencia', 'Málaga'),
  country('Sweden', 'SE', '+46', 'AB', 'Stockholm', 'Göteborg', 'Malmö', 'Uppsala'),
  country('Poland', 'PL', '+48', 'Sp. z o.o.', 'Warszawa', 'Kraków', 'Wrocław', 'Gdańsk'),
  country('United Kingdom', 'GB', '+44', 'Ltd', 'London', 'Leeds', 'Bristol', 'Manchester'),
  country('United States', 'US', '+1', 'Inc.', 'Boston', 'Denver', 'Portland', 'Austin'),
] as const;

function country(
  name: string,
  code: string,
  dial: string,
  legalForm: string,
  ...cities: [string, ...string[]]
): Country {
  return { name, code, dial, legalForm, cities };
}
