/** CRM companies without a website whose name is doubtful: their entries match by the name. */
import type { NamedRecords } from '../../proof/report/order-report.ts';
import type { EntryInput } from '../../service/contract/index.ts';
import { isDoubtfulName } from '../sources/name-problem.ts';

const recordsNamed = 5;

export function createDoubtfulRecords() {
  let records = 0;
  const first: string[] = [];
  return {
    /** `entry`: undefined for a company that is not excluded. */
    add(entry: EntryInput | undefined): void {
      if (entry === undefined || entry.website_url || !isDoubtfulName(entry.company_name, undefined)) return;
      records += 1;
      if (entry.external_id && first.length < recordsNamed) first.push(entry.external_id);
    },
    /** Only if there are some. */
    figures: (): { readonly doubtfulRecords?: NamedRecords } =>
      records === 0 ? {} : { doubtfulRecords: { records, first } },
  };
}
