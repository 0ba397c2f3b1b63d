// Another process that fills an order page by page: node write-pages.ts DATA_DIR PAGES. Prints "page" after each.
import { openLedger } from '../../src/ledger/ledger.ts';
import type { StoredSlot } from '../../src/ledger/stored-slot.ts';

const [dataDir = '', pages = '0'] = process.argv.slice(2);
const ledger = await openLedger({ dataDir });
for (let page = 0; page < Number(pages); page += 1) {
  const slots = Array.from({ length: 100 }, (_, index): StoredSlot => {
    const position = page * 100 + index;
    const json = JSON.stringify({ input_position: position });
    return {
      position,
      hash: `${position}`,
      status: 'ENRICHED',
      reasonCodes: ['POLICY_ELIGIBLE'],
      externalId: null,
      json,
    };
  });
  await ledger.slots.save('order', slots);
  process.stdout.write('page\n');
}
await ledger.close();
