import { joinRows, noRows, withRow, type NamedRows } from '../../base/text/named-rows.ts';
import type { FieldValues } from '../../base/spreadsheet/source-columns.ts';
import { isMost } from './crowded-values.ts';
import { cityWithoutAccents } from './same-company.ts';

/** Fewer names may be those of cities by chance. */
const fewestCities = 3;

/** Finds rows whose name is their city, and where most names are cities of the source, all of these. */
export function createCityNames() {
  const cities = new Set<string>();
  const names = new Map<string, NamedRows>();
  let own = noRows;
  return {
    add({ company_name: name = '', city = '' }: FieldValues, number: number): void {
      const [nameKey, cityKey] = [cityWithoutAccents(name), cityWithoutAccents(city)];
      if (cityKey !== '') cities.add(cityKey);
      if (nameKey !== '' && nameKey === cityKey) own = withRow(own, number);
      names.set(nameKey, withRow(names.get(nameKey) ?? noRows, number));
    },
    rows(): NamedRows {
      const found = [...names].filter(([name]) => cities.has(name)).map(([, named]) => named);
      return found.length >= fewestCities && isMost(found.length, names.size) ? joinRows(found) : own;
    },
  };
}
