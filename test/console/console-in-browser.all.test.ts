// Every page in a real browser: accessible, within the width of a telephone, and usable with the keyboard alone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { hashPassword } from '../../src/base/password-hash.ts';
import { freePort } from '../../src/base/http/local-server.ts';
import { consoleSchema, toConsole } from '../../src/config/console-settings.ts';
import type { ConsoleWork } from '../../src/console/console-work.ts';
import { openConsole } from '../../src/cli/run-console.ts';
import { renderReport } from '../../src/console/report-file.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { findBrowser, openBrowser } from '../helpers/browser.ts';
import { describeIf, needsBrowser } from '../helpers/describe-if.ts';
import { blacklistId, fillLedger, orderId } from './filled-ledger.ts';

const executable = findBrowser();
const paths = [
  '/',
  `/orders/${orderId}`,
  `/orders/${orderId}/rows`,
  `/orders/${orderId}/changes`,
  '/why?q=company-3.example',
  '/why?q=company',
  '/why?q=unknown.example',
  '/exclusions',
  `/exclusions/${blacklistId}`,
  '/replies',
  '/runs',
];

describeIf(executable !== null, needsBrowser)('the console in a browser', () => {
  const cleanup = new AsyncDisposableStack();
  let browser: Browser;
  let url: string;
  let ledger: Ledger;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'console-'));
    cleanup.defer(() => rmSync(folder, { recursive: true }));
    ledger = cleanup.adopt(await openLedger({ dataDir: folder }), (opened) => opened.close());
    await fillLedger(ledger);
    ({ url } = cleanup.adopt(
      await openConsole(
        { ledger, log: () => {}, isSandbox: false, work: null },
        { port: 0, hostname: '127.0.0.1', flags: '' },
        { signIn: null, personalData: 'masked' },
      ),
      (opened) => opened.close(),
    ));
    browser = cleanup.adopt(await openBrowser(executable ?? ''), (opened) => opened.close());
  });
  afterAll(() => cleanup.disposeAsync());

  const open = async (path: string, options: BrowserContextOptions): Promise<Page> => {
    const page = await browser.newPage(options);
    await page.goto(`${url}${path.slice(1)}`);
    return page;
  };

  const findViolations = async (page: Page): Promise<string[]> => {
    await page.evaluate(axe.source);
    return page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`,
    );
  };

  it.each(['light', 'dark'] as const)(
    'has no violation of WCAG 2.2 AA, and nothing beyond 360 pixels: %s',
    async (colorScheme) => {
      for (const path of paths) {
        const page = await open(path, { viewport: { width: 360, height: 800 }, colorScheme, bypassCSP: true });
        const violations = await findViolations(page);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        expect({ path, violations, overflow }).toEqual({ path, violations: [], overflow: 0 });
        await page.close();
      }
    },
  );

  it.each(['light', 'dark'] as const)('has no violation in print: %s', async (colorScheme) => {
    for (const path of ['/', `/orders/${orderId}`]) {
      const page = await open(path, { colorScheme, bypassCSP: true });
      await page.emulateMedia({ media: 'print' });
      expect({ path, violations: await findViolations(page) }).toEqual({ path, violations: [] });
      await page.close();
    }
  });

  it.each(['/', `/orders/${orderId}`])(
    'leads the Tab key to every link, button and field in their order, each with a visible focus: %s',
    async (path) => {
      const page = await open(path, { viewport: { width: 360, height: 800 } });
      const count = await page.evaluate<number>(`
        globalThis.stops = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), [tabindex]')];
        globalThis.stops.length`);
      expect(count).toBeGreaterThan(10);
      const reached: unknown[] = [];
      for (let presses = 0; presses < count; presses += 1) {
        await page.keyboard.press('Tab');
        reached.push(
          await page.evaluate(`(() => {
            const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
            const { x, width, height } = document.activeElement.getBoundingClientRect();
            const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && x >= 0 && width > 0 && height > 0;
            return { stop: globalThis.stops.indexOf(document.activeElement), isSeen };
          })()`),
        );
      }
      expect(reached).toEqual(Array.from({ length: count }, (_, stop) => ({ stop, isSeen: true })));
      await page.close();
    },
  );

  it('leads an access key to the search box', async () => {
    const page = await open('/', {});
    // The keyboard of Playwright leaves out the text without modifiers, which Chromium compares.
    const devtools = await page.context().newCDPSession(page);
    const key = { key: '/', code: 'Slash', windowsVirtualKeyCode: 191, unmodifiedText: '/', text: '/', modifiers: 1 };
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await page.close();
  });

  it('makes a report that is accessible, and prints on A4', async () => {
    const page = await browser.newPage();
    await page.setContent((await renderReport(ledger, orderId, new Date())) ?? '');
    expect(await findViolations(page)).toEqual([]);
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
    expect(pages?.length).toBeLessThan(4);
    await page.close();
  });

  it('is searched with the keyboard alone, and loads nothing that its policy forbids', async () => {
    const page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    const isInSearch = () => page.evaluate<boolean>("document.activeElement.type === 'search'");
    for (let presses = 0; presses < 12 && !(await isInSearch()); presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.type('305');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/why?q=305');
    expect(await page.textContent('main')).toContain('company updated');
    expect(said).toEqual([]);
  });

  it('is used by a person who signs in: the browser sends the password for all parts of a page, and the origin with a form', async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const users = [{ name: 'olga', password: { env: 'HASH' } }];
    const settings = toConsole(consoleSchema.parse({ public_url: publicUrl, users }), {
      HASH: await hashPassword('correct horse'),
    });
    const work: ConsoleWork = {
      run: (_args, { say }) => {
        say('all is well', 'info');
        return Promise.resolve(0);
      },
      isTemporalRunning: () => Promise.resolve(false),
      watch: async function* () {},
    };
    const place = { port, hostname: '0.0.0.0', flags: '' };
    const served = await openConsole({ ledger, log: () => {}, isSandbox: false, work }, place, settings);
    const page = await browser.newPage({ httpCredentials: { username: 'olga', password: 'correct horse' } });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(`${served.url}doctor`);
    await page.getByRole('button', { name: 'Check everything now' }).click();
    await page.getByRole('heading', { level: 1, name: 'doctor: done' }).waitFor();
    expect(await page.textContent('main')).toContain('all is well');
    await page.goto(`${served.url}actions`);
    expect(await page.textContent('tbody')).toContain('olga');
    expect(said.filter((text) => !text.includes('401'))).toEqual([]);
    await page.close();
    await served.close();
  });
});
