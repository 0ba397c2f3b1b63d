/** The part of `assumptions` about requests, optional fields, outputs, downloads and deliveries. */
const inContract = 'the schema that carries the mark, in src/contract/';

export const requestAssumptions = {
  A46: {
    about: 'upper and lower case in "must start with http://, https:// or www."',
    choice: 'lower case only; the client writes the beginning of an address so before it is sent',
    setting: '`websiteUrlPattern` in src/contract/blacklist.ts',
  },
  A47: {
    about: 'how many blacklists an order may name ("max 100" is stated for assignments)',
    choice: '100, as in an assignment',
    setting: inContract,
  },
  A48: {
    about: 'what is counted in "max 100 (duplicates removed)"',
    choice: 'the list as it was sent: 101 equal ids are refused',
    setting: inContract,
  },
  A49: {
    about: "null in a slot's external_id and duplicate_of_input_position and in a reason's detail",
    choice:
      'read like a field that is missing, for the sake of a tolerant reader; the stand-in leaves the field out (`x-assumed-null`)',
    setting: '`mayBeMissing` in src/contract/schema.ts',
  },
  A50: {
    about: 'the location of an output without a spreadsheet',
    choice: 'null, for files and until the spreadsheet is there',
    setting: inContract,
  },
  A51: {
    about: 'the smallest texts, lists and numbers of a request where none is stated',
    choice:
      "1 character: profile_name, ideal_customer_profile, title, output_language, spreadsheet_id, company_name, a submitted row's external_id, items of lists of texts; 1 item: features, companies and target_countries of an order; briefing_quantity 1",
    setting: inContract,
  },
  A52: { about: 'the smallest limit of a results page', choice: '1', setting: inContract },
  A53: {
    about: 'the length of an Idempotency-Key, and whether POST export takes one',
    choice: '1 to 255 characters; it does, optional as with POST outputs',
    setting: '`idempotencyKeySchema` in src/contract/operation.ts',
  },
  A54: {
    about: "which addresses an order's webhook_url may have",
    choice:
      'those of an action ("Setup rules", 1): public https; by form http too, which the stand-in takes only for receivers that it was told to allow, and prospect-sync.yaml never',
    setting: '`checkPublicUrl` in src/http/public-address.ts; `webhookUrl` in src/config/run-settings.ts',
  },
  A55: {
    about: 'an id in a path that is no UUID',
    choice: '422, not 404',
    setting: '`idInPath` in src/contract/operation.ts',
  },
  A56: {
    about: 'the name and the words of "a short label for counts" in a summary',
    choice: '`label`, a few English words; missing or null costs a reader nothing',
    setting: '`reasonCodes` in src/contract/reason-codes.ts',
  },
  A57: {
    about: 'a body that is not sent as JSON',
    choice:
      '422 unless content-type is application/json, without encoding; bytes that are no UTF-8 and half surrogate pairs are refused; so is a query value that is no plain whole number, or given twice',
    setting: '`readJson` in sandbox/service/request-validation.ts; the client sends JSON only',
  },
  A58: {
    about: 'the largest body',
    choice: '400 MB, several times 10,000 entries at their greatest lengths; 413 with code and message beyond',
    setting: '`maxBodyBytes` in sandbox/service/request-validation.ts',
  },
  A59: {
    about: 'what the features of an order change',
    choice: 'nothing here: contacts are delivered whatever is asked for',
    setting: 'none: the client takes what there is',
  },
} as const;

/** What the specification leaves open about outputs, downloads and deliveries; a part of `assumptions`. */
export const outputAssumptions = {
  A38: {
    about: 'what one destination of outputs is',
    choice:
      "output_type with output_language in lower case (the profile's when absent) and, for google_sheets, spreadsheet_id; POST export and POST outputs share them",
    setting: '`toDestination` in sandbox/service/output-claims.ts',
  },
  A39: {
    about: 'which keys may claim a destination',
    choice:
      'a key belongs to the organisation and stands for one order and body; an explicit key is refused where another key claimed first, one derived by the server included; the derived key may be sent explicitly and then counts as none',
    setting: '`claimOutput` in sandbox/service/output-claims.ts',
  },
  A40: {
    about: 'whether a failed output can be tried again',
    choice:
      'yes, by a new explicit key: a new attempt at the same destination, which costs no quota; the keys of the failed one go on answering it, a request without a key answers the latest attempt',
    setting: '`claimOutput` in sandbox/service/output-claims.ts',
  },
  A41: {
    about: 'what result_count and result_sha256 count and hash',
    choice:
      'the slots of the published set; SHA-256 in hex over each slot as JSON with sorted keys and no white space, in order, each followed by a line feed; the same for every output of an order; null until COMPLETED',
    setting:
      'none: the client holds result_count against the slots and the rows of the file, and result_sha256 against nothing',
  },
  A42: {
    about: 'the file layout',
    choice:
      'one row a slot in order: position, external_id, Result Status, Result Reasons, company, then Contact 1 to 3 in columns of their own; CSV in UTF-8 with a byte order mark, XLSX with a second sheet of counts; English whatever output_language says. What a spreadsheet program would run as a formula has an apostrophe before it in CSV; more than 1,048,575 rows end FAILED in XLSX',
    setting: '`outputColumns` in sandbox/service/output-rows.ts',
  },
  A43: {
    about: 'the answers of a download',
    choice:
      '302 to an address of the same origin that needs no key and expires after 5 minutes; 409 EXPORT_NOT_READY before COMPLETED; 404 EXPORT_JOB_NOT_FOUND where no file will ever be (FAILED, google_sheets)',
    setting:
      'sandbox/service/file-downloads.ts; the client follows to other hosts too, without the key: `fileAddress` in src/http/public-fetch.ts',
  },
  A44: {
    about: 'what the deliveries listing holds',
    choice:
      'the companies of the ENRICHED slots of every published order of the profile, each once, as first delivered; of their contacts the client-deliverable ones with a qualification_score of 70 or more, best first, two at most',
    setting: 'sandbox/service/delivered-company-routes.ts',
  },
  A45: {
    about: 'the content_fingerprint of a website markdown',
    choice: 'SHA-256 of the markdown in UTF-8, in hex',
    setting: 'sandbox/service/website-markdown.ts',
  },
} as const;
