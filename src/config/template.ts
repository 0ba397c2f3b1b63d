import { configSchemaFile } from './json-schema.ts';

/** What `init` writes: a file that works once the three variables are set and the examples are made one's own. */
export function configTemplate(): string {
  return `# yaml-language-server: $schema=${configSchemaFile}
#
# prospect-sync: what to exclude, what to order, where the results go.
# \`npx prospect-sync validate\` checks this file and names every problem with its line.
# Secrets never stand here: write {env: NAME} and set the environment variable NAME (capitals, digits, _). Where
# PROSPECT_SYNC_ENV_ALLOWED is set, it lists the variables that may be named.
# Paths are relative to the folder of this file. Durations: 500ms, 2s, 10m, 1h; at most 24h, more in schedules (7d).

# The prospecting service.
service:
  base_url: https://api.example.com       # or {env: NAME}
  api_key: {env: PROSPECTING_API_KEY}     # service dashboard: Settings, Developer, API Keys
  # allow_http: true                      # plain http to another machine, on a trusted network; else it must be https
  # timeout: 30s                          # for one request
  # results_items: items                  # name of the array of slots on a results page, where it is not recognised
  # fields:                               # where answers carry a field that is not recognised; null: the service has none.
  #   company:                            # \`npx prospect-sync service learn\` finds and writes them: docs/configuration.md
  #     prospects: team.members           # from the company on; the others too
  #     name: firmenname
  #   prospect:
  #     email: mail
  #   order:
  #     order_id: reference               # in the answer to an order
  # requests:                             # how orders are asked for, where the specification does not show it
  #   profile_reference: profile_id       # the field with the profile's id; profile.id nests it
  #   enrichment_order_type: ENRICHMENT
  #   company_row:                        # names in a submitted row; null: not sent; …domain gets the bare domain
  #     company_name: company_name
  #     website_url: website_url
  #     city: city
  #     country: country
  #   features: send                      # omit, or "null"; so are the next three, which repeat the profile
  #   ideal_customer_profile: omit
  #   seller_offering: omit
  #   target_countries: omit

# The CRM.
hubspot:
  token: {env: HUBSPOT_TOKEN}             # a service key, or the access token of a private app
  # portal_id: 12345678                   # Hub ID: nothing is written to any other portal
  # account_type: SANDBOX                 # nor to another kind: STANDARD, DEVELOPER_TEST, SANDBOX, APP_DEVELOPER
  # base_url: https://api.hubapi.com      # or {env: NAME}
  # allow_http: true                      # as above
  # timeout: 30s                          # for one request
  # create_properties: true               # false: missing prospect_sync_… properties are named, and nothing is written
  # api:                                  # legacy, 2026-03 or 2026-09; \`npx prospect-sync doctor\` tells their ends:
  #   objects: legacy                     # unsupported from September 2027
  #   associations: legacy                # unsupported from 2027-03-30
  #   properties: legacy
  #   lists: legacy
  #   account: legacy
  # budget:                               # how much of the portal's limits all workers together use
  #   burst_percent: 95                   # of the calls in 10 seconds
  #   search_per_second: 4                # HubSpot allows 5 in the whole account
  #   daily_reserve_percent: 10           # of the calls of a day, left to others
  #   concurrency: 8                      # calls in flight at once

# Results and outcomes are kept in SQLite in the data folder, .prospect-sync beside this file. Several machines share a
# PostgreSQL instead.
# ledger:
#   database_url: {env: DATABASE_URL}     # postgres://…

# Temporal keeps inputs, results, summaries and failures: encrypted, with keys of 32 bytes (openssl rand -base64 32).
# temporal:
#   encryption:                           # \`npx prospect-sync codec-server\` keeps the Temporal UI readable
#     key:
#       id: 2026-11                       # stands readable in what is encrypted
#       env: ENCRYPTION_KEY
#     older_keys: [{id: 2026-05, env: OLD_ENCRYPTION_KEY}]   # they decrypt what was encrypted before
#     accept_plain: false                 # true only while runs from before encryption are in progress
#   heartbeat_timeout: 30s                # a step whose worker is silent for so long is retried by another worker

# How often to ask the service.
# polling:
#   profile: 2s                           # between two looks at a profile creation
#   order_first: 30s                      # first wait for an order; it doubles …
#   order_max: 10m                        # … up to this
#   output_first: 5s                      # first wait for an output of the service; it doubles …
#   output_max: 1m                        # … up to this …
#   output_give_up: 2h                    # … for so long; then the run goes on without it

# Guards against orders that nobody meant.
# limits:
#   max_briefings_per_run: 10000          # most companies that one run may order: briefing_quantity, or rows of an enrichment

# Which HubSpot property gets which field of a result, laid over the defaults: docs/mapping.md lists them and all fields.
# mapping:
#   companies:
#     industry_text: company.industry     # a property that you made, by its internal name
#     description: never                  # takes a default out
#     numberofemployees:
#       policy: always                    # when it is written: fill-empty (the default), always, only-if-ours, never
#   contacts:
#     prospect_score:
#       from: prospect.qualification_score
#       transform: integer                # docs/mapping.md lists the others
#       policy: only-if-ours

# Which people of a result become contacts.
# contacts:
#   require_client_deliverable: false     # true leaves out who has an address that you cannot deliver to
#   delivery_quality:                     # by the words of email_delivery_quality
#     only: [client_deliverable]          # these alone
#     except: [undeliverable]             # all but these
#   without_email: skip                   # create: a contact by name for a person without an address

# Companies that a discovery run must not return. Each name (a-z, 0-9, -) becomes one blacklist in the service and is
# kept equal to its sources together: hubspot, csv, xlsx. See docs/exclusions.md.
exclusions:
  customers:
    blacklist: CRM exclusions             # its name in the service, 1 to 500 characters
    # description: Customers and open deals   # at most 2,000 characters
    hubspot:
      lifecycle_stages: [customer, opportunity]   # internal names; upper and lower case differ
      # open_deals: true                  # companies of deals that are neither won nor lost
      # closed_won_within_days: 90        # companies of deals that were won lately
      # lists: [1234]                     # ids of company lists (segments)
      # do_not_contact: do_not_contact    # internal name of a yes/no property of companies
    # csv: exclusions.csv                 # company_name, and if known website_url, city, country, external_id,
    #                                     # reason, expires_at (2027-03-31: the last day)
    # xlsx: exclusions.xlsx               # the same columns
    # sheet: Customers                    # of the Excel file; the first visible one when left out
    # header_row: 3                       # of the Excel file; the first row that is not blank when left out
    # columns:                            # headers of the columns, where they differ from these names
    #   company_name: Firma
    #   website_url: Website
    #   city: Ort
    #   country: Land
    #   external_id: Kundennummer
    #   reason: Grund
    #   expires_at: Gültig bis
    #   ignore: [Notiz]                   # columns that are none of them
    # reason: Existing customer           # instead of the reasons of the sources; at most 2,000 characters
    # reasons:                            # one for each source; several are joined
    #   open_deals: Open deal
    #   closed_won: Deal won within {days} days
    #   lists: HubSpot list {list}
    # removals:                           # more than this waits for \`prospect-sync exclusions approve\`
    #   max_percent: 10
    #   max_entries: 500
    # full_scan_every: 24h                # in between only what changed is read, and nothing removed; always when left out
    # delta_overlap: 10m                  # how far in front of the last scan the next one begins
    # adopt: false                        # true takes over a blacklist of that name that prospect-sync did not make;
    #                                     # entries it does not know are then removed

# What \`npx prospect-sync run NAME\` does. Names: a-z, 0-9, -.
runs:
  # Discovery finds new companies.
  dach-discovery:
    kind: discovery
    # title: DACH, November               # of the order; the name of the run when left out
    profile: &dach                        # the mark &dach lets another run use the same profile
      profile_name: DACH machine builders
      ideal_customer_profile: >-
        Family-owned machine builders with their own engineering department
        that sell to the automotive industry.
      target_countries: [Germany, Austria, Switzerland]   # at least one
      # seller_offering: Simulation software
      # seller_industry: Software
      # target_cities: [Stuttgart, Linz]
      # target_industries: [Mechanical engineering]
      # excluded_industries: [Retail]
      # contact_roles: [Head of Engineering, Managing Director]
      # output_language: en
      # company_size_min: 50
      # company_size_max: 2000            # not below company_size_min
    briefing_quantity: 300                # companies to order
    exclusions: [customers]               # names from above, at most 100
    # features: [COMPANY_DATA, CONTACTS, ANALYSIS]   # all three when left out
    # webhook_url: https://hooks.example.com/orders  # https address that the service notifies of the order status
    # crm: true                           # false leaves HubSpot alone
    # spreadsheets:
    #   directory: out
    #   csv: true
    #   xlsx: true
    #   rows: slot                        # one row a company; prospect: one row a contact
    #   columns: {Turnover: raw.company.turnover}   # further ones: header and field (docs/mapping.md), or raw. and a path
    # service_outputs:                    # what the service itself makes of the results, at most 20
    #   -
    #     type: csv                       # or xlsx; the files go to the directory of the spreadsheets
    #     language: de                    # that of the profile when left out
    #   -
    #     type: google_sheets
    #     spreadsheet_id: 1AbC            # what stands between /d/ and /edit in its address
    # expect:                             # otherwise the run ends with a finding (exit code 3)
    #   min_delivered: 80%                # of the ordered companies; that nothing was delivered is always a finding
    # schedule:                           # starts the run by itself, once \`npx prospect-sync apply\` has said so
    #   cron: "0 6 * * 1"                 # minute, hour, day of month, month, day of week; or a list of several
    #   calendars: [{hour: 6, day_of_week: MON-FRI}]   # more times, by named fields. Each takes what cron takes, or a list:
    #     # second: 0                     # 0 when left out
    #     # minute: 30                    # 0 when left out
    #     # hour: 8-18/2                  # 0 when left out
    #     # day_of_month: [1, 15]         # every one when left out
    #     # month: january                # every one when left out
    #     # day_of_week: MON-FRI          # every one when left out; it must match as well as the day of the month
    #     # year: 2027                    # every one when left out
    #   every: 7d                         # more times, counted from 1970-01-01 UTC …
    #   offset: 6h                        # … and moved by this
    #   timezone: Europe/Berlin           # of cron and calendars; UTC when left out
    #   jitter: 5m                        # each start waits a random time up to this
    #   overlap: skip                     # while the run before goes on: skip, buffer_one, buffer_all, cancel_other,
    #                                     # terminate_other, allow_all
    #   catch_up: 1h                      # missed starts are made up for up to this long after, at least 10s
    #   start_at: 2026-12-01T06:00:00Z    # no start before
    #   end_at: 2027-12-01T06:00:00Z      # no start after

  # Enrichment completes companies that you have. All settings of a run above apply, but for briefing_quantity and
  # exclusions.
  crm-enrichment:
    kind: enrichment
    profile: *dach
    companies:                            # hubspot, csv or xlsx
      hubspot:
        lifecycle_stages: [lead]
      # xlsx: companies.xlsx              # company_name, and if known website_url, city, country, external_id
      # sheet: Leads                      # the first visible one when left out
      # header_row: 3                     # the first row that is not blank when left out
      # csv: companies.csv                # the same columns
      # columns: {company_name: Firma, website_url: Website, ignore: [Notiz]}   # as for exclusions
      # external_ids: record_id           # external_id holds HubSpot record ids: those records are updated.
      #                                   # other (the default): it holds something else
`;
}

/** The template with each commented setting switched on; remarks stay comments. */
export function uncommentSettings(template: string): string {
  return template
    .split('\n')
    .map((line) => line.replace(/^( *)# ( *(?:-$|[a-z_]+:(?: |$)))/, '$1$2'))
    .join('\n');
}
