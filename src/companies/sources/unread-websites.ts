/** Finds web addresses in a column that is not read, where no website is: the order would go by names only. */
import { isIgnoredColumn, toColumnsSetting } from '../../base/spreadsheet/source-columns.ts';
import { toCellText } from '../../base/spreadsheet/table.ts';
import { boundWord } from '../../base/text/bound-text.ts';
import type { RowNotes } from '../../ledger/draft-source.ts';
import { ownDomain } from '../../service/contract/website-domain.ts';
import type { FilePage, TableSource } from './company-source.ts';
import { findWebsiteProblem } from './website-problem.ts';

type ColumnsOf = Pick<TableSource, 'columns' | 'settingsPath'>;

/** No address of a mailbox, and no text with a dot in it. */
const addressForm = /^(?:https?:\/\/)?[^\s@/.?#:]+(?:\.[^\s@/.?#:]+)*\.\p{L}{2,24}(?:[/?#:]\S*)?$/iu;

const longestAddress = 500;

/** Enough to know what a column holds. */
const rowsJudged = 1_000;

export function mayHoldWebsite(
  header: string,
  { used }: FilePage<unknown>['columns'],
  { columns = {} }: Pick<TableSource, 'columns'>,
): boolean {
  return used.website_url === undefined && !Object.values(used).includes(header) && !isIgnoredColumn(header, columns);
}

export function createUnreadWebsites() {
  const hosts = new Map<string, string[]>();
  let judged = 0;
  let setting = (_: string) => '';
  return {
    add({ headers, columns, rows }: Pick<FilePage<unknown>, 'headers' | 'columns' | 'rows'>, file: ColumnsOf): void {
      setting = (header) =>
        toColumnsSetting([{ field: 'website_url', header }], {
          ...file,
          settings: file.columns ?? {},
          used: columns.used,
        });
      const others = [...headers.entries()].filter(([, header]) => mayHoldWebsite(header, columns, file));
      for (const { source } of rows.slice(0, others.length === 0 ? 0 : Math.max(0, rowsJudged - judged))) {
        judged += 1;
        for (const [index, header] of others) {
          const host = toOwnHost(toCellText(source.cells[index] ?? ''));
          if (host === null) continue;
          const found = hosts.get(header) ?? [];
          hosts.set(header, found);
          found.push(host);
        }
      }
    },
    /** The column that has the most, if most rows have one there. Links to records of one system are all at one host. */
    notes(): Pick<RowNotes, 'unreadWebsites'> {
      const [found] = [...hosts]
        .filter(([, all]) => all.length * 2 > judged && new Set(all).size * 2 > all.length)
        .toSorted(([, left], [, right]) => right.length - left.length);
      if (found === undefined) return {};
      const column = boundWord(found[0]);
      return { unreadWebsites: { column, setting: setting(column) } };
    },
  };
}

function toOwnHost(text: string): string | null {
  const address = text.trim();
  if (address.length > longestAddress || !addressForm.test(address)) return null;
  return findWebsiteProblem(address) === null ? ownDomain(address) : null;
}
