import { findConfigurationWarnings } from '../../src/config/configuration-warnings.ts';
import { configJsonSchema } from '../../src/config/file-schema.ts';
import { brief, head as plainHead, profile, read, refuse } from './config-harness.ts';
import { exampleCustomer } from '../../src/config/profile-settings.ts';

/** Orders carry their texts. */
const head = plainHead.replace(
  'service: {',
  'service: {requests: {ideal_customer_profile: send, target_countries: send}, ',
);

const run = (name: string, countries: string, more = '') =>
  `  ${name}: {kind: discovery, briefing_quantity: 1, ${more}profile: {profile_name: P, ideal_customer_profile: I, target_countries: ${countries}}}\n`;
const enrichment = (name: string, countries: string) =>
  `  ${name}: {kind: enrichment, companies: {csv: a.csv}, profile: {profile_name: P, ideal_customer_profile: I, target_countries: ${countries}}}\n`;
const warnings = (...runs: string[]) => findConfigurationWarnings(read(`${head}runs:\n${runs.join('')}`));

describe('target_countries', () => {
  it.each([
    [
      '[Germny]',
      '"Germny", which is no country that is known here: the service may find nothing. Did you mean Germany?',
    ],
    ['[Bavaria]', '"Bavaria", which is no country that is known here: the service may find nothing'],
    ['[Berlin]', '"Berlin", which is no country that is known here: the service may find nothing'],
    ['[DACH]', '"DACH", which is no single country. List its countries'],
    ['[EU]', '"EU", which is no single country. List its countries'],
    ['[All except Germany]', '"All except Germany", which is no single country. List its countries'],
    ['[Germany, Deutschland]', 'Germany 2 times: "Germany", "Deutschland". Write it once'],
    ['[DE]', '"DE": the specification of the service does not say that it takes codes. Write "Germany"'],
    ['[NO]', '"NO": the specification of the service does not say that it takes codes. Write "Norway"'],
    ['[D]', '"D": the specification of the service does not say that it takes codes. Write the name of the country'],
    [
      '[AUT]',
      '"AUT": the specification of the service does not say that it takes codes. Write the name of the country',
    ],
    ['[Korea]', '"Korea", which may be taken for another place. Write South Korea or North Korea'],
    ['[Kongo]', '"Kongo", which may be taken for another place. Write Congo - Kinshasa or Congo - Brazzaville'],
    [
      '[Georgia]',
      '"Georgia", which may be taken for another place. Write United States if the state there is meant, and keep Georgia for the country in the Caucasus',
    ],
  ])('warns of %s', (countries, expected) => {
    expect(warnings(run('a', countries))).toEqual([`runs.a.profile.target_countries has ${expected}`]);
    const order = `profile_id: 0d5f3c9e-4a3e-4b55-9c0a-1f1f8d5a7b11, order: {target_countries: ${countries}}`;
    expect(warnings(`  a: {kind: discovery, briefing_quantity: 1, ${order}}\n`)).toEqual([
      `runs.a.order.target_countries has ${expected}`,
    ]);
  });

  it.each([
    'Germany',
    'germany',
    'Deutschland',
    'Österreich',
    'USA',
    'UK',
    'Trinidad and Tobago',
    'Trinidad & Tobago',
    'Bosnia and Herzegovina',
    '"Moldova, Republic of"',
    '"Iran, Islamic Republic of"',
    '"Taiwan, Province of China"',
    '"Korea, Republic of"',
  ])('takes %s as one country', (country) => {
    expect(warnings(run('a', `[${country}]`))).toEqual([]);
  });

  it.each([
    ['Germany, Austria', '[Germany, Austria]'],
    ['Germany,Austira', '[Germany, Austira]'],
    ['Deutschland; Österreich; Schweiz', '[Deutschland, Österreich, Schweiz]'],
    ['Germany / Austria and Switzerland', '[Germany, Austria, Switzerland]'],
    ['DE, AT', '[DE, AT]'],
    ['Germany Austria', '[Germany, Austria]'],
  ])('refuses "%s" in one text, and prints the list', (text, list) => {
    const problems = refuse(`${head}runs:\n${run('a', `[Italy, "${text}"]`)}`);
    expect(problems).toEqual([
      expect.objectContaining({
        field: 'runs.a.profile.target_countries[1]',
        rule: 'has several countries in one text',
        remedy: `Write one country in each text: ${list}`,
      }),
    ]);
    expect(brief(refuse(`${head}runs:\n${run('a', '[Italy]', `order: {target_countries: ["${text}"]}, `)}`))).toEqual([
      expect.stringContaining('runs.a.order.target_countries[0]: has several countries in one text'),
    ]);
  });
});

