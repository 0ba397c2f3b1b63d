/** The marked sample of "Send test": realistic values in every field ("Setup rules", 3). */
import { companyAt } from '../world/company-generator.ts';
import type { StoredAction } from '../store/webhook-records.ts';
import type { Reply } from './reply-body.ts';

/** Somebody of the fictional world; no order has to have found them. */
const sampleIndex = 7;

export function sampleReply({ seed, id, now }: { seed: number; id: string; now: number }, action: StoredAction): Reply {
  const company = companyAt(seed, sampleIndex);
  const [prospect = null] = company.prospects;
  const classification = action.classifications[0] ?? 'interested';
  return {
    id,
    classification,
    classificationReason: 'The reply asks for a meeting and names a time.',
    threadSubject: 'Re: A question about your supply chain',
    text: `Hello,\n\nthis sounds interesting. Could we talk on Tuesday at 10?\n\nBest regards\n${prospect?.full_name}\n${company.name}`,
    receivedAt: now - 60_000,
    sentFromEmail: 'outreach@sender.example',
    from: { email: prospect?.email ?? '', prospect, company },
  };
}

/** What an action leaves open is not open in a sample. */
export function sampleAction(action: StoredAction): StoredAction {
  return {
    ...action,
    campaignName: action.campaignName || 'Autumn outreach',
    flowName: action.flowName || 'First contact',
  };
}
