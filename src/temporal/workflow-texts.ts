/**
 * Summary (one line) and details (Markdown) that the Temporal UI shows for a workflow. Both contain settings only: no company or person
 * of the CRM, and no address with secrets.
 */
import type { RunProfile } from '../config/profile-settings.ts';
import type { ExclusionSources } from '../config/exclusion-settings.ts';
import { escapeMarkdown, toList } from '../base/text/markdown.ts';
import { toPrintable } from '../base/text/printable-text.ts';
import type { DeliveryPlan, RunPlan, ExclusionPlan } from '../config/run-plan.ts';
import type { CompaniesSource } from '../config/enrichment-source-settings.ts';

export interface WorkflowTexts {
  readonly staticSummary: string;
  readonly staticDetails: string;
}

/** Temporal's limit of a summary is 200 bytes; of details 20,000. */
const summaryBytes = 200;
/** Characters of a profile's free texts, enough to identify the profile. */
const textShown = 300;

export function describeRun(plan: RunPlan): WorkflowTexts {
  const { runName, title, profile, features, exclusions, delivery, webhookUrl } = plan;
  const settings: [string, string][] = [
    ['title', title],
    ['quantity', toQuantity(plan)],
    ...describeProfile(profile),
    ['features', features.join(', ')],
    ['exclusions', exclusions.map(({ name }) => name).join(', ') || 'none'],
    ['destinations', toDestinations(delivery)],
    ['webhook', webhookUrl === null ? 'none' : 'requested'],
  ];
  return {
    staticSummary: toSummary(`${runName}: ${toOrderText(plan)}`),
    staticDetails: toTexts(`Run ${runName}`, settings),
  };
}

function describeProfile(profile: RunProfile): [string, string][] {
  if ('profile_id' in profile) return [['profile', `existing, ${profile.profile_id}`]];
  return [
    ['profile', profile.profile_name],
    ['ideal customer profile', profile.ideal_customer_profile],
    ['countries', profile.target_countries.join(', ')],
  ];
}

/** An order that a run placed. */
export function describeOrderOf(plan: RunPlan, orderId: string): WorkflowTexts {
  const { runName, kind, delivery } = plan;
  const settings: [string, string][] = [
    ['run', runName],
    ['kind', kind],
    ['quantity', toQuantity(plan)],
    ['destinations', toDestinations(delivery)],
  ];
  return {
    staticSummary: toSummary(`${runName}: ${toOrderText(plan)}, from publication to reconciliation`),
    staticDetails: toTexts(`Order ${orderId}`, settings),
  };
}

/** The child workflow of a run that syncs exclusions and places the order. */
export function describeOrdering(plan: RunPlan): WorkflowTexts {
  const { staticDetails } = describeRun(plan);
  return {
    staticSummary: toSummary(`${plan.runName}: ${toOrderText(plan)}, from exclusions to the order`),
    staticDetails,
  };
}

/** An existing order. */
export function describeIngest(orderId: string, delivery: DeliveryPlan): WorkflowTexts {
  const settings: [string, string][] = [['destinations', toDestinations(delivery)]];
  return {
    staticSummary: toSummary(`Results of order ${orderId}`),
    staticDetails: toTexts(`Order ${orderId}`, settings),
  };
}

export function describeReconciliation(orderId: string): WorkflowTexts {
  const purpose = 'Compares the ledger, the CRM and the files with the published results. Writes nothing.';
  return {
    staticSummary: toSummary(`Reconciliation of order ${orderId}`),
    staticDetails: `**Reconciliation of order ${escapeMarkdown(orderId)}**\n\n${purpose}`,
  };
}

export function describeRetry(orderId: string): WorkflowTexts {
  const purpose =
    'Retries quarantined and failed rows and rewrites the files, from the ledger. Does not call the service.';
  return {
    staticSummary: toSummary(`Retry of order ${orderId}`),
    staticDetails: `**Order ${escapeMarkdown(orderId)}**\n\n${purpose}`,
  };
}

