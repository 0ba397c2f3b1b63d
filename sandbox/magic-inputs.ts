/** Values of ordinary request fields that produce a chosen outcome, so that tests need no control plane. */
import { isKnownReasonCode, reasonCodes, type ReasonCodeName } from '../src/service/contract/index.ts';

interface MagicInput {
  readonly field: 'companies[].website_url' | 'profile_name' | 'title' | 'output_language' | 'spreadsheet_id';
  /** What the field contains. */
  readonly contains: string;
  readonly effect: string;
}

/** Domain -> reason code of a row whose submitted website is at or below that domain. */
export const reasonByHost: ReadonlyMap<string, ReasonCodeName> = new Map(
  Object.keys(reasonCodes)
    .filter(isKnownReasonCode)
    .filter((code) => code !== 'POLICY_ELIGIBLE' && code !== 'DUPLICATE_OF_SLOT' && code !== 'RESULT_LIMIT_EXCEEDED')
    .map((code) => [`${code.toLowerCase().replaceAll('_', '-')}.example`, code]),
);

/** All magic inputs. docs/magic-inputs.md is generated from this table. */
export const magicInputs: readonly MagicInput[] = [
  ...Array.from(reasonByHost, ([host, code]): MagicInput => ({
    field: 'companies[].website_url',
    contains: host,
    effect: `a website at or below it ends the row as ${reasonCodes[code].status} with ${code}`,
  })),
  inName('outcome:FAILED', 'the creation ends FAILED'),
  inName(
    'outcome:FAILED*2',
    'the first two creations of the same content end FAILED, later ones SUCCEEDED (any number)',
  ),
  inName('stay:PENDING', 'the creation stays PENDING'),
  inName('stay:RUNNING', 'the creation stays RUNNING'),
  inTitle('outcome:REJECTED', 'the order is not approved'),
  inTitle('outcome:FAILED', 'fulfilment fails'),
  inTitle('outcome:CANCELLED', 'the order is cancelled while in progress'),
  inTitle('outcome:UNPUBLISHED', 'COMPLETED with results_published false, as before immutable publication'),
  inTitle('outcome:EMPTY', 'a discovery order publishes a valid set of no results'),
  inTitle('outcome:HISTORICAL', 'rows that would be POLICY_ELIGIBLE are HISTORICAL_DELIVERY_CONFIRMED'),
  inTitle('outcome:RESULT_LIMIT_EXCEEDED', 'a discovery order adds three companies beyond the requested quantity'),
  inTitle('found:7', 'a discovery order finds at most seven companies (any number)'),
  inTitle('stay:RECEIVED', 'the order stays RECEIVED'),
  inTitle('stay:ACCEPTED', 'the order stays ACCEPTED'),
  inTitle('stay:IN_PROGRESS', 'the order stays IN_PROGRESS'),
  ...inOutput('outcome:FAILED', 'the output ends FAILED; the results stay readable'),
  ...inOutput(
    'outcome:FAILED*1',
    'the first attempt at this destination ends FAILED, later ones COMPLETED (any number)',
  ),
  ...inOutput('stay:PENDING', 'the output stays PENDING'),
  ...inOutput('stay:RUNNING', 'the output stays RUNNING'),
];

export interface ParsedMagicInputs {
  readonly outcome?: string | undefined;
  /** Number of creations of the same content, or attempts at the same destination, that get the outcome; infinite without `*n`. */
  readonly outcomeTimes: number;
  readonly stay?: string | undefined;
  readonly found: number;
}

/** Reads the magic inputs of a profile name, an order title or a field of an output. Unknown words change nothing. */
export function parseMagicInputs(text = ''): ParsedMagicInputs {
  const outcome = /\boutcome:([A-Z_]+)(?:\*(\d+))?/.exec(text);
  const found = /\bfound:(\d+)/.exec(text)?.[1];
  return {
    outcome: outcome?.[1],
    outcomeTimes: outcome?.[2] === undefined ? Infinity : Number(outcome[2]),
    stay: /\bstay:([A-Z_]+)/.exec(text)?.[1],
    found: found === undefined ? Infinity : Number(found),
  };
}

/** The reason code that the domain of a website selects, or null. */
export function reasonOfDomain(domain: string | null): ReasonCodeName | null {
  const host = domain?.split('.').slice(-2).join('.') ?? '';
  return reasonByHost.get(host) ?? null;
}

function inName(contains: string, effect: string): MagicInput {
  return { field: 'profile_name', contains, effect };
}

function inTitle(contains: string, effect: string): MagicInput {
  return { field: 'title', contains, effect };
}

/** `spreadsheet_id` counts for google_sheets only. */
function inOutput(contains: string, effect: string): MagicInput[] {
  return [
    { field: 'output_language', contains, effect },
    { field: 'spreadsheet_id', contains, effect },
  ];
}
