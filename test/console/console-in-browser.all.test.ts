// Every page in a real browser: accessible, within the width of a telephone, and usable with the keyboard alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openConsole } from '../../src/cli/run-console.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { findBrowser, openBrowser } from '../helpers/browser.ts';
import { describeIf, needsBrowser } from '../helpers/describe-if.ts';
import { fillLedger, orderId } from './filled-ledger.ts';

const executable = findBrowser();
const paths = [
  '/',
  `/orders/${orderId}`,
  `/orders/${orderId}/rows`,
  `/orders/${orderId}/changes`,
  '/why?q=company-3.example',
  '/why?q=company',
  '/why?q=unknown.example',
];

describeIf(executable !== null, needsBrowser)('the console in a browser', () => {
  const cleanup = new AsyncDisposableStack();
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'console-'));
    cleanup.defer(() => rmSync(folder, { recursive: true }));
    const ledger = cleanup.adopt(await openLedger({ dataDir: folder }), (opened) => opened.close());
    await fillLedger(ledger);
    ({ url } = cleanup.adopt(await openConsole({ ledger, isSandbox: false, work: null }, 0), (opened) =>
      opened.close(),
    ));
    browser = cleanup.adopt(await openBrowser(executable ?? ''), (opened) => opened.close());
  });
  afterAll(() => cleanup.disposeAsync());

  const open = async (path: string, options: BrowserContextOptions): Promise<Page> => {
    const page = await browser.newPage(options);
    await page.goto(`${url}${path.slice(1)}`);
    return page;
  };

  it.each(['light', 'dark'] as const)(
    'has no violation of WCAG 2.2 AA, and nothing beyond 360 pixels: %s',
    async (colorScheme) => {
      for (const path of paths) {
        const page = await open(path, { viewport: { width: 360, height: 800 }, colorScheme, bypassCSP: true });
        await page.evaluate(axe.source);
        const violations = await page.evaluate<string[]>(
          `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
          .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`,
        );
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        expect({ path, violations, overflow }).toEqual({ path, violations: [], overflow: 0 });
        await page.close();
      }
    },
  );

  it('is searched with the keyboard alone, and loads nothing that its policy forbids', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.type('305');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/why?q=305');
    expect(await page.textContent('main')).toContain('company updated');
    expect(said).toEqual([]);
  });
});
