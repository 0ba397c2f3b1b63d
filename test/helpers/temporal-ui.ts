/** Opens the Temporal UI in a browser: the list of workflows, and the tabs of one workflow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import Papa from 'papaparse';
import type { Browser, Page } from 'playwright-core';
import { demoEnrichmentRows } from '../../sandbox/generated-data/demo-data.ts';
import {
  failureAttribute,
  findingsAttribute,
  orderAttribute,
  outcomeAttribute,
  runAttribute,
} from '../../src/temporal/search-attributes.ts';
import { startRun } from '../../src/worker/start-workflows.ts';
import { discoveryPlan, type Pipeline } from './pipeline.ts';
import { fileCompanies } from './companies-source.ts';

type Tab = 'timeline' | 'history' | 'user-metadata' | 'search-attributes' | 'pending-activities';

/** The columns that a user adds in the settings of the list, which the UI keeps in the browser. */
const columns = [
  'Status',
  'Workflow ID',
  ...[runAttribute, orderAttribute, outcomeAttribute, failureAttribute, findingsAttribute].map(({ name }) => name),
];

export async function openTemporalUi(browser: Browser, uiUrl: string) {
  const page = await browser.newPage({ viewport: { width: 1_500, height: 900 }, timezoneId: 'UTC' });
  const stored = JSON.stringify({ default: columns.map((label) => ({ label })) });
  await page.addInitScript(`localStorage.setItem('namespace-workflow-table-columns', ${JSON.stringify(stored)})`);
  const workflows = `${uiUrl}/namespaces/default/workflows`;
  return {
    page,
    /** Opens the list with this filter. */
    async openList(filter: string): Promise<void> {
      await page.goto(`${workflows}?query=${encodeURIComponent(filter)}`);
    },
    async openWorkflow(workflowId: string, runId: string, tab: Tab): Promise<void> {
      await page.goto(`${workflows}/${encodeURIComponent(workflowId)}/${runId}/${tab}`);
    },
    /** The text of the page once it contains all of these texts. Until then the test waits; its time-out shows what is missing. */
    readUntil: (wanted: readonly string[]) => readUntil(page, wanted),
  };
}

async function readUntil(page: Page, wanted: readonly string[]): Promise<string> {
  for (; ; await sleep(50)) {
    // The UI shows Markdown in separate frames.
    const texts = await Promise.all(page.frames().map((frame) => frame.innerText('body').catch(() => '')));
    const text = texts.join('\n').replaceAll(/\s+/g, ' ');
    if (wanted.every((each) => text.includes(each))) return text;
  }
}

/** Runs an enrichment of 150 companies that contains every status and reason code. */
export async function runEnrichment(pipeline: Pipeline) {
  const csv = path.join(pipeline.folder, 'leads.csv');
  await writeFile(csv, Papa.unparse(demoEnrichmentRows(1)));
  const changes = {
    runName: 'dach-leads',
    kind: 'enrichment',
    title: 'Leads of November',
    briefingQuantity: null,
  } as const;
  const plan = discoveryPlan(pipeline.folder, { ...changes, companies: fileCompanies(csv) });
  const { handle } = await startRun(pipeline.client, plan, { label: '2026-11-23' });
  return (await handle.result()).order;
}
