import { joinRows, noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import { isMost } from './crowded-values.ts';
import { isNameInHost, toHostParts, toNameAndHost, type NameAndHost } from './name-in-host.ts';
import { hasLegalForm } from './legal-form.ts';
import { toCityKey } from './city-key.ts';

/** Fewer names may be those of cities by chance. */
const fewestCities = 3;

interface Named {
  readonly all: NamedRows;
  /** Rows whose city is a company. */
  readonly swapped: NamedRows;
}

/**
 * Finds rows whose name is their city, or a city of the source while their city is a company, and where most names are cities of the source,
 * all of these.
 */
export function createCityNames() {
  const cities = new Set<string>();
  const names = new Map<string, Named>();
  let own = noRows;
  return {
    /** `compared`: name and website of the row. */
    add({ company_name: name = '', city = '' }: FieldValues, compared: NameAndHost, number: number): void {
      const [nameKey, cityKey] = [toCityKey(name), toCityKey(city)];
      if (cityKey !== '') cities.add(cityKey);
      const isOwn = nameKey !== '' && nameKey === cityKey;
      if (isOwn) own = withRow(own, number);
      const { all, swapped } = names.get(nameKey) ?? { all: noRows, swapped: noRows };
      const isSwapped = !isOwn && isCompany(city, compared);
      names.set(nameKey, { all: withRow(all, number), swapped: isSwapped ? withRow(swapped, number) : swapped });
    },
    rows(): NamedRows {
      const found = [...names].filter(([name]) => cities.has(name)).map(([, named]) => named);
      if (found.length >= fewestCities && isMost(found.length, names.size))
        return joinRows(found.map(({ all }) => all));
      return joinRows([own, ...found.map(({ swapped }) => swapped)]);
    },
  };
}

/** Whether the city has a legal form, or is in the host where the name is not. */
function isCompany(city: string, { nameWords, host }: NameAndHost): boolean {
  if (hasLegalForm(city)) return true;
  if (host === null) return false;
  const parts = toHostParts(host);
  return isNameInHost(toNameAndHost({ company_name: city }).nameWords, parts) && !isNameInHost(nameWords, parts);
}
