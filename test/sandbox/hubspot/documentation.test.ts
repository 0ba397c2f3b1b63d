import { readFileSync } from 'node:fs';
import { defaultAssumptions } from '../../../sandbox/hubspot/hubspot-assumptions.ts';
import { faultPresets } from '../../../sandbox/hubspot/fault-presets.ts';

const text = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');

describe('docs/sandbox.md', () => {
  it('lists every assumption about HubSpot with its default', () => {
    const rows = [...text.matchAll(/^\| (H\d\d) \| `(\w+)` \| ([^|]+) \|/gm)].map((row) => row.slice(1));
    expect(rows.map(([number]) => number)).toEqual(rows.map((_, i) => `H${String(i + 1).padStart(2, '0')}`));
    const documented = new Map(rows.map(([, name = '', value = '']) => [name, value] as const));
    const plainly = Object.entries(defaultAssumptions).filter(
      ([, value]) => value === null || typeof value !== 'object',
    );
    expect(Object.keys(defaultAssumptions).filter((name) => !documented.has(name))).toEqual([]);
    for (const [name, value] of plainly) expect([name, documented.get(name)]).toEqual([name, `\`${value}\``]);
  });

  it('lists every preset', () => {
    expect(Object.keys(faultPresets).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
