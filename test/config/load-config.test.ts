import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { formatProblems } from '../../src/config/problems.ts';
import { defaultContactPolicy } from '../../src/delivery/mapping/contact-policy.ts';
import { defaultMapping } from '../../src/delivery/mapping/default-mapping.ts';
import { defaultReplyPolicy } from '../../src/config/reply-policy.ts';
import { brief, env, head, parse, profile, read, refuse, rulesOf } from './config-harness.ts';

const noSource = {
  lifecycleStages: [],
  openDeals: false,
  closedWonWithinDays: null,
  lists: [],
  doNotContact: null,
  xlsx: null,
};

/** A discovery `a` with these settings, and orders in the form of `requests`. */
const withRequests = (requests: string, run: string) =>
  `${head.replace('service: {', `service: {requests: ${requests}, `)}runs: {a: {kind: discovery, briefing_quantity: 1, ${run}}}`;

describe('parseConfig', () => {
  it('reads a file that leaves out the defaults like one that contains them', () => {
    const short = read(`${head}
exclusions:
  customers: {blacklist: CRM exclusions, csv: lists/exclusions.csv}
runs:
  discover: {kind: discovery, profile: ${profile}, briefing_quantity: 300, exclusions: [customers]}
  enrich: {kind: enrichment, profile: ${profile}, companies: {csv: /data/companies.csv}}
`);
    const long = read(`
service: {base_url: https://api.example.com, api_key: {env: KEY}, blacklists_matched: at_publication, timeout: 30s}
hubspot:
  base_url: https://api.hubapi.com
  token: {env: TOKEN}
  timeout: 30s
  api: {objects: legacy, associations: legacy, properties: legacy, lists: legacy, account: legacy}
  budget: {burst_percent: 95, search_per_second: 4, daily_reserve_percent: 10, concurrency: 8}
  create_properties: true
temporal: {heartbeat_timeout: 30s}
polling: {profile: 2s, order_first: 30s, order_max: 10m, output_first: 5s, output_max: 1m, output_give_up: 2h}
limits: {max_briefings_per_run: 10000}
exclusions:
  customers:
    blacklist: CRM exclusions
    csv: /work/crm/lists/exclusions.csv
    reasons:
      lifecycle_stages: Lifecycle stage {stage}
      open_deals: Open deal
      closed_won: Deal won within {days} days
      lists: HubSpot list {list}
      do_not_contact: Do not contact
      csv: Exclusion file
      xlsx: Exclusion file
    removals: {max_percent: 10, max_entries: 500}
    delta_overlap: 10m
    adopt: false
runs:
  discover:
    kind: discovery
    title: discover
    profile: &profile
      {profile_name: P, ideal_customer_profile: I, target_countries: [DE], output_language: en}
    briefing_quantity: 300
    exclusions: [customers]
    features: [COMPANY_DATA, CONTACTS, ANALYSIS]
    spreadsheets: {directory: /work/crm/out, csv: true, xlsx: true, rows: slot, columns: {}}
    service_outputs: []
    crm: true
  enrich:
    kind: enrichment
    title: enrich
    profile: *profile
    companies: {csv: /data/companies.csv, bad_rows: refuse}
`);
    const shown = (config: object) =>
      JSON.parse(JSON.stringify(config, (key, value) => (key === 'digest' ? null : value)));
    expect(shown(short)).toEqual(shown(long));
    const none = { orderTexts: null, webhookUrl: null, hubspotLists: null, schedule: null };
    expect(short).toMatchObject({
      service: { resultsItems: null },
      hubspot: { portal: { id: null, type: null } },
      ledger: { databaseUrl: null },
      certificates: { key: null, directory: null, otherDirectory: '/work/crm/out' },
      retention: { days: null },
      temporal: { encryption: null },
      mapping: defaultMapping,
      contacts: defaultContactPolicy,
      replies: { secrets: [], key: null, policy: defaultReplyPolicy },
      orderStatus: { secrets: [], key: null },
      exclusions: { customers: { description: null, fullScanEveryMs: null, source: noSource } },
      runs: {
        discover: { ...none, minDeliveredPercent: null, maxWithoutPeoplePercent: null },
        enrich: { ...none, exclusions: [], companies: { sheet: null, headerRow: null, columns: null } },
      },
    });
  });

  it('accepts every setting', () => {
    const config = read(`
service: {base_url: {env: URL}, api_key: {env: KEY}, results_items: slots, timeout: 1.5s}
hubspot:
  base_url: {env: URL}
  token: {env: TOKEN}
  portal_id: 12345678
  account_type: SANDBOX
  timeout: 10s
  api: {objects: 2026-09, associations: 2026-03}
  budget: {burst_percent: 50, search_per_second: 1.5, daily_reserve_percent: 0, concurrency: 2}
  create_properties: false
ledger: {database_url: {env: DB}}
polling: {profile: 500ms, order_first: 1m, order_max: 1h}
exclusions:
  a: {blacklist: A, description: D, hubspot: {lifecycle_stages: [customer]}, reason: R, adopt: true}
runs:
  e:
    kind: enrichment
    profile: ${profile}
    companies: {hubspot: {lifecycle_stages: [lead]}}
    features: [CONTACTS]
    webhook_url: https://hooks.example.com/x
    spreadsheets: {directory: ../files, csv: true, xlsx: false, rows: prospect}
    crm: false
`);
    expect(config.service.baseUrl).toBe('http://localhost:4010');
    expect(config.service).toMatchObject({ resultsItems: 'slots', timeoutMilliseconds: 1_500 });
    expect(config.hubspot).toMatchObject({
      portal: { id: 12_345_678, type: 'SANDBOX' },
      timeoutMilliseconds: 10_000,
      versions: { objects: '2026-09', associations: '2026-03', lists: 'legacy' },
      budget: { burstPercent: 50, searchPerSecond: 1.5, dailyReservePercent: 0, concurrency: 2 },
      createProperties: false,
    });
    expect(config.ledger.databaseUrl?.reveal()).toBe(env.DB);
    expect(config.polling).toEqual({
      profileMilliseconds: 500,
      orderFirstMilliseconds: 60_000,
      orderMaxMilliseconds: 3_600_000,
      outputFirstMilliseconds: 5_000,
      outputMaxMilliseconds: 60_000,
      outputGiveUpMilliseconds: 7_200_000,
    });
    expect(config.exclusions['a']).toMatchObject({
      blacklist: 'A',
      description: 'D',
      source: { ...noSource, lifecycleStages: ['customer'] },
      reasons: { lifecycle_stages: 'R', csv: 'R' },
      adopt: true,
    });
    expect(config.runs['e']).toMatchObject({
      companies: { from: 'hubspot', lifecycleStages: ['lead'] },
      features: ['CONTACTS'],
      webhookUrl: 'https://hooks.example.com/x',
      spreadsheets: { directory: '/work/files', csv: true, xlsx: false, rows: 'prospect', columns: {} },
      crm: false,
    });
  });

  it('takes the id of an existing profile, with texts for the orders of the run', () => {
    const id = '0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11';
    const run = `profile_id: ${id}, order: {target_countries: [DE]}`;
    const { runs } = read(withRequests('{target_countries: send}', run));
    expect(runs['a']).toMatchObject({ profile: { profile_id: id }, orderTexts: { target_countries: ['DE'] } });
  });

  it.each(['ideal_customer_profile: Makers', 'seller_offering: Software', 'target_countries: [DE]'])(
    'refuses the text of an order that is not sent: %s',
    (text) => {
      const [field = ''] = text.split(':');
      const run = `profile: ${profile}, order: {${text}}`;
      expect(refuse(withRequests('{}', run))).toEqual([
        expect.objectContaining({
          field: `runs.a.order.${field}`,
          rule: `is not sent: service.requests.${field} is omit`,
          remedy: `Set service.requests.${field}: send if the service accepts ${field} in an order, or move the text to the profile`,
        }),
      ]);
      expect(brief(refuse(withRequests(`{${field}: "null"}`, run)))).toEqual([
        expect.stringContaining(`runs.a.order.${field}: is not sent: service.requests.${field} is null`),
      ]);
      expect(parse(withRequests(`{${field}: send}`, run)).ok).toBe(true);
    },
  );

  it.each([
    ['{kind: discovery, briefing_quantity: 1}', 'runs.a.profile: is missing'],
    [
      `{kind: discovery, briefing_quantity: 1, profile: ${profile}, profile_id: 0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11}`,
      'runs.a.profile_id: cannot be combined with profile',
    ],
    ['{kind: discovery, briefing_quantity: 1, profile_id: makers}', 'runs.a.profile_id: '],
  ])('rejects the run %s', (run, problem) => {
    expect(brief(refuse(`${head}runs:\n  a: ${run}\n`)).join()).toContain(problem);
  });

  it.each([
    ['certificates: {directory: ~/x}', 'certificates.directory'],
    ['exclusions: {a: {blacklist: B, csv: ~/x.csv}}', 'exclusions.a.csv'],
    ['exclusions: {a: {blacklist: B, xlsx: ~/x.xlsx}}', 'exclusions.a.xlsx'],
    ['replies: {secrets: [{file: ~/x}]}', 'replies.secrets[0].file'],
    [`runs: {a: {kind: enrichment, profile: ${profile}, companies: {csv: ~/x.csv}}}`, 'runs.a.companies.csv'],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {sql: {sqlite: ~/x.db, query: SELECT}}}}`,
      'runs.a.companies.sql.sqlite',
    ],
    [
      `runs: {a: {kind: discovery, briefing_quantity: 1, profile: ${profile}, spreadsheets: {directory: ~}}}`,
      'runs.a.spreadsheets.directory',
    ],
    [
      `runs: {a: {kind: discovery, briefing_quantity: 1, profile: ${profile}, spreadsheets: {directory: ~/out}}}`,
      'runs.a.spreadsheets.directory',
    ],
  ])('refuses a path that only a shell expands, and one of another system: %s', (text, field) => {
    expect(refuse(head + text)).toMatchObject([{ field }]);
    // Quoted, since a backslash in flow syntax is part of the text.
    for (const path of ["'C:\\Users\\anna\\x'", "'out\\x'", 'D:/x', "'\\\\server\\x'"])
      expect(rulesOf(refuse(head + text.replace(/~[^},\]]*/, path)))).toEqual([
        `${field}: must be a path of this system: backslashes and drive letters are those of Windows; write it with /`,
      ]);
    expect(parse(head + text.replace(/~[^},\]]*/, "'out/Q1: Nord (2)'"))).toMatchObject({ ok: true });
  });

  it('lets runs share a profile with an alias or a merge key', () => {
    const config = read(`${head}
runs:
  a: {kind: discovery, briefing_quantity: 1, profile: &p ${profile}}
  b: {kind: discovery, briefing_quantity: 1, profile: {<<: *p, profile_name: Q}}
`);
    expect(config.runs['b']?.profile).toMatchObject({ profile_name: 'Q', target_countries: ['DE'] });
  });

  it('never prints secrets', () => {
    const config = read(head);
    expect(config.service.apiKey.reveal()).toBe('service-key-1');
    for (const printed of [
      JSON.stringify(config),
      inspect(config, { depth: 9, showHidden: true }),
      config.hubspot.token.toString(),
    ])
      expect(printed).not.toMatch(/service-key-1|hubspot-token-1/);
    expect(JSON.parse(JSON.stringify(config))).toMatchObject({ service: { apiKey: '***' } });
  });

  it('reports all problems at once, in the order of the text, each with line, column and path', () => {
    const problems = refuse(
      `service:
  base_url: ftp://example.com
  api_kye: {env: KEY}
hubspot:
  token: {env: MISSING}
polling: {order_first: 5, order_max: 2d}
exclusions:
  Customers: {blacklist: A, csv: a.csv}
  leads:
    blacklist: ""
runs:
  first:
    kind: discovery
    profile: {ideal_customer_profile: I, target_countries: [], company_size_min: 0}
    briefing_quantity: 1.5
    exclusions: [lead]
    crm: maybe
  second:
    kind: enrichment
    profile: ${profile}
    companies: {csv: a.csv, hubspot: {lifecycle_stages: [lead]}}
    briefing_quantity: 3
  third:
    kind: enrich
  fourth: 5
`,
    );
    expect(brief(problems)).toEqual([
      '1:1 service.api_key: is missing, must be {env: NAME}',
      '2:13 service.base_url: must be an http or https address',
      '3:3 service.api_kye: there is no such setting',
      '5:16 hubspot.token.env: environment variable MISSING is not set',
      '6:24 polling.order_first: must be a duration such as 500ms, 2s, 10m or 1h; write 5s, 5m or 5h',
      '6:38 polling.order_max: must lie between 1ms and 24h',
      '8:3 exclusions.Customers: a name consists of a-z, 0-9 and -',
      '9:3 exclusions.leads: needs a source',
      '10:16 exclusions.leads.blacklist: at least 1 character',
      '14:5 runs.first.profile.profile_name: is missing, must be a text',
      '14:60 runs.first.profile.target_countries: at least 1 item',
      '14:82 runs.first.profile.company_size_min: must be above 0',
      '15:24 runs.first.briefing_quantity: must be a whole number',
      '16:18 runs.first.exclusions[0]: exclusions has no "lead"',
      '17:10 runs.first.crm: must be true or false',
      '21:5 runs.second.companies: needs exactly one source',
      '22:5 runs.second.briefing_quantity: there is no such setting',
      '24:11 runs.third.kind: must be one of discovery, enrichment',
      '25:11 runs.fourth: must be a map of settings',
    ]);
    const byField = new Map(problems.map((problem) => [problem.field, problem]));
    expect(byField.get('service.api_kye')?.remedy).toBe('Did you mean api_key?');
    expect(byField.get('runs.first.exclusions[0]')?.remedy).toBe('Did you mean leads?');
    expect(byField.get('runs.second.briefing_quantity')?.remedy).toBe('It belongs to runs of kind discovery');
    expect(byField.get('runs.third.kind')?.found).toBe('"enrich"');
    expect(byField.get('runs.first.briefing_quantity')).toMatchObject({
      found: '1.5',
      remedy: 'Meaning: For discovery: number of qualified companies to order, a whole number above 0',
    });
  });

  it.each([
    ['mapping: {company_tasks: {NO_PEOPLE_FOUND: " "}}', '', 'mapping.company_tasks.NO_PEOPLE_FOUND'],
    ['mapping: {company_notes: {NO_PEOPLE_FOUND: " "}}', '', 'mapping.company_notes.NO_PEOPLE_FOUND'],
    ['mapping: {companies: {x: {value: " "}}}', '', 'mapping.companies.x.value'],
    ['exclusions: {a: {blacklist: "  ", csv: a.csv}}', '', 'exclusions.a.blacklist'],
    ['exclusions: {a: {blacklist: A, description: " ", csv: a.csv}}', '', 'exclusions.a.description'],
    ['exclusions: {a: {blacklist: A, reason: " ", csv: a.csv}}', '', 'exclusions.a.reason'],
    ['', 'title: " "', 'runs.weekly.title'],
    ['', 'hubspot_lists: {companies: " "}', 'runs.weekly.hubspot_lists.companies'],
    ['', 'order: {seller_offering: " "}', 'runs.weekly.order.seller_offering'],
  ])('rejects a blank text: %s%s', (section, setting, field) => {
    const problems = refuse(
      `${head}${section}\nruns:\n  weekly:\n    kind: discovery\n    briefing_quantity: 1\n    profile: ${profile}\n    ${setting}\n`,
    );
    expect(rulesOf(problems)).toContainEqual(
      expect.stringMatching(new RegExp(`^${field}: (?:must not be blank|must be a text of .* that is not blank)`)),
    );
  });

  it.each(['.prospect-sync', './.prospect-sync/out', '/srv/crm/.prospect-sync'])(
    'rejects %s as a folder of results: it is that of the ledger',
    (folder) => {
      const run = `kind: discovery, briefing_quantity: 1, profile: ${profile}, spreadsheets: {directory: ${folder}}`;
      const problems = refuse(`${head}certificates: {directory: ${folder}}\nruns: {a: {${run}}}\n`);
      const rule = 'must not be in .prospect-sync, the folder of the ledger; write another one, such as out';
      expect(rulesOf(problems)).toEqual([`certificates.directory: ${rule}`, `runs.a.spreadsheets.directory: ${rule}`]);
    },
  );

  it('lists the known settings when an unknown one resembles none of them', () => {
    const [problem] = refuse(`${head}polling: {frequency: 2s}\n`);
    expect(problem).toMatchObject({
      field: 'polling.frequency',
      remedy: 'Known here: profile, order_first, order_max, output_first, output_max, output_give_up',
    });
  });

  it.each([
    [
      'a literal key',
      'service: {base_url: https://a.example, api_key: sk-live-secret}\nhubspot: {token: {env: TOKEN}}',
    ],
    [
      'a literal in place of a name',
      'service: {base_url: https://a.example, api_key: {env: sk-live-secret}}\nhubspot: {token: {env: TOKEN}}',
    ],
    [
      'a key in the address',
      'service: {base_url: sk-live-secret, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}',
    ],
    ['a key as the whole section', 'service: sk-live-secret\nhubspot: {token: {env: TOKEN}}'],
    ['a key under an unknown setting', `${head}secrets: sk-live-secret`],
    ['a literal database address', `${head}ledger: {database_url: "postgres://u:sk-live-secret@db/x"}`],
    ['a key in a broken line', `${head}token: "x" sk-live-secret`],
    ['a key after a stray bracket', `${head}]sk-live-secret`],
    ['a key as a tag', `${head}token: !sk-live-secret x`],
    ['a key in a block header', `${head}token: |sk-live-secret\n x`],
    ['a key as an alias', `${head}token: *sk-live-secret`],
  ])('rejects %s without repeating it', (_, text) => {
    const problems = refuse(text);
    expect(problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(problems)).not.toContain('sk-live-secret');
  });

  it('shows where a literal secret belongs', () => {
    const [problem] = refuse('service: {base_url: https://a.example, api_key: sk-1}\nhubspot: {token: {env: TOKEN}}');
    expect(problem).toMatchObject({
      line: 1,
      column: 49,
      field: 'service.api_key',
      rule: 'must be {env: NAME}',
      found: 'a text',
    });
    expect(problem?.remedy).toContain('put it into an environment variable');
  });

  it.each([
    [{ ...env, TOKEN: undefined }, 'hubspot.token.env: environment variable TOKEN is not set'],
    [{ ...env, TOKEN: '' }, 'hubspot.token.env: environment variable TOKEN is empty'],
    [
      { ...env, TOKEN: 'copied-with-line-break\n' },
      'hubspot.token.env: environment variable TOKEN must hold plain characters without white space',
    ],
    [
      { ...env, URL: 'localhost' },
      'service.base_url.env: environment variable URL must hold an http or https address without a password, a query (?) and a fragment (#)',
    ],
    [
      { ...env, DB: 'mysql://db/x' },
      'ledger.database_url.env: environment variable DB must hold a postgres:// address',
    ],
  ])('checks the values of environment variables without printing them (%#)', (variables, expected) => {
    const problems = refuse(
      'service: {base_url: {env: URL}, api_key: {env: KEY}}\nhubspot: {token: {env: TOKEN}}\nledger: {database_url: {env: DB}}',
      variables,
    );
    expect(rulesOf(problems)).toEqual([expected]);
    expect(JSON.stringify(problems)).not.toMatch(/copied-with|localhost|mysql:/);
  });

  it.each([
    ['polling: {order_first: 20m}', 'polling.order_first: order_max must not be below order_first'],
    ['polling: {order_first: 10s, order_max: 5s}', 'polling.order_max: order_max must not be below order_first'],
    ['polling: {output_first: 2m}', 'polling.output_first: output_max must not be below output_first'],
    ['polling: {profile: 0s}', 'polling.profile: must lie between 1ms and 24h'],
    ['polling: {profile: 25h}', 'polling.profile: must lie between 1ms and 24h'],
    [
      'exclusions: {a: {blacklist: X, csv: a}, b: {blacklist: X, csv: b}}',
      'exclusions.b.blacklist: is already the blacklist of exclusions.a',
    ],
    [`exclusions: {a: {blacklist: ${'x'.repeat(501)}, csv: a}}`, 'exclusions.a.blacklist: at most 500 characters'],
    [
      `exclusions: {a: {blacklist: X, csv: a, reason: ${'x'.repeat(2001)}}}`,
      'exclusions.a.reason: at most 2,000 characters',
    ],
    [
      `runs: {a: {kind: discovery, profile: ${profile}, briefing_quantity: 1, webhook_url: http://a.example}}`,
      'runs.a.webhook_url: must be an https address',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {hubspot: {lifecycle_stages: [x]}, external_ids: other}}}`,
      'runs.a.companies.external_ids: goes with csv, xlsx or sql only',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {csv: a.csv, sheet: Leads}}}`,
      'runs.a.companies.sheet: goes with xlsx only',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {csv: a.csv, columns: {company_name: Firma, website_url: firma}}}}`,
      'runs.a.companies.columns.website_url: has the same column as company_name',
    ],
    [
      'exclusions: {a: {blacklist: X, csv: a.csv, columns: {company_name: Firma, ignore: [Firma]}}}',
      'exclusions.a.columns.company_name: has the same column as ignore',
    ],
    [
      'exclusions: {a: {blacklist: X, csv: a.csv, xlsx: a.xlsx, header_row: 2}}',
      'exclusions.a.header_row: goes with one file only',
    ],
    [
      'exclusions: {a: {blacklist: X, hubspot: {lifecycle_stages: [x]}, columns: {company_name: Firma}}}',
      'exclusions.a.columns: goes with csv or xlsx only',
    ],
    [
      `runs: {a: {kind: discovery, profile: ${profile}, briefing_quantity: 1, expect: {min_delivered: 120%}}}`,
      'runs.a.expect.min_delivered: must be a percentage from 0% to 100%, such as 80%',
    ],
    [
      `runs: {a: {kind: discovery, profile: ${profile}, briefing_quantity: 1, expect: {min_delivered: 0.8}}}`,
      'runs.a.expect.min_delivered: must be a percentage from 0% to 100%, such as 80%; write 80%',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {hubspot: {filter_groups: [{filters: [{propertyName: country, operator: IN, value: a}]}]}}}}`,
      'runs.a.companies.hubspot.filter_groups[0].filters[0]: country IN needs values',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {hubspot: {filter_groups: [{filters: [{propertyName: n, operator: BETWEEN, value: '1'}]}]}}}}`,
      'runs.a.companies.hubspot.filter_groups[0].filters[0]: n BETWEEN needs highValue',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {hubspot: {filter_groups: [{filters: [{propertyName: n, operator: BETWEEN, value: '500', highValue: '50'}]}]}}}}`,
      'runs.a.companies.hubspot.filter_groups[0].filters[0].highValue: is below value, 500',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {hubspot: {filter_groups: [{filters: [{propertyName: domain, operator: EQ, value: 'https://www.anker.example'}]}]}}}}`,
      'runs.a.companies.hubspot.filter_groups[0].filters[0].value: is a web address, and domain has domains only',
    ],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {hubspot: {filter_groups: [{filters: [{propertyName: name, operator: IN, values: [anker, 'anker ']}]}]}}}}`,
      'runs.a.companies.hubspot.filter_groups[0].filters[0].values: has blanks around it, which HubSpot compares too',
    ],
    [`runs: {a: {kind: enrichment, profile: ${profile}, companies: {}}}`, 'runs.a.companies: needs exactly one source'],
    [
      `runs: {a: {kind: enrichment, profile: ${profile}, companies: {csv: a.csv, xlsx: a.xlsx}}}`,
      'runs.a.companies: needs exactly one source',
    ],
    ['runs: {a: {}}', 'runs.a.kind: is missing, must be one of discovery, enrichment'],
    [
      'service: {base_url: "https://a.example/api/v1/"}',
      'service.base_url: must not end with /api/v1, which every request adds',
    ],
    ['service: {base_url: "https://user:pw@a.example"}', 'service.base_url: must not hold a user name or password'],
    [
      'service: {base_url: "https://a.example/x?key=1"}',
      'service.base_url: must not hold a query (?) or a fragment (#), because every request adds its path',
    ],
    ['runs: []', 'runs: must be a map of names'],
    [
      'runs: {a: {kind: discovery, briefing_quantity: 1, crm: false, spreadsheets: {csv: false, xlsx: false}, profile: {profile_name: A, ideal_customer_profile: B, target_countries: [Germany]}}}',
      'runs.a: delivers its results nowhere',
    ],
    ['? {a: 1}\n: 2', '{ a: 1 }: there is no such setting'],
  ])('rejects %.60s', (text, expected) => {
    expect(rulesOf(refuse(text.startsWith('service') ? text : `${head}${text}\n`))).toContain(expected);
  });

  it('rejects plain http to another machine unless it is allowed, for every address', () => {
    const rule = 'must be https: plain http to another machine exposes the key and the data on the network';
    const both = (service: string, hubspot: string) =>
      `service: {base_url: ${service}, api_key: {env: KEY}}\nhubspot: {base_url: ${hubspot}, token: {env: TOKEN}}`;
    const variables = { ...env, URL: 'http://api.internal:8080/x' };
    const problems = refuse(both('http://api.example.com', '{env: URL}'), variables);
    expect(rulesOf(problems)).toEqual([
      `service.base_url: ${rule}`,
      `hubspot.base_url.env: environment variable URL ${rule}`,
    ]);
    expect(problems[0]?.remedy).toBe(
      'Write https://, or set service.allow_http: true if you trust the network in between',
    );
    expect(JSON.stringify(problems)).not.toMatch(/api\.internal|example\.com/);
    const allowed = both('http://api.example.com, allow_http: true', '{env: URL}, allow_http: true');
    expect(read(allowed, variables).service.baseUrl).toBe('http://api.example.com');
    expect(refuse(allowed.replace('allow_http: true, token', 'allow_http: false, token'), variables)).toHaveLength(1);
  });

  it.each([
    'http://127.0.0.1:4010',
    'http://127.1.2.3',
    'http://[::1]:4010',
    'http://localhost:4010',
    'https://a.example',
  ])('accepts %s', (address) =>
    expect(read(head.replace('https://api.example.com', `"${address}"`)).service.baseUrl).toBe(address),
  );

  it.each([
    'http://127.0.0.1.nip.io',
    'http://localhost.example',
    'HTTP://a.example',
    'http://0.0.0.0',
    'http://10.0.0.1',
  ])('rejects %s', (address) =>
    expect(brief(refuse(head.replace('https://api.example.com', `"${address}"`)))).toEqual([
      expect.stringContaining('service.base_url: must be https'),
    ]),
  );

  it('rejects exclusions that are repeated or more than an order allows', () => {
    const names = Array.from({ length: 101 }, (_, index) => `x${index}`);
    const text = `${head}
exclusions: {${names.map((name) => `${name}: {blacklist: ${name}, csv: a}`).join(', ')}}
runs:
  many: {kind: discovery, profile: ${profile}, briefing_quantity: 1, exclusions: [${names.join(', ')}]}
  twice: {kind: discovery, profile: ${profile}, briefing_quantity: 1, exclusions: [x1, x1]}
`;
    expect(refuse(text)).toMatchObject([
      { field: 'runs.many.exclusions', rule: 'at most 100 items', found: 'a list of 101' },
      { field: 'runs.twice.exclusions[1]', rule: 'is named twice' },
    ]);
  });

  it.each([
    ['', 1, 'the file is empty'],
    ['# nothing but a remark\n', 1, 'the file is empty'],
    [`${head}runs: {a: [}\n`, 3, 'is not valid YAML'],
    [`${head}runs:\n\ta:\n\t\tkind: discovery\n`, 4, 'is not valid YAML: tabs are not allowed as indentation'],
    [`${head}runs: *none\npolling: *nothing\n`, 3, 'an alias (*name) has no anchor (&name) above it'],
    [`${head}runs: !env X\n`, 3, 'is not valid YAML'],
    [`${head}runs:\n  a: {kind: "discovery}\n  b: 1\n`, 4, 'the quote that begins here is not closed'],
    [`${head}x:\n  - Germany\n  -Austria\n`, 5, 'a space is missing after -'],
    [
      `a: &a [x, x]\n${'bcdefgh'
        .split('')
        .map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[index]}`).join(', ')}]`)
        .join('\n')}`,
      1,
      'aliases',
    ],
  ])('reports invalid YAML (%#)', (text, line, rule) => {
    const problems = refuse(text);
    expect(problems[0]).toMatchObject({ line, field: '' });
    expect(problems[0]?.rule).toContain(rule);
  });

  it('names characters that look like spaces and quotes in a file with problems, with line and column', () => {
    const text = head
      .replace('service: {', 'service:\n\u00A0\u00A0x: {')
      .replace(/\n$/, '\npolling: {order_max: \u201C5m\u201D}\n');
    expect(brief(refuse(text))).toEqual(
      expect.arrayContaining([
        '2:1 : has the character U+00A0 in its indentation, which is no space in YAML',
        expect.stringMatching(/^\d+:22 : has the character U\+201C, which is no quote in YAML$/),
      ]),
    );
    // In the middle of a text, and in a file without problems, they are allowed.
    expect(parse(`${head}runs: {}\n# \u201Cquoted\u201D\n`).ok).toBe(true);
  });

  it.each([
    ['runs:\n  my-run\uFF1A {kind: discovery}\n', 'has the character U+FF1A, which is no colon in YAML'],
    ['polling\uFF1A {order_max: 5m}\n', 'has the character U+FF1A, which is no colon in YAML'],
    ['polling:\u00A0{order_max: 5m}\n', 'has the character U+00A0, which is no space in YAML'],
    ['polling\u00A0: {order_max: 5m}\n', 'has the character U+00A0, which is no space in YAML'],
    ['polling:\n  order_max:5m\n', 'has no space after a colon'],
  ])('names what keeps a line from being a setting: %j', (text, rule) => {
    expect(refuse(head + text).map((problem) => problem.rule)).toEqual([rule]);
    expect(refuse(`${head}${text}ledger: {}\n`).map((problem) => problem.rule)).toEqual([rule]);
  });

  it('reports a repeated key and its first position, and accepts repeated merge keys', () => {
    const profiled = (name: string) => `  ${name}: {kind: discovery, briefing_quantity: 1, profile: ${profile}}\n`;
    const [problem, ...more] = refuse(`${head}runs:\n${profiled('weekly')}${profiled('daily')}${profiled('weekly')}`);
    expect(problem).toMatchObject({ line: 6, column: 3, field: 'runs.weekly', found: null });
    expect(problem?.rule).toBe('is a repeated key: line 4 already has it');
    expect(more).toEqual([]);
    const twice = refuse(`${head}runs: {}\nruns: {}\n`);
    expect(twice).toMatchObject([{ line: 4, field: 'runs' }]);
    const merged = `a: &a {x: 1}\nb: &b {y: 2}\nc: {<<: *a, <<: *b}\n`;
    expect(refuse(merged).filter(({ rule }) => rule.includes('second time'))).toEqual([]);
  });

  it('reports the position of the text that an alias refers to when that is invalid', () => {
    const problems = refuse(`${head}runs:
  a: {kind: discovery, briefing_quantity: 1, profile: &p {profile_name: P, ideal_customer_profile: I, target_countries: 5}}
  b: {kind: discovery, briefing_quantity: 1, profile: *p}
`);
    expect(problems.map(({ line, column, field }) => [line, column, field])).toEqual([
      [4, 121, 'runs.a.profile.target_countries'],
      [4, 121, 'runs.b.profile.target_countries'],
    ]);
  });

  it('reports the position of the alias when its text lacks a setting', () => {
    const problems = refuse(`${head}runs:
  a: {kind: discovery, briefing_quantity: 1, profile: &p {profile_name: P, ideal_customer_profile: I}}
  b: {kind: discovery, briefing_quantity: 1, profile: *p}
`);
    expect(problems.map(({ line, field }) => [line, field])).toEqual([
      [4, 'runs.a.profile.target_countries'],
      [5, 'runs.b.profile.target_countries'],
    ]);
  });

  it('rejects a quantity above limits.max_briefings_per_run once, with field, limit, value and remedy', () => {
    const runs = (quantity: string) =>
      `${head}runs:\n  a: {kind: discovery, profile: ${profile}, briefing_quantity: ${quantity}}\n`;
    const refused = formatProblems({ problems: refuse(runs('1000000000')), more: 0 }, 'prospect-sync.yaml');
    expect(refused).toBe(
      'prospect-sync.yaml:4:122 runs.a.briefing_quantity: at most 10,000 (limits.max_briefings_per_run), found 1,000,000,000. Order fewer companies, or raise limits.max_briefings_per_run',
    );
    expect(read(runs('10000')).runs['a']).toMatchObject({ briefingQuantity: 10_000 });
    expect(brief(refuse(`${runs('51')}limits: {max_briefings_per_run: 50}\n`))).toEqual([
      expect.stringContaining('at most 50 (limits.max_briefings_per_run)'),
    ]);
    const raised = read(`${runs('10001')}limits: {max_briefings_per_run: 20000}\n`);
    expect(raised.limits).toMatchObject({ maxBriefingsPerRun: 20_000 });
    // A limit is not what a run does: schedules that are applied stay as they are.
    expect(read(`${runs('5')}limits: {max_briefings_per_run: 6}\n`).runs['a']?.digest).toBe(
      read(runs('5')).runs['a']?.digest,
    );
    expect(brief(refuse(`${runs('20000')}limits: {max_briefings_per_run: none}\n`))).toEqual([
      expect.stringContaining('limits.max_briefings_per_run: must be a number'),
    ]);
  });

  it('returns a configuration or problems within the text for any text, and never throws', () => {
    const lines = fc.constantFrom(
      'service:',
      '  base_url: 5',
      '  api_key: {env: KEY}',
      'runs:',
      '  a: *b',
      '  - 1',
      '? {}',
      '\t',
      ': x',
      '&b c',
      'polling: {',
      '"',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(lines).map((parts) => parts.join('\n')),
        ),
        (text) => {
          const parsed = parse(text);
          if (parsed.ok) return;
          expect(parsed.problems.length).toBeGreaterThan(0);
          const last = text.split('\n').length;
          for (const { line, column } of parsed.problems) {
            expect(line).toBeGreaterThanOrEqual(1);
            expect(line).toBeLessThanOrEqual(last);
            expect(column).toBeGreaterThanOrEqual(1);
          }
        },
      ),
    );
  });
});
