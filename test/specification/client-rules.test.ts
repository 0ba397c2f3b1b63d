import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { activeOrderStatuses, orderStatuses } from '../../src/service/contract/index.ts';

const root = path.join(__dirname, '../..');

/** Source files of the client, which has neither the contract nor the names of requests in its telemetry. */
function readClientSources(): { file: string; text: string }[] {
  return ['activities', 'src', 'workflows'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/^(?:service\/contract|worker\/telemetry)\//.test(file))
      .map((file) => ({ file: `${folder}/${file}`, text: readFileSync(path.join(root, folder, file), 'utf8') })),
  );
}

describe('What the service does', () => {
  const clause = 'it must not be used to reconcile an order';

  it(`${clause}: only ingest --legacy asks for the legacy deliveries listing`, () => {
    // The text of one company's website is another route.
    const listing =
      /listDeliveredCompanies|\/api\/v1\/deliveries(?!\/\{prospect_search_id\}\/companies\/\{company_id\})/;
    const filesWith = (pattern: RegExp) =>
      readClientSources().flatMap(({ file, text }) => (pattern.test(text) ? [file] : []));
    expect(filesWith(listing)).toEqual([
      'src/delivery/crm/legacy-listing.ts',
      'src/service/client/prospecting-client.ts',
    ]);
    expect(filesWith(/deliveries\.companies\(/)).toEqual(['src/cli/ingest-legacy.ts']);
    expect(filesWith(/legacy-listing\.ts'/)).toEqual(['src/cli/ingest-legacy.ts']);
  });
});

describe('Order status', () => {
  it('poll only while the status is RECEIVED, ACCEPTED or IN_PROGRESS: these are the active statuses of the client', () => {
    expect(activeOrderStatuses).toEqual(['RECEIVED', 'ACCEPTED', 'IN_PROGRESS']);
    const ended = orderStatuses.filter((status) => !activeOrderStatuses.some((active) => active === status));
    expect(ended).toEqual(['COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED']);
  });
});