describe('discoveries with the same search profile', () => {
  const expected = [
    'runs a, b are discoveries with the same search profile: each may buy the companies of the others again. If that is not intended, change the profile, or delete the runs that you do not need',
  ];

  it('are named, an enrichment of that profile is not', () => {
    const runs = [run('a', '[Italy]'), run('b', '[Italy]'), run('c', '[Spain]'), enrichment('d', '[Spain]')];
    expect(warnings(...runs)).toEqual(expected);
    const config = read(`${head}runs:\n${runs.join('')}`);
    expect(findConfigurationWarnings(config, 'b')).toEqual(expected);
    expect(findConfigurationWarnings(config, 'c')).toEqual([]);
  });
});

describe('runs with the same title', () => {
  it('are named: orders are found by their titles', () => {
    const runs = [run('a', '[Italy]', 'title: Q4, '), run('b', '[Spain]', 'title: Q4, '), run('c', '[France]')];
    const config = read(`${head}runs:\n${runs.join('')}`);
    expect(findConfigurationWarnings(config)).toEqual([
      'runs a, b have the same title "Q4": an order whose answer was lost, or that the ledger does not have, is found by its title, and may be taken for that of the other run. Give each run its own title',
    ]);
    expect(findConfigurationWarnings(config, 'c')).toEqual([]);
    // The title of a run without one is its name.
    expect(warnings(run('a', '[Italy]'), run('b', '[Spain]', 'title: a, '))).toHaveLength(1);
    expect(warnings(run('a', '[Italy]', 'title: A, '), run('b', '[Spain]', 'title: B, '))).toEqual([]);
  });
});

/** Without the one about discoveries that have a schedule and no exclusion. */
const settingWarnings = (text: string, start = head) =>
  findConfigurationWarnings(read(`${start}${text}`)).filter((each) => !each.includes('schedule orders companies'));

/** Names of the settings that the schema describes as a percentage. */
function percentageSettings(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(/percentage/i.test((value as { description?: unknown } | null)?.description?.toString() ?? '') ? [name] : []),
    ...percentageSettings(value),
  ]);
}

describe('a percentage that may be meant as a share', () => {
  const run = (expect: string) =>
    `runs: {a: {kind: discovery, briefing_quantity: 1, exclusions: [e], expect: {${expect}}, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Italy]}}}\nexclusions: {e: {blacklist: B, csv: e.csv}}`;
  const expectation = (setting: string) => settingWarnings(run(setting));
  const removals = (setting: string) =>
    settingWarnings(run('').replace('csv: e.csv', `csv: e.csv, removals: {${setting}}`));
  const budget = (setting: string) => settingWarnings('', head.replace('{token:', `{budget: {${setting}}, token:`));
  const cases: [setting: string, warningsOf: (setting: string) => string[], path: string, written?: string][] = [
    ['min_delivered', expectation, 'runs.a.expect', '0.1%'],
    ['max_without_people', expectation, 'runs.a.expect', '0.1%'],
    ['max_percent', removals, 'exclusions.e.removals'],
    ['daily_reserve_percent', budget, 'hubspot.budget'],
  ];

  it.each(cases)('is named, with the percentage: %s', (setting, warningsOf, path, written = '0.1') => {
    expect(warningsOf(`${setting}: ${written}`)).toEqual([`${path}.${setting} is below 1%. Did you mean 10%?`]);
    for (const meant of ['10', '1', '0']) expect(warningsOf(`${setting}: ${meant}${written.slice(3)}`)).toEqual([]);
  });

  it('is judged in every setting that is a percentage', () => {
    const names = new Set(percentageSettings(configJsonSchema()));
    expect([...names].toSorted()).toEqual(['burst_percent', ...cases.map(([setting]) => setting)].toSorted());
    expect(brief(refuse(head.replace('{token:', '{budget: {burst_percent: 0.95}, token:')))).toEqual([
      expect.stringContaining('hubspot.budget.burst_percent: at least 1'),
    ]);
  });
});

