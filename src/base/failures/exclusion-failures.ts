import type { FailureDescription } from './failure-description.ts';

/** Failures of the blacklists in the service and of their syncs. */
export const exclusionFailures = {
  BlacklistNotOwned: {
    description: 'A blacklist with this name exists, but prospect-sync did not create it. It was not changed.',
    remedy: 'Choose another name, or set `adopt: true` there to let prospect-sync replace its entries.',
  },
  BlacklistElsewhere: {
    description:
      'The blacklist of an exclusion has the mark of another installation, which may be using it. It was not changed, and nothing was ordered.',
    remedy:
      'Set another name in `blacklist`. If no other installation uses it, as after a lost ledger, take it over by its exact name: `prospect-sync exclusions sync NAME --take-over "NAME OF THE BLACKLIST"`.',
  },
  ExistingBlacklistUnclear: {
    description: 'The setting `existing` of an exclusion names no blacklist of the service, or several.',
    remedy: 'Set `existing` to the name or, if several have the name, to the id of a blacklist of the organization.',
  },
  TooManyAssignments: {
    description: 'The prospect search of a profile would have more blacklists than the service allows.',
    remedy: 'Remove assignments in the service, or set `attach: order` for some exclusions.',
  },
  AssignmentsChanging: {
    description: 'Another client replaced the blacklists of a prospect search while prospect-sync assigned its own.',
    remedy: 'Start the run again when the other client has finished. Nothing was ordered.',
  },
  ExclusionsEmpty: {
    description: 'The sources of an exclusion are empty, but its blacklist has entries. Nothing was removed.',
    remedy:
      'Check the sources, their expiry dates and the scopes of the HubSpot token. If nothing is to be excluded any more, delete the blacklist in the service.',
  },
  EntriesChanged: {
    description: 'The service stored blacklist entries that differ from what was sent. They were removed again.',
    remedy: 'Report this to the support of the service. Runs without exclusions still work.',
  },
} as const satisfies Record<string, FailureDescription>;
