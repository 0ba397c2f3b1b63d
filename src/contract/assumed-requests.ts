/** What the specification leaves open about requests and about fields that may be missing; a part of `assumptions`. */
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
    setting: '`mostBytes` in sandbox/service/request-validation.ts',
  },
  A59: {
    about: 'what the features of an order change',
    choice: 'nothing here: contacts are delivered whatever is asked for',
    setting: 'none: the client takes what there is',
  },
} as const;
