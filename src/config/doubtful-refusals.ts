/** Settings by which a person who has refused is contacted, or a company bought, again. */
import type { Config } from './config.ts';
import type { ReplyClass } from './reply-policy.ts';

export function warnOfRefusals(config: Config): string[] {
  return [...warnOfReplyClasses(config.replies.policy), ...warnOfUnusedSuppressions(config)];
}

/** Replies after which the person must not be contacted. After `wrong_person`, a task may be to find the right one. */
const refusals = ['not_interested', 'do_not_contact', 'wrong_person'] as const satisfies readonly ReplyClass[];
const welcomes = ['interested', 'referral'] as const satisfies readonly ReplyClass[];

/** Of the lead statuses that every HubSpot account has at first: by these, people find whom to contact. */
const contactedStatuses = ['NEW', 'OPEN', 'IN_PROGRESS', 'OPEN_DEAL', 'ATTEMPTED_TO_CONTACT', 'CONNECTED'];

function warnOfReplyClasses({ classes }: Config['replies']['policy']): string[] {
  const contacted = new Set([...contactedStatuses, ...welcomes.map((name) => classes[name].leadStatus)]);
  return refusals.flatMap((name) => {
    const { leadStatus, task } = classes[name];
    const setting = `replies.classes.${name}`;
    return [
      ...(leadStatus !== null && contacted.has(leadStatus)
        ? [
            `${setting}.lead_status is ${leadStatus}, the status of a contact to follow up: people would contact somebody who has refused. Write UNQUALIFIED or a status of your own for refusals, or null to leave the status unchanged`,
          ]
        : []),
      ...(task && name !== 'wrong_person'
        ? [
            `${setting}.task is true: the owner would get a task for the contact, and could contact somebody who has refused. Write false; the note shows the reply`,
          ]
        : []),
    ];
  });
}

/** Of a discovery: the rows of an enrichment are compared with the suppressions without an exclusion. */
function warnOfUnusedSuppressions({ runs, exclusions }: Config): string[] {
  return Object.entries(runs).flatMap(([runName, run]) => {
    const own = run.exclusions.filter((name) => exclusions[name]?.existing === undefined);
    if (run.kind !== 'discovery' || own.length === 0) return [];
    if (own.some((name) => exclusions[name]?.source.suppressions !== false)) return [];
    const settings = own.map((name) => `exclusions.${name}.suppressions`).join(', ');
    return [
      `${settings}: with false in every exclusion of runs.${runName}, its orders may buy companies that asked not to be contacted. Remove suppressions: false from one of them, or add an exclusion with suppressions: true to runs.${runName}.exclusions`,
    ];
  });
}
