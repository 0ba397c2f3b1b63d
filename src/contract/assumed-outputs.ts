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