describe('webhook_url', () => {
  const path = (run: string) =>
    `runs.${run}.webhook_url does not end with /order-status, the only path of prospect-sync receive for notifications of orders. Correct the address`;
  const secrets = (run: string) =>
    `runs.${run}.webhook_url needs order_status.secrets: without it, prospect-sync receive verifies no notification of an order. Name the signing secret of this address, unless another program receives them`;
  it.each([
    ['/replies', false, [path('a'), secrets('a')]],
    ['/geheim', false, [secrets('a')]],
    ['/order-status', false, [secrets('a')]],
    ['/replies', true, [path('a')]],
    ['', true, [path('a')]],
    ['/order-status', true, []],
    ['/crm/order-status/', true, []],
    ['/order-status?token=x', true, []],
  ])('with the path %s, and order_status.secrets: %s', (end, hasSecret, expected) => {
    const url = `webhook_url: "https://hooks.example.com${end}", `;
    const section = hasSecret ? 'order_status: {secrets: [{file: order-status-secret}]}\n' : '';
    const text = `${head}${section}runs:\n${run('a', '[Italy]', url)}${run('b', '[Spain]')}`;
    const found = findConfigurationWarnings(read(text));
    expect(found).toEqual(expected);
    expect(found.join()).not.toContain('geheim');
  });
});

