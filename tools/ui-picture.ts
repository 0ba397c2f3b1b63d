/** Takes the screenshot of the Temporal UI for README.md, with the code of its test. Needs Debian's chromium. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { findBrowser, openBrowser } from '../test/helpers/browser.ts';
import { startPipeline } from '../test/helpers/pipeline.ts';
import { startTemporal } from '../test/helpers/temporal-server.ts';
import { openTemporalUi, runEnrichment } from '../test/helpers/temporal-ui.ts';

const file = fileURLToPath(new URL('../docs/images/temporal-ui.png', import.meta.url));

const executable = findBrowser();
if (executable !== null) {
  await using cleanup = new AsyncDisposableStack();
  const temporal = cleanup.adopt(await startTemporal('ui'), (started) => started.stop());
  const pipeline = cleanup.adopt(await startPipeline(temporal), (started) => started.stop());
  const browser = cleanup.adopt(await openBrowser(executable), (opened) => opened.close());
  const { orderId } = await runEnrichment(pipeline);
  const { runId } = await temporal.client.workflow.getHandle(`order/${orderId}`).describe();
  const ui = await openTemporalUi(browser, temporal.uiUrl ?? '');
  await ui.openWorkflow(`order/${orderId}`, runId, 'user-metadata');
  await ui.readUntil(['from publication to reconciliation', 'figures:', `${orderId}.xlsx`]);
  await mkdir(new URL('.', `file://${file}`), { recursive: true });
  await ui.page.screenshot({ path: file });
  console.log(file);
}
