import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { readAlertRules, type AlertRule } from '../../tools/alert-rules.ts';
import { startSandbox } from '../helpers/command.ts';
import { startTemporal } from '../helpers/temporal-server.ts';
import { startWorkerProcess } from '../helpers/worker-process.ts';
import { describeIf } from '../helpers/describe-if.ts';

const rulesFile = path.join(__dirname, '../../deploy/prometheus/rules.yml');
let rules: AlertRule[];
let folder: string;
beforeAll(async () => {
  rules = readAlertRules(await readFile(rulesFile, 'utf8'));
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prospect-sync-rules-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Labels = Readonly<Record<string, string>>;
interface Case {
  /** One sample per minute, in the notation of promtool. */
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
  /** null: the alert does not fire. */
  readonly fires: Labels | null;
}

const away = 'operation="PollActivityTaskQueue",status_code="TRANSPORT_ERROR",instance="a"';
const waits = (le: string) => `temporal_activity_schedule_to_start_latency_seconds_bucket{task_queue="q",le="${le}"}`;
const waitCount = 'temporal_activity_schedule_to_start_latency_seconds_count{task_queue="q"}';
const failedTasks = 'temporal_workflow_task_execution_failed_total{workflow_type="w",failure_reason="r",instance="a"}';
const calls = (system: string, status: string) =>
  `prospect_sync_calls_total{system="${system}",status="${status}",instance="a"}`;
const slots = 'temporal_worker_task_slots_available{worker_type="ActivityWorker",instance="a"}';

/** For each alert: samples for which it fires, and samples for which it must not. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  ProspectSyncWorkerDown: [
    {
      series: { 'up{job="prospect-sync",instance="a"}': '1 0x20' },
      at: '6m',
      fires: { job: 'prospect-sync', instance: 'a' },
    },
    { series: { 'up{job="other",instance="a"}': '1x20' }, at: '6m', fires: { job: 'prospect-sync' } },
    { series: { 'up{job="prospect-sync"}': '1x20', 'up{job="other"}': '0x20' }, at: '6m', fires: null },
  ],
  ProspectSyncLedgerDown: [
    { series: { 'prospect_sync_ledger_up{instance="a"}': '1 0x20' }, at: '5m', fires: { instance: 'a' } },
    { series: { 'prospect_sync_ledger_up{instance="a"}': '0 1x20' }, at: '5m', fires: null },
  ],
  ProspectSyncTemporalDown: [
    { series: { 'prospect_sync_temporal_up{instance="a"}': '1 0x20' }, at: '5m', fires: { instance: 'a' } },
    { series: { 'prospect_sync_temporal_up{instance="a"}': '0 1x20' }, at: '5m', fires: null },
  ],
  ProspectSyncTemporalRefuses: [
    // An idle worker: sixty rejected polls a minute, and five other failed requests.
    {
      series: { [`temporal_long_request_failure_total{${away}}`]: '_ 100+60x20' },
      at: '12m',
      fires: { operation: 'PollActivityTaskQueue', status_code: 'TRANSPORT_ERROR', instance: 'a' },
    },
    // Temporal restarts.
    { series: { [`temporal_long_request_failure_total{${away}}`]: '0 0 60x20' }, at: '8m', fires: null },
  ],
  ProspectSyncOrderNotReconciled: [
    { series: { 'prospect_sync_oldest_open_order_age_seconds{instance="a"}': '180000x20' }, at: '5m', fires: {} },
    { series: { 'prospect_sync_oldest_open_order_age_seconds{instance="a"}': '170000x20' }, at: '5m', fires: null },
  ],
  ProspectSyncKeyRefused: [
    {
      series: { [calls('service', '401')]: '0 0 0 1x20' },
      at: '10m',
      fires: { system: 'service', status: '401', instance: 'a' },
    },
    { series: { [calls('service', '404')]: '0 0 0 1x20' }, at: '10m', fires: null },
  ],
  ProspectSyncSystemDown: [
    { series: { [calls('hubspot', 'none')]: '0+1x20' }, at: '15m', fires: { system: 'hubspot' } },
    { series: { [calls('hubspot', '503')]: '0 3x20', [calls('service', '500')]: '0 3x20' }, at: '15m', fires: null },
  ],
  ProspectSyncRateLimited: [
    { series: { [calls('hubspot', '429')]: '0+1x20' }, at: '15m', fires: { system: 'hubspot' } },
    { series: { [calls('hubspot', '429')]: '0 2x20' }, at: '15m', fires: null },
  ],
  ProspectSyncDailyLimit: [
    {
      series: { 'prospect_sync_calls_postponed_total{instance="a"}': '0 0 1x20' },
      at: '15m',
      fires: { instance: 'a' },
    },
    { series: { 'prospect_sync_calls_postponed_total{instance="a"}': '7x20' }, at: '15m', fires: null },
  ],
  ProspectSyncRecordsNotWritten: [
    {
      series: { 'prospect_sync_outcomes_total{item="company",outcome="quarantined",instance="a"}': '0 0 1x20' },
      at: '15m',
      fires: { item: 'company', outcome: 'quarantined' },
    },
    {
      series: { 'prospect_sync_outcomes_total{item="company",outcome="skipped"}': '0 0 1x20' },
      at: '15m',
      fires: null,
    },
  ],
  ProspectSyncWorkflowStuck: [
    // The counter of a worker, from its first sample.
    {
      series: { [failedTasks]: '_x5 4 6 7 8 8 8 9x20' },
      at: '10m',
      fires: { workflow_type: 'w', failure_reason: 'r' },
    },
    { series: { [failedTasks]: '_x5 1x20' }, at: '10m', fires: null },
  ],
  ProspectSyncWorkWaits: [
    { series: { [waits('60')]: '0+9x40', [waitCount]: '0+10x40' }, at: '25m', fires: { task_queue: 'q' } },
    // All tasks waited for 11 seconds.
    { series: { [waits('10')]: '0x40', [waits('60')]: '0+10x40', [waitCount]: '0+10x40' }, at: '25m', fires: null },
    // Once, after a pause of all workers.
    { series: { [waits('60')]: '0x40', [waitCount]: '0 0 5x40' }, at: '13m', fires: null },
  ],
  ProspectSyncWorkerFull: [
    { series: { [slots]: '0x40' }, at: '31m', fires: { worker_type: 'ActivityWorker', instance: 'a' } },
    { series: { [slots]: '0x20 1 0x20' }, at: '31m', fires: null },
  ],
  ProspectSyncRepliesWait: [
    { series: { 'prospect_sync_oldest_unprocessed_reply_age_seconds{instance="a"}': '901x20' }, at: '5m', fires: {} },
    { series: { 'prospect_sync_oldest_unprocessed_reply_age_seconds{instance="a"}': '899x20' }, at: '5m', fires: null },
  ],
  ProspectSyncRepliesNotProcessed: [
    {
      series: { 'prospect_sync_replies{state="failed",instance="a"}': '0 1x20' },
      at: '7m',
      fires: { state: 'failed' },
    },
    { series: { 'prospect_sync_replies{state="processed",instance="a"}': '5x20' }, at: '7m', fires: null },
  ],
  ProspectSyncWebhooksRefused: [
    {
      series: { 'prospect_sync_webhooks_total{endpoint="replies",status="401",reason="no_match"}': '0 0 1x20' },
      at: '10m',
      fires: { endpoint: 'replies', status: '401', reason: 'no_match' },
    },
    {
      series: {
        'prospect_sync_webhooks_total{endpoint="replies",status="202",reason="received"}': '0 0 1x20',
        'prospect_sync_webhooks_total{endpoint="replies",status="401",reason="missing_header"}': '0 0 1x20',
      },
      at: '10m',
      fires: null,
    },
  ],
};

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describeIf(hasPromtool, { needs: 'promtool', debianPackage: 'prometheus' })(
  'deploy/prometheus/rules.yml in promtool',
  () => {
    it('fires each alert in its own cases only', async () => {
      expect(Object.keys(cases)).toEqual(rules.map(({ alert }) => alert));
      const tests = rules.flatMap(({ alert, annotations }) =>
        (cases[alert] ?? []).map(({ series, at, fires }, index) => ({
          name: `${alert}, case ${index + 1}`,
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          alert_rule_test: [
            {
              eval_time: at,
              alertname: alert,
              exp_alerts: fires === null ? [] : [{ exp_labels: fires, exp_annotations: annotations }],
            },
          ],
        })),
      );
      const file = path.join(folder, 'test.yml');
      await writeFile(file, stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      expect(status === 0 ? '' : stdout + stderr).toBe('');
    });
  },
);

describe('deploy/prometheus/rules.yml', () => {
  it('uses metrics and labels that a worker exports', async () => {
    const [sandbox, temporal] = await Promise.all([startSandbox(folder), startTemporal()]);
    const worker = await startWorkerProcess(folder, { ...sandbox.env, TEMPORAL_ADDRESS: temporal.address }, [
      '--health-port',
      '0',
    ]);
    const health = /Health: (http:\/\/\S+)\/readyz/.exec(worker.said())?.[1] ?? 'nowhere';
    const start = (type: string, args: unknown[]) =>
      temporal.client.workflow.start(type, { workflowId: type, taskQueue: 'prospect-sync', args });
    await start('workflowThatThisProgramLacks', []);
    const orderId = '3f0d1f8e-0000-4000-8000-000000000001';
    const proof = await start('reconcileOrder', [{ orderId }]);
    await proof.result().catch(() => {}); // there is no such order
    const until = async (sample: string): Promise<string> => {
      const text = await (await fetch(`${health}/metrics`)).text();
      return text.includes(sample) ? text : until(sample);
    };
    const working = await until('temporal_workflow_task_execution_failed_total{');
    await temporal.stop();
    await until('temporal_long_request_failure_total{');
    const samples = readSamples(await until('\nprospect_sync_temporal_up 0\n'));
    worker.kill();
    await sandbox.stop();

    expect(working).toContain('\nprospect_sync_temporal_up 1\n');
    const unknown = rules.flatMap(({ alert, expr }) =>
      readSelectors(expr)
        .filter(({ metric, matches }) => !samples.some((sample) => sample.metric === metric && matches(sample.labels)))
        .map(({ text }) => `${alert}: ${text}`),
    );
    expect(unknown).toEqual([]);
  });
});

interface Sample {
  readonly metric: string;
  readonly labels: Labels;
}

function readSamples(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, metric = '', labels = '']) => ({
    metric,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  }));
}

/** Prometheus adds the metric `up`, and the labels of the target. */
const ofPrometheus = { metric: 'up', labels: ['job', 'instance'] };

/** Each metric of an expression, with the labels that it selects and groups by. */
function readSelectors(expr: string) {
  return [...expr.matchAll(/(?:sum by \(([^)]*)\) \(\w+\()?\b(up|(?:prospect_sync|temporal)_\w+)(?:\{([^}]*)\})?/g)]
    .map(([text, grouped = '', metric = '', chosen = '']) => {
      const matchers = [...chosen.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].map(([, label = '', operator, value = '']) => {
        const isChosen = (found: string) =>
          operator === '=~' ? new RegExp(`^(?:${value})$`).test(found) : found === value;
        return { label, isChosen };
      });
      const groups = grouped.split(', ').filter((label) => label !== '' && !ofPrometheus.labels.includes(label));
      const matches = (labels: Labels) =>
        groups.every((label) => labels[label] !== undefined) &&
        matchers.every(({ label, isChosen }) => isChosen(labels[label] ?? ''));
      return { text, metric, matches };
    })
    .filter(({ metric }) => metric !== ofPrometheus.metric);
}
