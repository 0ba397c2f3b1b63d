/** Reads what the exclusions name: a misspelt stage, another list or an unreadable file would exclude fewer companies, or end the run later. */
import {
  assertCompanyList,
  assertLifecycleStages,
  assertYesNoProperty,
} from '../../companies/sources/crm-companies.ts';
import type { ActivityContext } from '../../companies/sources/company-source.ts';
import { createFieldCleaner } from '../../companies/sources/field-values.ts';
import { toFileReading } from '../../companies/sources/file-columns.ts';
import { createExclusionNotes } from '../../companies/exclusions/exclusion-notes.ts';
import type { Config } from '../../config/config.ts';
import { toExclusionPlan, type ExclusionPlan } from '../../config/run-plan.ts';
import { readExclusionFiles } from '../../companies/exclusions/exclusion-files.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { Check } from '../../hubspot/portal-checks.ts';
import { toReadingTexts } from '../../proof/report/reading-text.ts';
import { toRowNoteTexts } from '../../proof/report/source-text.ts';
import { describeChange, describeFailure, type PreflightDepth } from './source-checks.ts';

/** One check for each exclusion with sources in HubSpot or in files. */
export async function checkExclusionSources(
  { exclusions }: Pick<Config, 'exclusions'>,
  hubspot: HubSpotClient,
  { context, depth }: { readonly context: ActivityContext; readonly depth: PreflightDepth },
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [name, settings] of Object.entries(exclusions)) {
    const check = `sources of exclusions.${name}`;
    try {
      const named = await nameHubSpotSources(hubspot, settings.source, context);
      const { texts, hasExpired } = await readFiles(toExclusionPlan(name, settings), context);
      if (named.length + texts.length > 0)
        checks.push({ check, state: hasExpired ? 'warning' : 'ok', message: [...named, ...texts].join('; ') });
    } catch (error) {
      context.signal.throwIfAborted();
      checks.push({ check, ...describeFailure(error, depth) });
    }
  }
  return checks;
}

async function nameHubSpotSources(
  hubspot: HubSpotClient,
  { lifecycleStages, lists, doNotContact }: ExclusionPlan['source'],
  { signal }: ActivityContext,
): Promise<string[]> {
  await assertLifecycleStages(hubspot, lifecycleStages, signal);
  for (const list of lists) await assertCompanyList(hubspot, list, signal);
  if (doNotContact !== null) await assertYesNoProperty(hubspot, doNotContact, signal);
  return [
    ...(lifecycleStages.length === 0 ? [] : [`lifecycle stages ${lifecycleStages.join(', ')}`]),
    ...lists.map((list) => `list ${list}`),
    ...(doNotContact === null ? [] : [`property ${doNotContact}`]),
  ];
}

/** `hasExpired`: no row of a file applies any more. */
async function readFiles(
  exclusion: ExclusionPlan,
  { signal }: ActivityContext,
): Promise<{ readonly texts: string[]; readonly hasExpired: boolean }> {
  const notes = createExclusionNotes();
  const rows = new Map<string, { readonly all: number; readonly applying: number }>();
  const readings = new Map<string, string[]>();
  const reading = { cleaner: createFieldCleaner(), rowNotes: notes, now: new Date(), signal };
  for await (const { file, page } of readExclusionFiles(exclusion, reading)) {
    const { all, applying } = rows.get(file.path) ?? { all: 0, applying: 0 };
    const active = page.rows.filter(({ row }) => !row.expired).length;
    rows.set(file.path, { all: all + page.rows.length, applying: applying + active });
    readings.set(file.path, toReadingTexts(toFileReading(page)));
  }
  const texts: string[] = [];
  for (const [path, { all, applying }] of rows) {
    const change = await describeChange(path);
    texts.push(
      applying === all
        ? `${all} rows of ${path}, ${change}`
        : `${applying} of ${all} rows of ${path} (${change}) apply, the others have expired`,
      ...(readings.get(path) ?? []),
    );
  }
  texts.push(...toRowNoteTexts(notes.notes(), 'excluded'));
  return { texts, hasExpired: [...rows.values()].some(({ applying }) => applying === 0) };
}
