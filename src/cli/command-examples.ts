/** The examples that `--help` and docs/cli.md show for each command: what is written behind its name. */
import type { Command } from 'commander';
import { getOwnProperty } from '../base/json/own-property.ts';

type Examples = readonly [string, string];

const examples: Readonly<Record<string, Examples>> = {
  demo: ['', '--keep'],
  run: ['dach-discovery --dry-run', 'dach-discovery'],
  ingest: ['ORDER', '--legacy 7c1e0f52-3b7d-4b7e-9c55-0d1f6a2b8e90 --dry-run'],
  reconcile: ['ORDER --differences', 'ORDER --repair'],
  status: ['', 'dach-discovery --json'],
  cancel: ['dach-discovery', 'dach-discovery --config staging.yaml'],
  'exclusions list': ['', '--json'],
  'exclusions delete': ['customers', 'customers --name "ps customers"'],
  'exclusions preview': ['', 'customers --out differences.csv'],
  'exclusions sync': ['customers', 'customers --take-over "NAME OF THE BLACKLIST"'],
  'exclusions approve': ['DIGEST', 'DIGEST --config staging.yaml'],
  rows: ['ORDER --outcome quarantined --outcome failed', 'ORDER --item contact --json'],
  retry: ['ORDER', 'ORDER --json'],
  websites: ['ORDER', 'ORDER --out texts'],
  outputs: ['ORDER', 'ORDER --download files'],
  why: ['acme.example', 'jane@acme.example --json'],
  changes: ['ORDER', 'ORDER --out changes.csv'],
  report: ['last --html report.html', 'ORDER --html out/report.html --overwrite'],
  preview: ['dach-discovery', 'ORDER --out values.csv --overwrite'],
  'mapping test': ['page.json', 'page.json --run dach-discovery'],
  console: ['', '--port 8080 --host 0.0.0.0'],
  verify: ['ORDER.certificate.json', 'ORDER.certificate.json --slots slots.ndjson.gz --public-key key.pem'],
  export: ['ORDER', 'ORDER --out slots.ndjson.gz'],
  'certificate-key': ['', '--json'],
  receive: ['', '--port 8080 --health-port 8081'],
  'secrets check': ['', '--json'],
  'secrets hash-password': ['', '--json'],
  'replies list': ['--state failed', '--class interested --since 2026-11-20'],
  'replies show': ['WEBHOOK_ID', 'last --json'],
  'replies replay': ['WEBHOOK_ID', 'last --json'],
  'replies preview': ['webhook.json', 'webhook.json --json'],
  'suppressions list': ['', '--removed'],
  'suppressions add': [
    'jane@acme.example --reason "asked by phone"',
    'acme.example --reason "customer" --by "Sam Doe"',
  ],
  'suppressions remove': [
    'acme.example --reason "added by mistake"',
    'jane@acme.example --reason "asked to be contacted"',
  ],
  'suppressions import': [
    'list.csv --reason "list of the former CRM"',
    'list.csv --reason "trade fair" --by "Sam Doe"',
  ],
  'suppressions export': ['list.csv', 'list.csv --overwrite'],
  forget: ['jane@acme.example', 'acme.example --future'],
  retention: ['', '--config staging.yaml'],
  plan: ['', '--exit-code'],
  apply: ['', '--config staging.yaml'],
  'schedule list': ['', '--json'],
  'schedule trigger': ['dach-discovery', 'dach-discovery --config staging.yaml'],
  'schedule pause': ['dach-discovery', 'dach-discovery --note "holidays"'],
  'schedule resume': ['dach-discovery', 'dach-discovery --note "holidays are over"'],
  'schedule backfill': [
    'dach-discovery --from 2026-11-02T05:00:00Z --to 2026-11-09T05:00:00Z --dry-run',
    'dach-discovery --from 2026-11-02T05:00:00Z --to 2026-11-09T05:00:00Z --paused',
  ],
  'schedule delete': ['dach-discovery', 'dach-discovery --config staging.yaml'],
  'service show': ['', '--json'],
  'service learn': ['page-1.json page-2.json', 'ORDER --write'],
  'service forget': ['', '--config staging.yaml'],
  sandbox: ['--example demo --allow-receiver 127.0.0.1/32', '--data .sandbox --seed 7'],
  'sandbox trigger': [
    'reply.interested --to http://127.0.0.1:8787/replies',
    'reply.interested --to http://127.0.0.1:8787/replies --order ORDER',
  ],
  'sandbox clock': ['', '--json'],
  'sandbox clock advance': ['90m', '7d'],
  'sandbox clock freeze': ['', '--json'],
  'sandbox clock resume': ['', '--json'],
  'sandbox faults': ['', '--portal 29213920'],
  'sandbox faults add': [
    '/api/v1/orders --method POST --commit --reset',
    '/crm/objects/2026-09/companies/batch --portal 29213920 --method POST --preset locked --times 3',
  ],
  'sandbox faults clear': ['', '--portal 29213920'],
  'sandbox journal': ['--path /api/v1/ --limit 2', '--portal 29213920 --status 429'],
  worker: ['', '--health-port 8080 --shutdown-grace 2m'],
  replay: ['history.json', 'first.json second.json'],
  'codec-server': ['', '--port 0 --token-env CODEC_TOKEN'],
  init: ['', '--config staging.yaml'],
  validate: ['', '--config staging.yaml'],
  doctor: ['', '--drift'],
  profiles: ['', '--json'],
  conformance: [
    '--base-url https://prospecting.example --api-key-env PROSPECTING_API_KEY --read-only',
    '--base-url http://127.0.0.1:4010 --api-key-env PROSPECTING_API_KEY --notes',
  ],
  completion: ['bash', 'zsh'],
};

/** Complete command lines, `prospect-sync …`; none for a group of commands. `name`: `schedule pause`. */
export function findExamples(name: string): string[] {
  return (getOwnProperty(examples, name) ?? []).map((words) => `prospect-sync ${name} ${words}`.trimEnd());
}

/** Adds its examples to the `--help` of each command below `parent`. */
export function addExamples(parent: Command, path: readonly string[] = []): void {
  for (const command of parent.commands) {
    const names = [...path, command.name()];
    const lines = findExamples(names.join(' ')).map((example) => `\n  ${example}`);
    if (lines.length > 0) command.addHelpText('after', `\nExamples:${lines.join('')}`);
    addExamples(command, names);
  }
}
