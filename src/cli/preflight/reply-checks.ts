/** What `doctor` finds about HubSpot and the replies, said by the processes that receive and write them. */
import type { Config } from '../../config/config.ts';
import { examinePortal } from '../../hubspot/examine-portal.ts';
import type { HubSpotClient } from '../../hubspot/hubspot-client.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Log } from '../../base/logs.ts';
import { errorName } from '../../base/failures/error-name.ts';
import { toExamination } from './preflight.ts';

interface ReplySystems {
  readonly hubspot: HubSpotClient;
  readonly ledger: Pick<Ledger, 'portal'>;
  readonly log: Log;
}

/** A missing scope, or a lead status that the portal does not have, is known before the first reply. Never throws. */
export async function warnOfReplyProblems(config: Config, { hubspot, ledger, log }: ReplySystems): Promise<void> {
  if (config.replies.secrets.length === 0) return;
  try {
    const ofReplies = {
      ...config,
      runs: {},
      exclusions: {},
      mapping: { ...config.mapping, companies: {}, contacts: {} },
    };
    const examination = toExamination(ofReplies, (await ledger.portal.get()) ?? null);
    if (examination === null) return;
    for (const { check, state, message } of await examinePortal(hubspot, examination))
      if (state === 'problem') log(`Replies cannot all be written to HubSpot: ${check}: ${message}`, 'warn');
  } catch (error) {
    log(`HubSpot was not checked for replies: ${errorName(error)}`, 'warn');
  }
}

/** A receiver in a copy of the project would keep refusals from the runs. */
export async function warnOfEmptyLedger({ ledger, log }: { ledger: Pick<Ledger, 'orders'>; log: Log }): Promise<void> {
  if ((await ledger.orders.newestIds(1)).length > 0) return;
  log(
    'The ledger has no order. Refusals are stored in this ledger only: runs with another one would order their companies again. If there are runs already, start the receiver with their configuration and data folder',
    'warn',
  );
}
