import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startTemporal } from './temporal-server.ts';
import { discoveryPlan, startPipeline } from './pipeline.ts';
import { startRun, startIngest } from '../../src/temporal.ts';
import { defaultRequestSettings } from '../../src/contract/request-settings.ts';
import { noFieldSettings } from '../../src/shape/shape.ts';
import { WorkflowFailedError } from '@temporalio/client';
import { rootOf } from '../../src/failures/root.ts';

export async function startOther(command: string, args: string[]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve) => child.stdout.once('data', (d) => resolve(String(d))));
  const { url, api_key } = JSON.parse(line.split('\n')[0]!);
  return { url, apiKey: api_key, stop: () => child.kill('SIGKILL') };
}

const deepMerge = (a: any, b: any): any => typeof a === 'object' && a && typeof b === 'object' && b ? Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((k) => [k, k in b ? deepMerge(a[k], b[k]) : a[k]])) : b;

function settingsFrom(pairs: string[]) {
  let requests: any = defaultRequestSettings; let fields: any = noFieldSettings; let resultsItems: string | undefined;
  for (const pair of pairs) {
    const [k, v] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const keys = k.split('.').slice(2);
    const value = v === 'null' ? null : v;
    const obj = keys.reduceRight<any>((acc, key) => ({ [key]: acc }), value);
    if (k.startsWith('service.requests.')) requests = deepMerge(requests, obj);
    else if (k.startsWith('service.fields.')) fields = deepMerge(fields, obj);
    else resultsItems = v;
  }
  return { requests, fields, ...(resultsItems ? { resultsItems } : {}) };
}

const temporal = await startTemporal();
const [command, argText, ...pairs] = process.argv.slice(2);
const variants = JSON.parse(argText!) as string[][];
let n = 0;
for (const args of variants) {
  const other = await startOther(command!, args);
  const label = args.slice(-1)[0];
  for (const kind of ['discovery', 'enrichment'] as const) {
    n += 1;
    let given = [...pairs];
    const tried: string[] = [];
    const started = performance.now();
    const before = (await (await fetch(`${other.url}/_stats`)).json()) as any;
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const pipeline = await startPipeline(temporal, { otherService: other, settings: settingsFrom(given), queue: `q${n}-${attempt}` });
      mkdirSync(pipeline.folder, { recursive: true });
      const csv = path.join(pipeline.folder, 'companies.csv');
      writeFileSync(csv, 'company_name,website_url,city,country,external_id\nNordwind Solar GmbH,https://nordwind-solar.example,Hamburg,Germany,1\nKieler Werft AG,https://kieler-werft.example,Kiel,Germany,2\nSomething unresolved,,Bonn,Germany,3\nMuster Bau,https://muster-bau.example,Ulm,Germany,4\nMuster Bau 2,https://muster-bau.example,Ulm,Germany,5\nThe unreachable one,https://unreachable-one.example,Ulm,Germany,6\n');
      const base = discoveryPlan(pipeline.folder, { briefingQuantity: 12 });
      const plan = kind === 'discovery' ? base : { ...base, runName: 'enrichment', kind, briefingQuantity: null, companies: { lifecycleStages: [], csv } };
      const { handle } = await startRun(pipeline.client, { ...plan, runName: `${kind}${n}` } as any, { label: `${attempt}`, queue: `q${n}-${attempt}` });
      let text = '';
      let proposal: string | null = null;
      const deadline = setTimeout(() => void handle.terminate('too long'), 25_000);
      try {
        const { order } = await handle.result();
        const stats = (await (await fetch(`${other.url}/_stats`)).json()) as any;
        const contacts = order.crm.contacts.created + order.crm.contacts.updated + order.crm.contacts.unchanged;
        const people = stats.prospects_published - before.prospects_published;
        text = `OK ${order.reconciled}/${order.slots} companies ${JSON.stringify(order.crm.companies.created)} contacts ${contacts} of ${people} orders ${stats.orders_created - before.orders_created} findings ${JSON.stringify(order.findings)} fields ${order.reading?.fields.map((f: any) => `${f.field}=${f.path}(${f.by[0]})`).join(' ')} unusable ${JSON.stringify(order.reading?.unusable)} unknown ${Object.keys(order.unknown).join(' ')}`;
        if (process.env['SHOW']) console.log(JSON.stringify(await pipeline.hubspot.exportPortal?.(pipeline.portalId)));
      } catch (error) {
        const root = error instanceof WorkflowFailedError ? rootOf(error.cause) : (error as Error);
        text = `FAILED ${root?.message}`;
        proposal = /set (service\.[\w.]+): ([^\s;)]+)/.exec(root?.message ?? '')?.slice(1, 3).join('=') ?? null;
        if (proposal && !given.some((g) => g === proposal)) { const all = [...(root?.message ?? '').matchAll(/set (service\.[\w.]+): ([^\s;)]+)/g)].map((m) => `${m[1]}=${m[2]}`); given = [...given, ...all]; tried.push(...all); }
        else proposal = null;
      }
      clearTimeout(deadline);
      await pipeline.stop();
      if (proposal === null) {
        console.log(`${kind} ${label} [${((performance.now() - started) / 1000).toFixed(1)}s] ${tried.join(' ')} :: ${text}`);
        break;
      }
    }
  }
  other.stop();
}
await temporal.stop();
process.exit(0);
