import type { AssumptionId } from './assumptions.ts';
import type { SlotStatus } from './enum-values.ts';

/** The content of a reason's `detail`. */
type ReasonDetail = 'none' | 'the URL tried' | 'the origin redirected to';

interface ReasonCode {
  readonly status: SlotStatus;
  /** English text of the service. It may change between releases; the code does not. */
  readonly message: string;
  /** Short label beside a count in a result summary. */
  readonly label: string;
  readonly detail: ReasonDetail;
  /** Only on orders from before results became immutable. */
  readonly legacy?: true;
  /** Only on discovery orders. */
  readonly discoveryOnly?: true;
  /** Set when the specification does not state the status. */
  readonly assumed?: AssumptionId;
}

/** The reason codes of the specification, best first within a status. */
export const reasonCodes = {
  POLICY_ELIGIBLE: reason('ENRICHED', 'Fully enriched and eligible under the delivery policy', 'Eligible'),
  HISTORICAL_DELIVERY_CONFIRMED: {
    ...reason('ENRICHED', 'Delivered before results became immutable; confirmed', 'Confirmed delivery'),
    legacy: true,
  },
  HISTORICAL_POLICY_EXCLUDED: {
    ...reason('PARTIAL', 'Excluded by the delivery policy before results became immutable', 'Excluded by policy'),
    legacy: true,
  },
  WEBSITE_UNREACHABLE: {
    ...reason('PARTIAL', 'The website could not be reached', 'Website unreachable'),
    detail: 'the URL tried',
  },
  WEBSITE_MOVED: {
    ...reason('PARTIAL', "The website redirects to a domain that is not the company's own", 'Website moved'),
    detail: 'the origin redirected to',
  },
  WEBSITE_BLOCKED: reason('PARTIAL', 'The website blocked automated access', 'Website blocked'),
  WEBSITE_EMPTY: reason('PARTIAL', 'The website returned no usable content', 'Website empty'),
  NO_PEOPLE_FOUND: reason('PARTIAL', 'The website was read, no people were found', 'No people found'),
  NO_EMAIL_FOUND: reason('PARTIAL', 'People were found, no email address was discoverable', 'No email found'),
  NOT_PROCESSED: reason('PARTIAL', 'Processing of the row was not finished', 'Not processed'),
  REQUIRED_CONTACT_PATH_MISSING: reason(
    'PARTIAL',
    'Contacts were found, none offers the contact path the profile requires',
    'Contact path missing',
  ),
  COMPANY_SCORE_BELOW_MINIMUM: reason(
    'PARTIAL',
    "The company's fit score is below the profile's minimum",
    'Company score too low',
  ),
  PROSPECT_SCORE_BELOW_MINIMUM: reason(
    'PARTIAL',
    "No contact reached the profile's minimum qualification score",
    'Prospect score too low',
  ),
  UNRESOLVED_IDENTITY: reason(
    'UNRESOLVED',
    'The submitted company could not be matched to a website or organisation',
    'Identity unresolved',
  ),
  DUPLICATE_OF_SLOT: reason('DUPLICATE', 'The same company was submitted in an earlier row', 'Duplicate row'),
  BLOCKED_FOR_REVIEW: reason('BLOCKED', 'Held back for operator review', 'Held for review'),
  RESULT_LIMIT_EXCEEDED: {
    ...reason('PARTIAL', 'Eligible, but outside the requested quantity', 'Outside the quantity'),
    discoveryOnly: true,
    assumed: 'A34',
  },
} as const satisfies Record<string, ReasonCode>;

export type ReasonCodeName = keyof typeof reasonCodes;

export function isKnownReasonCode(code: string): code is ReasonCodeName {
  return Object.hasOwn(reasonCodes, code);
}

function reason<const S extends SlotStatus>(status: S, message: string, label: string) {
  return { status, message, label, detail: 'none' } as const;
}