describe('a setting that is probably not meant', () => {
  const runOf = (more: string, profile = '') =>
    `runs: {a: {kind: discovery, briefing_quantity: 1, ${more}profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Italy], ${profile}}}}`;
  it.each([
    [
      `retention: {days: 1}\n${runOf('')}`,
      'retention.days is 1: data of an order are erased a day after it, and its files and records can then neither be written nor compared again. If that is not meant, write 365',
    ],
    [runOf('title: "{order.title} May", '), 'runs.a.title is sent as it is: no field is filled in'],
    [runOf('title: "<NAME>", '), 'runs.a.title is sent as it is: no field is filled in'],
    [
      runOf('schedule: {every: 6h, jitter: 6h}, '),
      'runs.a.schedule.jitter is not below every: starts can come in another order, or together',
    ],
    [
      runOf('schedule: {cron: "0 6 * * 1", timezone: Etc/GMT+1}, '),
      'runs.a.schedule.timezone is Etc/GMT+1, which is UTC-1: the sign of these names is inverted. Write a place, such as Europe/Berlin',
    ],
    [
      runOf('schedule: {cron: "0 6 * * 1", timezone: EST}, '),
      'runs.a.schedule.timezone is EST, which has no summer time. Write a place, such as America/New_York',
    ],
    [
      runOf('', 'target_industries: [Retail], excluded_industries: [retail, Banks]'),
      'runs.a.profile.excluded_industries has "retail", which is in target_industries too',
    ],
    [
      runOf('', 'contact_roles: [CEO / CFO, Head of IT]'),
      'runs.a.profile.contact_roles has "CEO / CFO". Write one role, such as Head of IT, in each text',
    ],
    [runOf('', 'output_language: ger'), 'runs.a.profile.output_language is "ger". Write de'],
    [
      runOf('order: {ideal_customer_profile: "TODO: describe"}, '),
      'runs.a.order.ideal_customer_profile is a placeholder. Describe the companies',
    ],
    [
      runOf(`order: {ideal_customer_profile: "${exampleCustomer} that sell"}, `),
      'runs.a.order.ideal_customer_profile is the example that init has written. Describe the companies that you want',
    ],
    ...[
      ['hubspot_lists: {contacts: People}', 'hubspot_lists.contacts'],
      ['spreadsheets: {rows: prospect}', 'spreadsheets.rows'],
      ['expect: {max_without_people: 5%}', 'expect.max_without_people'],
    ].map(([setting = '', path = '']): [string, string] => [
      runOf(`features: [COMPANY_DATA], ${setting}, `),
      `runs.a.${path} is about people, and features (COMPANY_DATA) orders none. Add CONTACTS, or remove the setting`,
    ]),
    [
      runOf('spreadsheets: {columns: {Mail: prospect.email}}, '),
      'runs.a.spreadsheets.columns has Mail, a field of people, and spreadsheets.rows is slot: each row has one person of the company, whatever their number. For a row for each person, write rows: prospect',
    ],
    [
      runOf('schedule: {every: 7d, cron: "0 6 * * 1"}, '),
      'runs.a.schedule.every adds its starts to those of cron and calendars. If only one of them is meant, remove the other',
    ],
    [
      runOf('schedule: {cron: "0 6 * * *", calendars: [{day_of_week: MON-FRI}]}, '),
      'runs.a.schedule.calendars adds its starts to those of cron, at midnight where it names no hour. If only one of them is meant, remove the other',
    ],
    [
      runOf('schedule: {every: 1d, timezone: Europe/Berlin}, '),
      'runs.a.schedule.timezone has no effect on every, which is counted from 1970-01-01 UTC. For local times, write cron or calendars',
    ],
    [
      runOf('', 'target_industries: ["Retail, Banks"]'),
      'runs.a.profile.target_industries has "Retail, Banks". Write one industry in each text',
    ],
    [
      `runs: {a: {kind: enrichment, profile: {profile_name: P, ideal_customer_profile: I, target_countries: [Italy]}, companies: {hubspot: {filter_groups: [${[
        'customer',
        'opportunity',
      ]
        .map((value) => `{filters: [{propertyName: lifecyclestage, operator: NEQ, value: ${value}}]}`)
        .join(', ')}]}}}}`,
      'runs.a.companies.hubspot.filter_groups excludes values of lifecyclestage in several groups, which are alternatives: together they select every company. Write the filters into one group',
    ],
    [
      runOf('', 'excluded_industries: [not Automotive, keine Banken, "!Retail", Steel]'),
      'runs.a.profile.excluded_industries has "not Automotive", "keine Banken", "!Retail". Write the name of what is excluded, without not, no or only, one in each text',
    ],
    [
      runOf('', 'target_industries: [C28, "28.99", NACE 28, Steel]'),
      'runs.a.profile.target_industries has "C28", "28.99", "NACE 28". Write the name of the industry instead of its code, one in each text',
    ],
    [
      runOf('', 'contact_roles: [CEO or CFO, all, "*", Herr Maier, ceo@acme.example, CTO]'),
      'runs.a.profile.contact_roles has "CEO or CFO", "all", "*", "Herr Maier", "ceo@acme.example". Write one role, such as Head of IT, in each text',
    ],
    [
      runOf('', 'target_cities: [Ulm +50km, "70173", PLZ 7, Raum München, Rome]'),
      'runs.a.profile.target_cities has "Ulm +50km", "70173", "PLZ 7", "Raum München". Write the name of one city in each text',
    ],
    ...['siehe Anlage', 'see attached PDF', 'same as last time', 'https://acme.example/icp.pdf'].map(
      (text): [string, string] => [
        runOf(`order: {ideal_customer_profile: "${text}"}, `),
        'runs.a.order.ideal_customer_profile is only a hint at another text, which the service does not have. Describe the companies',
      ],
    ),
    [
      runOf('order: {ideal_customer_profile: "Not Peter Maier (p.maier@acme.example)"}, '),
      'runs.a.order.ideal_customer_profile has an email address. Describe companies, and leave people out of the text',
    ],
    [
      'mapping: {contacts: {message: {value: "Hallo {{ prospect.first_name }}!"}}}',
      'mapping.contacts.message has "{{ prospect.first_name }}", which is written as a text. A field is written in single braces, such as {company.name}',
    ],
    [
      'mapping: {contacts: {message: {round_robin: ["Hi [firstname]", "Hi %company%"]}}}',
      'mapping.contacts.message has "[firstname]", which is written as a text. A field is written in single braces, such as {company.name}',
    ],
    [
      runOf('', 'target_cities: [Germany, Rome]'),
      'runs.a.profile.target_cities has "Germany", which is a country. Countries go to target_countries',
    ],
    [
      runOf('', 'output_language: se'),
      'runs.a.profile.output_language is "se", which is Northern Sami. A language of Sweden has another code, such as sv',
    ],
    [
      runOf('', 'output_language: ca').replace('Italy', 'Canada'),
      'runs.a.profile.output_language is "ca", which is Catalan. A language of Canada has another code, such as en',
    ],
    [
      runOf('service_outputs: [{type: csv, language: ch}], '),
      'runs.a.service_outputs has a language that is "ch", which is Chamorro. A language of Switzerland has another code, such as de',
    ],
    [
      'contacts: {delivery_quality: {only: [client_delivarable]}}',
      'contacts.delivery_quality.only has "client_delivarable", which the specification of the service does not name. Did you mean client_deliverable?',
    ],
    [
      'contacts: {require_client_deliverable: true, delivery_quality: {except: [Client_Deliverable]}}',
      'contacts.delivery_quality.except has Client_Deliverable, and contacts.require_client_deliverable leaves out all others: hardly anybody becomes a contact. Remove one of them',
    ],
    [
      'contacts: {delivery_quality: {except: [bounced]}}',
      'contacts.delivery_quality.except has "bounced", which the specification of the service does not name. It names client_deliverable, generic_company_tier, risky_internal_catchall',
    ],
    [
      'mapping: {companies: {x: {value: company.industry}}}',
      'mapping.companies.x.value writes the text "company.industry", which looks like a path. To write the field, set from: company.industry',
    ],
    [
      'mapping: {companies: {x: raw.compny.city}}',
      'mapping.companies.x reads raw.compny.city, which the specification does not name. Did you mean raw.company.city?',
    ],
  ])('is named: %s', (text, expected) => {
    expect(settingWarnings(text)).toEqual([expected]);
  });

  it.each([
    runOf('expect: {min_delivered: 0%, max_without_people: 1%}, '),
    runOf('schedule: {every: 6h, jitter: 5m}, '),
    runOf('schedule: {cron: "0 6 * * 1", timezone: Etc/GMT}, '),
    runOf('spreadsheets: {rows: prospect}, features: [CONTACTS], '),
    runOf('', 'target_cities: [Luxembourg, Mexico City, Rome], target_industries: [IT/Software]'),
    runOf('', 'output_language: sv'),
    runOf('', 'output_language: ga').replace('Italy', 'Ireland'),
    runOf('', 'output_language: de, contact_roles: [Head of R&D]'),
    runOf('', 'output_language: gsw'),
    runOf(
      '',
      'contact_roles: [Head of Sales and Marketing, Oracle Consultant], target_industries: [Non-profit, 3D printing, No-Code]',
    ),
    runOf('', 'target_cities: ["’s-Hertogenbosch", Aare]'),
    runOf('order: {ideal_customer_profile: "Wie Hersteller von Pumpen, nur kleiner"}, '),
    'mapping: {contacts: {message: {value: "{{1}} [sic] 100% of 50% {company.name}"}}}',
    'contacts: {delivery_quality: {only: [Client_Deliverable]}}',
    'contacts: {delivery_quality: {except: [client_deliverable]}}',
    'contacts: {require_client_deliverable: true, delivery_quality: {except: [generic_company_tier]}}',
    'mapping: {companies: {x: {value: lead}, y: raw.turnover, z: raw.company.turnover}}',
  ])('is not named: %s', (text) => {
    expect(settingWarnings(text)).toEqual([]);
  });
});

