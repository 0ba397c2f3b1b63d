import { excludedColumns } from '../../../src/delivery/files/excluded-sheet.ts';
import { toSummarySections } from '../../../src/delivery/files/order-summary.ts';
import { sayIn } from '../../../src/delivery/files/sheet-language.ts';
import { slotColumns } from '../../../src/delivery/files/slot-rows.ts';
import { reasonCodes, slotStatuses } from '../../../src/service/contract/index.ts';

const languages = ['en', 'de'] as const;
const headersOf = (mode: 'slot' | 'prospect', language: 'en' | 'de') =>
  slotColumns(mode, { ownHeaders: ['Ort', 'City'], language }).map(({ header }) => header);
/** Words that both languages have. */
const shared = new Set(['Ort', 'City', 'Position', 'Website', 'Domain', 'LinkedIn']);

describe('a spreadsheet in German', () => {
  it('has German headers, and none of them twice', () => {
    for (const mode of ['slot', 'prospect'] as const) {
      const [english, german] = [headersOf(mode, 'en'), headersOf(mode, 'de')];
      expect(new Set(german).size).toBe(german.length);
      expect(german.filter((header, index) => header === english[index] && !shared.has(header))).toEqual([]);
    }
    expect(headersOf('slot', 'de')).toEqual(
      expect.arrayContaining(['Ort (Quelle)', 'City', 'Ort', 'Bester Kontakt: E-Mail']),
    );
    for (const { header } of excludedColumns) expect(sayIn('de')(header)).not.toBe(header);
  });

  it('has a German summary with the meaning of each status and reason', () => {
    const [english = [], german = []] = languages.map((language) =>
      toSummarySections(
        {
          order: { id: '7', run: 'w', title: 't' },
          kind: 'discovery',
          ordered: 1,
          delivered: 1,
          publishedAt: null,
          byStatus: { ARCHIVED: 1 },
          byReason: Object.fromEntries(Object.keys(reasonCodes).map((code) => [code, 1])),
        },
        language,
      ).flatMap(({ title, rows }) => [
        title,
        ...rows.flatMap(({ label, note }) => [label, ...(note === undefined ? [] : [note])]),
      ]),
    );
    const same = german.filter((text, index) => text === english[index]);
    expect(same).toEqual([...slotStatuses]);
    for (const status of slotStatuses) expect(german[german.indexOf(status) + 1]).toMatch(/^(?:Die|Zu|Zurück)/);
    expect(german).toHaveLength(english.length);
  });
});
