// Texts of others in the Markdown that the Temporal UI's server makes HTML of.
import { formatCurrentDetails } from '../../workflows/current-details.ts';
import { toCodeSpan, toList } from '../../src/base/text/markdown.ts';
import { describeExclusions, describeRun } from '../../src/temporal/workflow-texts.ts';
import { exclusionPlan } from '../helpers/exclusion-plan.ts';
import { discoveryPlan } from '../helpers/pipeline.ts';
import { startTemporal, type TemporalTestServer } from '../helpers/temporal-server.ts';

const attacks = [
  '[log in](https://evil.example)',
  '![pixel](https://evil.example/p.png)',
  '<img src="https://evil.example/p.png"><script>alert(1)</script>',
  '<https://evil.example>',
  'see https://evil.example/a and HTTP://EVIL.example, ftp://evil.example or mailto:a@evil.example',
  '[1]: https://evil.example "t"\n\n[1]',
  '# heading',
  '\n\n# heading\n\n---\n\n- entry',
  'heading\n===',
  '1. entry',
  '> quote',
  '```\ncode\n```',
  '&lt;b&gt; &#x202e;gnp',
  '| a | b |\n|---|---|\n| c | d |',
  '$$x$$ ~~gone~~ **loud** _loud_ {#id}',
  '`code` [x`](https://evil.example)`',
  '\\[x\\](https://evil.example)',
  '{workflowId}',
];

let temporal: TemporalTestServer;
beforeAll(async () => {
  temporal = await startTemporal('ui');
});
afterAll(() => temporal?.stop());

async function render(markdown: string): Promise<string> {
  const response = await fetch(`${temporal.uiUrl}/render?content=${encodeURIComponent(markdown)}`);
  const [, main = ''] = /<main>(.*)<\/main>/s.exec(await response.text()) ?? [];
  return main;
}

/** What our own Markdown consists of. */
const ownTags = /<\/?(?:p|ul|li|strong|code|br ?\/?)>/g;

describe('the HTML of texts in the Temporal UI', () => {
  it('contains a link for a Markdown link', async () => {
    expect(await render('[x](https://a.example) https://b.example # y')).toMatch(/<a href=.*<a href=/s);
    expect(await render('# y')).toContain('<h1');
  });

  it.each(attacks)('shows %j as plain text', async (attack) => {
    const plan = discoveryPlan('/data', { title: attack });
    const moment = '2026-11-23T09:15:00.000Z';
    const details = formatCurrentDetails({
      orderId: null,
      stage: 'collecting',
      since: moment,
      waitingFor: attack,
      waitingUntil: moment,
      counts: { [attack]: 1 },
      tables: { reason: { [attack]: 2 } },
      files: [{ path: attack, kind: 'csv', rows: 1 }],
      findings: [{ code: attack, count: 1, positions: [] }],
      failure: { type: attack, message: attack },
      note: attack,
      past: [{ stage: attack, since: moment }],
    });
    const { staticDetails, staticSummary } = describeExclusions(exclusionPlan({ blacklist: attack }));
    const texts = [toList([[attack, attack]]), toCodeSpan(attack), describeRun(plan).staticDetails, staticDetails];
    for (const text of [...texts, details]) {
      const html = await render(text);
      expect(html.replaceAll(ownTags, '')).not.toMatch(/<|\u202E/);
      expect(html.length).toBeGreaterThan(attack.length);
    }
    // Lists show it as it is, so that it holds no escapes.
    expect(await render(staticSummary)).not.toMatch(/<(?:a|img|script|h\d|hr)\b|\u202E/);
  });
});
