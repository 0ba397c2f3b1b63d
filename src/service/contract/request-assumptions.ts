/** The part of `assumptions` about requests, optional fields, outputs, downloads and deliveries. */
const inContract = 'the schema that carries the mark, in src/service/contract/';

export const requestAssumptions = {
  A46: {
    about: 'upper and lower case in "must start with http://, https:// or www."',
    choice: 'lower case only; the client sends the scheme in lower case',
    setting: '`websiteUrlPattern` in src/service/contract/blacklist.ts',
  },
  A47: {
    about: 'how many blacklists an order may name ("max 100" is stated for assignments)',
    choice: '100, as in an assignment',
    setting: inContract,
  },
  A48: {
    about: 'what is counted in "max 100 (duplicates removed)"',
    choice: 'the list as sent: 101 equal ids are refused',
    setting: inContract,
  },
  A49: {
    about:
      "null in a slot's external_id and duplicate_of_input_position, in a reason's detail, and in an output's result_count, result_sha256 and location",
    choice:
      'read like a missing field (`x-assumed-null`), because the specification shows no null there; the sandbox omits the field',
    setting:
      '`sandbox --assume slot_nulls=null`, `output_nulls=null`; `mayBeMissing` in src/service/contract/schema.ts',
  },
  A50: {
    about: 'the location of an output without a spreadsheet',
    choice: 'absent, for files and until the spreadsheet exists',
    setting: '`sandbox --assume output_nulls=null`; the client reads either',
  },
  A51: {
    about: 'the minimum of texts, lists and numbers of a request where none is stated',
    choice:
      "1 character: profile_name, ideal_customer_profile, title, output_language, spreadsheet_id, company_name, a submitted row's external_id, items of lists of texts; 1 item: features, companies and target_countries of an order; briefing_quantity 1",
    setting: inContract,
  },
  A52: { about: 'the smallest limit of a results page', choice: '1', setting: inContract },
  A53: {
    about: 'the length of an Idempotency-Key, and whether POST export takes one',
    choice:
      '1 to 255 printable ASCII characters; POST export accepts one, as POST outputs does. The client sends an export without a key, after it has read the list of outputs: a lost answer makes no second export, whether the service knows the key or not. Only a new attempt after FAILED has a key',
    setting: '`idempotencyKeySchema` in src/service/contract/operation.ts',
  },
  A54: {
    about: "which addresses an order's webhook_url may have",
    choice:
      'as for an action ("Setup rules", 1): public https. The schema also allows http, which the sandbox accepts for explicitly allowed receivers only, and prospect-sync.yaml never',
    setting: '`checkPublicUrl` in src/base/http/public-address.ts; `webhookUrl` in src/config/run-settings.ts',
  },
  A55: {
    about: 'an id in a path that is not a UUID',
    choice: '422, not 404',
    setting: '`idInPath` in src/service/contract/operation.ts',
  },
  A56: {
    about: 'the name and the words of "a short label for counts" in a summary',
    choice: '`label`, a few English words; may be missing or null',
    setting: '`reasonCodes` in src/service/contract/reason-codes.ts',
  },
  A57: {
    about: 'a body that is not sent as JSON',
    choice:
      '422 unless content-type is application/json, without content-encoding. Invalid UTF-8 and lone surrogates are refused, and so is a query value that is not a plain whole number or is given twice',
    setting: '`readJson` in sandbox/service/request-validation.ts; the client sends JSON only',
  },
  A58: {
    about: 'the largest body',
    choice: '400 MB, several times 10,000 entries of maximum length; larger bodies get 413 with code and message',
    setting: '`maxBodyBytes` in sandbox/service/request-validation.ts',
  },
  A59: {
    about: 'what the features of an order change',
    choice: 'nothing in the sandbox: contacts are always delivered',
    setting: 'none: the client reads either',
  },
} as const;

/** What the specification leaves open about outputs, downloads and deliveries; a part of `assumptions`. */
export const outputAssumptions = {
  A38: {
    about: 'what counts as one destination of outputs',
    choice:
      "output_type with output_language in lower case (the profile's when absent) and, for google_sheets, spreadsheet_id; POST export and POST outputs share them",
    setting: '`toDestination` in sandbox/service/output-claims.ts',
  },
  A39: {
    about: 'which keys may claim a destination',
    choice:
      'a key belongs to the organisation and to one order and body. The first explicit key claims the destination, and replays an output that was created without a key; any other explicit key is then refused. The derived key may be sent explicitly, and then counts as no key',
    setting: '`claimOutput` in sandbox/service/output-claims.ts',
  },
  A40: {
    about: 'whether a failed output can be tried again',
    choice:
      'yes, with a new explicit key: a new attempt for the same destination, without quota. The keys of the failed output still return it; a request without a key returns the latest attempt',
    setting: '`claimOutput` in sandbox/service/output-claims.ts',
  },
  A41: {
    about: 'what result_count and result_sha256 count and hash',
    choice:
      'the slots of the published set; SHA-256 in hex over each slot as JSON with sorted keys and no white space, in order, each followed by a line feed; the same for every output of an order; absent until COMPLETED',
    setting:
      'none: the client compares result_count with the slots and the rows of the file, and does not compare result_sha256',
  },
  A42: {
    about: 'the file layout',
    choice:
      'one row a slot in order: position, external_id, Result Status, Result Reasons and Duplicate Of (enrichment orders only), company, then Contact 1 to 3 in separate columns; CSV in UTF-8 with a byte order mark, XLSX with a second sheet of counts; always English. In CSV, an apostrophe precedes what a spreadsheet program would run as a formula; XLSX with more than 1,048,575 rows ends FAILED',
    setting: '`outputColumns` in sandbox/service/output-rows.ts; `sandbox --assume discovery_files=annotated`',
  },
  A43: {
    about: 'the answers of a download',
    choice:
      '302 to an address of the same origin that needs no key and expires after 5 minutes; 409 EXPORT_NOT_READY before COMPLETED; 404 EXPORT_JOB_NOT_FOUND if there will be no file (FAILED, google_sheets)',
    setting:
      'sandbox/service/file-downloads.ts; the client follows to other hosts too, without the key: `fileAddress` in src/base/http/public-fetch.ts',
  },
  A44: {
    about: 'what the deliveries listing contains',
    choice:
      'the companies of the ENRICHED slots of every completed order of the profile, published or not, each once, as first delivered; of their contacts, at most two client-deliverable ones with a qualification_score of 70 or more, highest first',
    setting: 'sandbox/service/delivered-company-routes.ts',
  },
  A45: {
    about: 'the content_fingerprint of a website markdown',
    choice: 'SHA-256 of the markdown in UTF-8, in hex',
    setting: 'sandbox/service/website-markdown.ts',
  },
} as const;