describe('a discovery without exclusions', () => {
  const file = (own: string, kind = run) =>
    `${head}exclusions: {customers: {blacklist: B, csv: c.csv}}\nruns:\n${run('a', '[Italy]', 'exclusions: [customers], ')}${kind('b', '[Spain]', own)}`;

  it('is named when another run leaves out companies', () => {
    const expected = [
      'runs.b.exclusions is missing: this discovery may buy every company, also those of customers, which other runs do not buy. Name the exclusions that it must use, or write exclusions: [] if it may buy them',
    ];
    const config = read(file(''));
    expect(findConfigurationWarnings(config)).toEqual(expected);
    expect(findConfigurationWarnings(config, 'b')).toEqual(expected);
    expect(findConfigurationWarnings(config, 'a')).toEqual([]);
  });

  it.each([file('exclusions: [], '), file('exclusions: [customers], '), file('', enrichment)])(
    'is not named when the run says so, and neither is an enrichment (%#)',
    (text) => expect(findConfigurationWarnings(read(text))).toEqual([]),
  );
});

describe('the removals of an exclusion', () => {
  const warningsOf = (removals: string) =>
    findConfigurationWarnings(
      read(
        `${head}exclusions: {a: {blacklist: B, csv: a.csv, removals: ${removals}}}\nruns:\n${run('a', '[Italy]', 'exclusions: [a], ')}`,
      ),
    );

  it('are named when no percentage needs an approval', () => {
    expect(warningsOf('{max_percent: 100}')).toEqual([
      'exclusions.a.removals.max_percent is 100: a sync may empty the blacklist without approval, up to 500 entries (max_entries). Write the percentage that may leave at once',
    ]);
  });

  it('are named when a percentage lets most of the entries leave', () => {
    expect(warningsOf('{max_percent: 99, max_entries: 1000000}')).toEqual([
      'exclusions.a.removals.max_percent is 99: a sync may remove 99% of the blacklist without approval, up to 1,000,000 entries (max_entries). Write the percentage that may leave at once',
    ]);
  });

  it.each([
    '{max_percent: 100, max_entries: 0}',
    '{max_percent: 50}',
    // Removals above the default percentage wait.
    '{max_entries: 1000000}',
  ])('are not named when large removals wait: %s', (removals) => {
    expect(warningsOf(removals)).toEqual([]);
  });
});

