import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findClientFunctions, findSandboxRoutes } from '../../tools/contract-links.ts';
import { describeCommands } from '../../tools/describe-commands.ts';
import { describeSettings } from '../../tools/describe-settings.ts';
import { toServiceCoverage } from '../../tools/service-coverage.ts';
import { operations } from '../../src/service/contract/index.ts';

const specification = readFileSync(path.join(__dirname, '../../docs/service-interface.md'), 'utf8');
const names = {
  settings: describeSettings().map(({ key }) => key),
  options: describeCommands().flatMap(({ options }) => options.map(({ flags }) => flags)),
};

describe('toServiceCoverage', () => {
  it('lists each endpoint with its route, its function, its use and its tests', () => {
    const { endpoints } = toServiceCoverage(specification, names);
    expect(endpoints.split('\n')).toHaveLength(Object.keys(operations).length + 2);
    expect(endpoints).toContain(
      '(`getOrder`) | `sandbox/service/order-routes.ts` | `orders.get` | `prospect-sync run`',
    );
    expect(endpoints).toContain('| – | not used: `listBlacklists` returns every blacklist');
  });

  it('refuses a rule without an entry, and an entry whose rule is gone', () => {
    const added = specification.replace('8. delivered_since no longer exists.', '9. A new rule.');
    expect(() => toServiceCoverage(added, names)).toThrow(
      /^Orders, Results rules > 9: .*\nOrders, Results rules > 8: /m,
    );
  });

  it('refuses a setting or an option that does not exist', () => {
    const settings = names.settings.filter((key) => key !== 'replies.key');
    expect(() => toServiceCoverage(specification, { ...names, settings })).toThrow('replies.key does not exist');
    expect(() => toServiceCoverage(specification, { ...names, options: [] })).toThrow('--legacy does not exist');
  });
});

describe('findClientFunctions', () => {
  it('finds the operation of each function by its method and path', () => {
    const found = findClientFunctions();
    expect(found.get('outputs.download')).toBe('downloadExport');
    expect(found.get('blacklists.assign')).toBe('assignBlacklists');
    const unused = Object.keys(operations).filter((name) => ![...found.values()].includes(name));
    expect(unused).toEqual(['getBlacklist']);
  });
});

describe('findSandboxRoutes', () => {
  it('finds the file that answers each operation', () => {
    expect(Object.keys(findSandboxRoutes())).toEqual(Object.keys(operations));
  });
});
