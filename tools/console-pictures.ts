/** Takes the screenshots of the console for docs/console.md: `node tools/console-pictures.ts URL`, the address that `demo --keep` prints. Needs Debian's chromium. */
import { fileURLToPath } from 'node:url';
import { findBrowser, openBrowser } from '../test/helpers/browser.ts';

const [address] = process.argv.slice(2);
const executable = findBrowser();
if (address === undefined || executable === null)
  throw new Error('Give the address of a console, and install chromium (apt-get install chromium)');
const browser = await openBrowser(executable);
const page = await browser.newPage({ viewport: { width: 1_000, height: 700 }, colorScheme: 'light' });
const take = (name: string) =>
  page.screenshot({ path: fileURLToPath(new URL(`../docs/images/console-${name}.png`, import.meta.url)) });
await page.goto(address);
await take('overview');
await page.getByRole('region', { name: 'Orders' }).getByRole('link').last().click();
await take('order');
await page.getByRole('link', { name: 'All rows' }).click();
await take('rows');
await page.goBack();
await page.getByRole('link', { name: 'Changes in HubSpot' }).click();
await take('changes');
await page.getByRole('link', { name: 'Exclusions' }).click();
await page.getByRole('region', { name: 'Exclusions' }).getByRole('link').first().click();
await take('exclusions');
await browser.close();
