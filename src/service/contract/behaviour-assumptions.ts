/** The part of `assumptions` about blacklists during an order, lists and pages, repeated requests, and delivery. */
export const behaviourAssumptions = {
  A77: {
    about: 'when the blacklists of an order are matched',
    choice:
      'when its results are published: an entry or a blacklist that was deleted before excludes nothing, nor does an entry that is added later',
    setting: '`service.blacklists_matched` in prospect-sync.yaml',
  },
  A78: {
    about: 'where the delivery policy is applied again',
    choice:
      'on the legacy deliveries only; published results are an immutable snapshot. With `results`, pages and outputs contain the contacts that the policy delivers from the beginning, at least the best one of an ENRICHED slot',
    setting: '`sandbox --assume delivery_policy=results`; the client reads either',
  },
  A79: {
    about: 'the path of the order list and its items',
    choice:
      'GET /api/v1/orders, newest first, with the record of each order; the client reads any list of records with a UUID, and works without the list',
    setting: '`sandbox --assume order_list=none`',
  },
  A80: {
    about: 'a limit above the maximum, and an offset below 0, of a page of results',
    choice: 'refused with 422; a service may also answer with as many as it allows',
    setting: 'none: the client asks for 100 at most',
  },
  A81: {
    about: 'a null description when a blacklist is created ("string, optional"; null is shown for PATCH only)',
    choice: 'refused with 422; the client omits it',
    setting: '`sandbox --assume null_description=accept`',
  },
  A82: {
    about: 'an id or created_at in a submitted blacklist entry ("not required on input, assigned")',
    choice: 'refused with 422, as other unknown fields (A18); the client sends neither',
    setting: '`sandbox --assume entry_id=ignore`',
  },
  A83: {
    about: 'an empty blacklist_ids in an enrichment order (blacklists are attached to discovery orders)',
    choice: 'refused with 422; the client sends blacklist_ids with discovery orders only',
    setting: '`sandbox --assume empty_blacklists=accept`',
  },
  A84: {
    about: 'which blacklists are matched for an order',
    choice: 'those that the order names, and those that are assigned to its prospect search at the time of A77',
    setting: '`publishDue` in sandbox/results/publications.ts',
  },
  A85: {
    about: 'the largest offset of a page',
    choice:
      '9007199254740991 (2^53 - 1); larger ones are refused with 422, offsets after the last item give an empty page',
    setting: 'the schema that carries the mark, in src/service/contract/',
  },
  A86: {
    about: 'the answer to a repeated creation with the same Idempotency-Key and body',
    choice: 'the first answer; `current` answers with the present state of the order or profile creation',
    setting: '`sandbox --assume replayed_creation=current`; the client takes the id only',
  },
  A87: {
    about: 'the columns Result Status and Result Reasons in files of discovery orders (shown for enrichment orders)',
    choice: 'absent, since discovery orders are unchanged in 1.3.0',
    setting: '`sandbox --assume discovery_files=annotated`; the client compares no columns of such files',
  },
  A88: {
    about: 'a method that a path does not have',
    choice: '405 with code METHOD_NOT_ALLOWED, message and the header Allow',
    setting: '`sandbox --assume wrong_method=404`; the client decides by the status class',
  },
} as const;