describe('features of a run', () => {
  it('are named when service.requests.features does not send them', () => {
    const omitted = plainHead.replace('service: {', 'service: {requests: {features: omit}, ');
    expect(
      findConfigurationWarnings(read(`${omitted}runs:\n${run('a', '[Italy]', 'features: [CONTACTS], ')}`)),
    ).toEqual(['runs.a.features is not sent: service.requests.features is omit. The service may deliver others']);
    expect(findConfigurationWarnings(read(`${omitted}runs:\n${run('a', '[Italy]')}`))).toEqual([]);
  });
});

describe('a source of companies', () => {
  const excluding = (own: string) =>
    `${head}exclusions: {customers: {blacklist: B, csv: ./lists/../a.csv}, others: {blacklist: C, xlsx: a.xlsx}}
runs:
  all: {kind: discovery, briefing_quantity: 1, exclusions: [customers, others], profile: ${profile}}
  leads: {kind: enrichment, ${own}, profile: ${profile.replace('P', 'L')}}
`;

  it('is named when an exclusion reads the same file', () => {
    const config = read(excluding('companies: {csv: a.csv}'));
    const expected = [
      'runs.leads.companies is the file of exclusions.customers: the run would order the companies that the exclusion keeps out of other runs. If that is not intended, correct the path',
    ];
    expect(findConfigurationWarnings(config).filter((text) => text.includes('the file of'))).toEqual(expected);
    expect(findConfigurationWarnings(config, 'leads').filter((text) => text.includes('the file of'))).toEqual(expected);
  });

  it.each(['companies: {csv: b.csv}', 'exclusions: [customers], companies: {csv: a.csv}'])(
    'is not named: %s',
    (own) => {
      expect(findConfigurationWarnings(read(excluding(own))).join()).not.toContain('the file of');
    },
  );
});

describe('a discovery on a schedule', () => {
  const discovery = (more: string) =>
    `${head}exclusions: {delivered: {within: 365d}}\nruns:\n${run('a', '[Germany]', more)}`;
  const warnOf = (more: string) =>
    findConfigurationWarnings(read(discovery(more))).filter((text) => text.startsWith('runs.a.schedule'));

  it('is named unless an exclusion leaves out what was delivered', () => {
    expect(warnOf('schedule: {every: 7d}, exclusions: [], ')).toEqual([
      expect.stringMatching(/^runs\.a\.schedule orders companies at each start, and the service may deliver those/),
    ]);
    expect(warnOf('schedule: {every: 7d}, exclusions: [delivered], ')).toEqual([]);
    expect(warnOf('exclusions: [], ')).toEqual([]);
  });
});

describe('a lifecycle stage that the mapping writes', () => {
  const warnOf = (stage: string, more = '') =>
    findConfigurationWarnings(
      read(
        `${head}mapping: {companies: {lifecyclestage: {value: ${stage}}}}\nexclusions: {customers: {blacklist: B, hubspot: {lifecycle_stages: [customer]}}}\nruns:\n${run('a', '[Germany]', `exclusions: [customers], ${more}`)}`,
      ),
    );

  it('is named when an exclusion excludes it', () => {
    expect(warnOf('customer')).toEqual([
      expect.stringMatching(/^mapping\.companies\.lifecyclestage writes customer, and exclusions\.customers excludes/),
    ]);
    expect(warnOf('lead')).toEqual([]);
    expect(warnOf('customer', 'crm: false, ')).toEqual([]);
  });
});

describe('the budget of HubSpot', () => {
  it('is named when a percentage is probably meant as a share', () => {
    const budget = head.replace('hubspot: {', 'hubspot: {budget: {daily_reserve_percent: 0.1}, ');
    expect(findConfigurationWarnings(read(`${budget}runs:\n${run('a', '[Italy]')}`))).toEqual([
      'hubspot.budget.daily_reserve_percent is below 1%. Did you mean 10%?',
    ]);
  });
});
