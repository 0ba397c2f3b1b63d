/** Adds runs to the prospect-sync.yaml of a project, which worker processes read. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { parseConfig } from '../../src/config/load-config.ts';
import { toRunPlan, type RunPlan } from '../../src/config/run-plan.ts';
import { demoProfile } from '../../sandbox/generated-data/demo-data.ts';

interface Project {
  readonly folder: string;
  /** The environment variables that its configuration uses. */
  readonly env: Readonly<Record<string, string>>;
}

/** Settings of a discovery run, with their names in prospect-sync.yaml. */
interface RunSettings {
  readonly briefing_quantity: number;
  readonly profile?: object;
}

/** Adds a discovery run to the configuration of a project. Only workers that start later read it. */
export async function addRun({ folder, env }: Project, name: string, settings: RunSettings): Promise<RunPlan> {
  const file = path.join(folder, 'prospect-sync.yaml');
  const before = parse(await readFile(file, 'utf8')) as { runs?: object };
  const run = { kind: 'discovery', profile: demoProfile, ...settings };
  // Orders above the default limit are for measurements.
  const limits = settings.briefing_quantity > 10_000 ? { limits: { max_briefings_per_run: 1_000_000 } } : {};
  const text = stringify({ ...before, ...limits, runs: { ...before.runs, [name]: run } });
  await writeFile(file, text);
  const parsed = parseConfig(text, { env, file });
  const added = parsed.ok ? parsed.config.runs[name] : undefined;
  if (!parsed.ok || added === undefined) throw new Error(`the configuration is wrong: ${JSON.stringify(parsed)}`);
  return toRunPlan(parsed.config, name, added);
}