/** @param classification as the service sent it; null when unreadable */
export function describeReply(webhookId: string, classification: string | null): WorkflowTexts {
  const settings: [string, string][] = [
    ['classification', classification ?? 'unknown'],
    ['text', 'only in the ledger and in HubSpot: prospect-sync replies show ID'],
  ];
  return {
    staticSummary: toSummary(`Reply: ${classification ?? 'unknown'}`),
    staticDetails: toTexts(`Reply ${webhookId}`, settings),
  };
}

export function describeExclusions({ name, blacklist, source, removals }: ExclusionPlan): WorkflowTexts {
  const settings: [string, string][] = [
    ['blacklist', blacklist],
    ['sources', toSources(source)],
    [
      'safety limit',
      `at most ${removals.maxEntries.toLocaleString('en')} entries and ${removals.maxPercent} % are removed without approval`,
    ],
  ];
  return {
    staticSummary: toSummary(`exclusions.${name}: blacklist ${blacklist}`),
    staticDetails: toTexts(`Exclusions ${name}`, settings),
  };
}

function toSources(source: ExclusionSources): string {
  const { lifecycleStages, openDeals, closedWonWithinDays, lists, doNotContact, csv, xlsx } = source;
  const words = [
    ...(lifecycleStages.length === 0 ? [] : [`lifecycle stage ${lifecycleStages.join(', ')}`]),
    ...(openDeals ? ['open deals'] : []),
    ...(closedWonWithinDays === null ? [] : [`deals won in ${closedWonWithinDays} days`]),
    ...(lists.length === 0 ? [] : [`lists ${lists.join(', ')}`]),
    ...(doNotContact === null ? [] : [`property ${doNotContact}`]),
    ...[csv, xlsx].flatMap((file) => file ?? []),
  ];
  return words.join('; ');
}

function toOrderText(plan: RunPlan): string {
  const hasQuantity = plan.kind === 'enrichment' || plan.briefingQuantity !== null;
  return `${plan.kind}${hasQuantity ? ' of' : ','} ${toQuantity(plan)}`;
}

function toQuantity({ kind, briefingQuantity, companies }: RunPlan): string {
  if (kind === 'enrichment') return companies === null ? 'no companies' : toSource(companies);
  return briefingQuantity === null ? 'no quantity set' : `${briefingQuantity.toLocaleString('en')} companies`;
}

function toSource(companies: CompaniesSource): string {
  if (companies.from === 'sql') return 'rows of a SQL query';
  if ('path' in companies) return `rows of ${companies.path.replace(/^.*[\\/]/s, '')}`;
  const { lifecycleStages, lists, without } = companies;
  if (lifecycleStages.length > 0) return `CRM companies in ${lifecycleStages.join(', ')}`;
  if (lists !== null) return `members of HubSpot list ${lists.join(', ')}`;
  return without === null ? 'CRM companies of a search' : `CRM companies without ${without}`;
}

function toDestinations({ crm, spreadsheets, serviceOutputs }: DeliveryPlan): string {
  const files = spreadsheets === null ? [] : [`${spreadsheets.kinds.join(' and ')} in ${spreadsheets.directory}`];
  const outputs = (serviceOutputs?.wanted ?? []).map(({ type, language }) => `${type} (${language}) of the service`);
  return [...(crm === null ? [] : ['HubSpot']), ...files, ...outputs].join('; ') || 'ledger only';
}

function toTexts(title: string, settings: readonly (readonly [string, string])[]): string {
  const entries = settings.map(([name, text]) => [name, shorten(text)] as const);
  return `**${escapeMarkdown(title)}**\n\n${toList(entries)}`;
}

function shorten(text: string): string {
  return text.length > textShown ? `${text.slice(0, textShown)}…` : text;
}

/** The UI shows a summary as plain text in lists, and as Markdown elsewhere: links and HTML are defused. */
export function toSummary(text: string): string {
  const line = toPrintable(text.replaceAll(/\s+/g, ' ').trim())
    .replaceAll(/[[<]/g, '(')
    .replaceAll(/[\]>]/g, ')')
    .replaceAll(/:(?=\/\/)|(?<=mailto):|&(?=[#\w])/gi, '$& ');
  if (bytesOf(line) <= summaryBytes) return line;
  let kept = Array.from(line);
  while (bytesOf(kept.join('')) > summaryBytes - bytesOf('…')) kept = kept.slice(0, -1);
  return `${kept.join('')}…`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
