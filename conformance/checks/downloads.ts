import Papa from 'papaparse';
import { operations } from '../../src/service/contract/index.ts';
import { fileAddress } from '../../src/base/http/public-fetch.ts';
import type { Answer } from '../probe/caller.ts';
import { need, type Check } from '../probe/check.ts';
import { CheckEnded, NotChecked } from '../probe/not-checked.ts';
import type { RunState } from '../probe/run-state.ts';
import { describeStatus } from '../probe/read-response.ts';
import type { Probe } from '../probe/probe.ts';

const { downloadExport } = operations;
const about = 'GET download';
const mostRedirects = 5;

export const downloadReads: readonly Check[] = [
  {
    id: 'downloads.unknown-job',
    clause: 'Authentication 7; not shown: the 404 body',
    title: 'an unknown export job is 404',
    effect: 'read',
    async run(probe, { unknownId }) {
      await probe.answers(downloadExport, 404, { params: { export_job_id: unknownId } });
    },
  },
];

export const downloadChecks: readonly Check[] = [
  {
    id: 'downloads.csv',
    clause: 'Export and output rules 3, 7, 9',
    title:
      'the CSV file comes through redirects, with a row for every slot and the columns Result Status and Result Reasons',
    effect: 'orders',
    async run(probe, state) {
      const { available } = need(state.published.enrichment, 'a published enrichment order');
      const { bytes } = await download(probe, state, 'csv');
      const text = new TextDecoder().decode(bytes);
      const { data, meta } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
      const missing = ['Result Status', 'Result Reasons'].filter((column) => !meta.fields?.includes(column));
      probe.expect(missing.length === 0, `${about}: the CSV file lacks the columns ${missing.join(', ')}`);
      probe.expect(data.length === available, `${about}: the CSV file has ${data.length} rows, must have ${available}`);
      const statuses = data.map((row) => row['Result Status']).join();
      const { slots } = need(state.collected.enrichment, 'the results of a published enrichment order');
      const isSame = missing.length > 0 || statuses === slots.map(({ status }) => status).join();
      probe.expect(isSame, `${about}: Result Status must say what the results say, row by row`);
    },
  },
  {
    id: 'downloads.xlsx',
    clause: 'Export and output rules 3, 9',
    title: 'the XLSX file comes through redirects',
    effect: 'orders',
    async run(probe, state) {
      const { bytes } = await download(probe, state, 'xlsx');
      const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
      probe.expect(isZip, `${about}: the XLSX file must be a ZIP file, found ${bytes.length} bytes of something else`);
    },
  },
];

async function download(probe: Probe, state: RunState, type: 'csv' | 'xlsx'): Promise<Answer> {
  const { exportJobId, isCompleted } = need(state.outputs[type], `a ${type} output`);
  // "Poll the single-output endpoint until COMPLETED or FAILED, then download."
  if (!isCompleted) throw new NotChecked(`the ${type} output is not COMPLETED`);
  let answer = await probe.raw.send(downloadExport, { params: { export_job_id: exportJobId } });
  const service = new URL(answer.url);
  for (let followed = 0; answer.status >= 300 && answer.status < 400 && followed < mostRedirects; followed += 1) {
    const location = answer.headers.get('location');
    probe.expect(location !== null, `${about}: a redirect must carry a location`);
    if (location === null) throw new CheckEnded();
    const target = fileAddress(location, new URL(answer.url), service);
    // A run of prospect-sync would not follow it either.
    if (typeof target === 'string')
      throw new NotChecked(`${about} is redirected ${target}, where no file is fetched from`);
    answer = await probe.raw.follow(about, target);
  }
  probe.expect(answer.status === 200, `${about}: must end with 200, answered ${describeStatus(answer)}`);
  probe.expect(answer.status !== 200 || answer.bytes.length > 0, `${about}: the file is empty`);
  if (answer.status !== 200) throw new CheckEnded();
  return answer;
}
