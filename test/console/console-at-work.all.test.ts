// The console of a project with a service, HubSpot and Temporal: every button once, live progress, and a worker that dies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parse, stringify } from 'yaml';
import type { Browser, Page } from 'playwright-core';
import { findBrowser, openBrowser } from '../helpers/browser.ts';
import { describeIf, needsBrowser } from '../helpers/describe-if.ts';
import { startExampleProject, type ExampleProject } from '../helpers/example-project.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';

const executable = findBrowser();
const cli = path.join(import.meta.dirname, '../../tools/prospect-sync.mjs');
const run = 'demo-discovery';

describeIf(executable !== null, needsBrowser)('the console at work', () => {
  const cleanup = new AsyncDisposableStack();
  let project: ExampleProject;
  let browser: Browser;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    project = cleanup.adopt(await startExampleProject(), (started) => started.stop());
    const config = path.join(project.folder, 'prospect-sync.yaml');
    const yaml = parse(await readFile(config, 'utf8'));
    const { schedule: _, ...discovery } = yaml.runs[run];
    const schedule = { cron: '0 6 1 1 *', timezone: 'Europe/Berlin' };
    yaml.runs = { [run]: { ...discovery, briefing_quantity: 5, schedule } };
    await writeFile(config, stringify(yaml));
    const served = spawn(process.execPath, [cli, 'console', '--port', '0', '--json', '--config', config], {
      env: { ...process.env, ...project.env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    cleanup.defer(async () => {
      served.kill('SIGTERM');
      await once(served, 'exit');
    });
    const [line] = await once(createInterface({ input: served.stdout }), 'line');
    ({ url } = JSON.parse(String(line)).console);
    browser = cleanup.adopt(await openBrowser(executable ?? ''), (opened) => opened.close());
    page = await browser.newPage();
  });
  afterAll(() => cleanup.disposeAsync());

  const open = (place: string) => page.goto(`${url}${place}`);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  /** The page of an action is read again when its command has ended. */
  const untilTitle = (title: RegExp) => page.getByRole('heading', { level: 1, name: title }).waitFor();
  const main = () => page.innerText('main');

  it('plans and orders, shows the progress, says when no worker answers, proves the order, and lists who did what', async () => {
    await applyAndPause();
    await orderAndWatch();
    await proveAndCheck();
    expect(await main()).not.toContain('holidays');
  });

  /** The schedule is not in Temporal before; it is active afterwards. */
  async function applyAndPause(): Promise<void> {
    await open('schedules');
    expect(await main()).toContain('not applied yet');
    await press('Apply the configuration');
    await untilTitle(/^apply: done$/);
    await open('schedules');
    expect(await main()).toContain('-01-01 05:00 UTC');
    await page.getByLabel('Reason').fill('holidays');
    await press(`Pause ${run}`);
    await untilTitle(/^pause: done$/);
    await open('schedules');
    expect(await main()).toContain('paused: holidays');
    await press('Show the difference to the configuration');
    await untilTitle(/^plan: done$/);
    await open('schedules');
    await press(`Resume ${run}`);
    await untilTitle(/^resume: done$/);
  }

  /** Only what a person has agreed to is ordered. A worker is killed while its progress is shown; another one ends the run. */
  async function orderAndWatch(): Promise<void> {
    await open('schedules');
    await press(`Start ${run} now`);
    await untilTitle(/^trigger: please confirm$/);
    expect(await main()).toContain('5 companies');
    expect(await main()).toContain(`Start ${run}?`);
    await press('Yes');
    await untilTitle(/^trigger: done$/);
    await open('runs');
    expect(await main()).toContain('No worker is running');
    await page.getByRole('link', { name: new RegExp(`^run/${run}/`) }).click();
    await page.getByText('No worker answers.').waitFor();
    const first = await startWorkerProcess(project.folder, project.env);
    await page.getByRole('status').getByText('since').waitFor();
    first.kill();
    await page.getByText('No worker answers.').waitFor();
    const flags = ['--console-port', '0'];
    const second = cleanup.adopt(await startWorkerProcess(project.folder, project.env, flags), (worker) =>
      worker.stop(),
    );
    const [, ownConsole = ''] = /Console: (http:[^\s"]+)/.exec(second.said()) ?? [];
    expect(await (await fetch(ownConsole)).text()).toContain('Overview');
    // Temporal notices the death of a worker when its heartbeat is missing.
    await page.getByText('It is not in progress now.').waitFor({ timeout: 180_000 });
    await open('');
    await page.getByRole('region', { name: 'Orders' }).getByRole('link').click();
    await page.getByText('Reconciled').waitFor();
    expect(await main()).toContain('5 of 5 rows');
  }

  async function proveAndCheck(): Promise<void> {
    for (const [button, title] of [
      ['Prove it again', /^reconcile: done$/],
      ['Preview what would be written now', /^preview: done$/],
    ] as const) {
      await open('');
      await page.getByRole('region', { name: 'Orders' }).getByRole('link').click();
      await press(button);
      await untilTitle(title);
    }
    await open('doctor');
    await press('Check everything now');
    await untilTitle(/^doctor: done$/);
    expect(await main()).toContain('prospecting service');
    await open('exclusions');
    await press('Sync customers now');
    await untilTitle(/^sync: done$/);
    await open('actions');
    const listed = await main();
    for (const command of ['apply', 'schedule pause', 'schedule trigger', 'reconcile', 'doctor', 'exclusions sync'])
      expect(listed).toContain(`prospect-sync ${command}`);
  }
});
