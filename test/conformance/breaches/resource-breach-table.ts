/** Breaches of keys, blacklists and profiles: check | answers | mutation | part of the finding. See `breach-table.ts`. */
export const resourceBreachTable = `
authentication.missing-key | getOrder 401 | drop request_id | 401: request_id: must be string, found nothing
authentication.missing-key | listBlacklists 401 | set request_id "" | 401: request_id must not be empty
authentication.wrong-key | listBlacklists 401 | set error "NO" | 401: error must be UNAUTHORIZED
authentication.missing-key-write | listBlacklists | appendRefused blacklists foreignBlacklist | a blacklist was created
authentication.closed-routes | closedRoute 403 | answer 200 {} | must answer 403 (API_KEY_ROUTE_FORBIDDEN), answered 200
authentication.closed-routes | closedRoute 403 | set code "AUTHORIZATION_ERROR" | answered 403 (AUTHORIZATION_ERROR)
authentication.closed-routes | closedRoute 403 | drop message | 403: message must be string
headers.json-errors | getOrder 404 | header content-type text/html | the answer 404 must be application/json
headers.json-charset | getBlacklist | replace "🏭" "?" | name must be as it was sent
headers.json-charset | createBlacklist | replace "ö" "?" | POST /api/v1/blacklists: name must come back as it was sent
headers.json-charset | getBlacklist | replace "‘" "?" | description must be as it was sent
authentication.missing-scope | listBlacklists | answer 403 forbidden | must be allowed with blacklists:read, answered 403
authentication.missing-scope | listBlacklists 403 | set code "NO" | GET /api/v1/blacklists: expected [403,"AUTHORIZATION_ERROR"
authentication.missing-scope | assignBlacklists 403 | set required_scopes ["admin"] | PUT /api/v1/prospect-searches/{prospect_search_id}/blacklists: exp
authentication.missing-scope | createProfile 403 | set user_scopes [] | POST /api/v1/search-profile-creations: expected [403
authentication.missing-scope | createOrder 403 sent.blacklist_ids | answer 201 {} | POST /api/v1/orders: expected [403,"AUTHORIZATION_ERROR","string",["blacklists:read"
authentication.expired-key | listBlacklists 401 | set error "EXPIRED" | an expired key: error must be UNAUTHORIZED
authentication.expired-key | listBlacklists #2+ | answer 500 fault | GET /api/v1/blacklists: must answer 200
authentication.other-organization | getBlacklist 404 | other identifier | 404: identifier and blacklist_id
authentication.other-organization | listBlacklists | append blacklists foreignBlacklist | blacklists of another organization
blacklists.list | listBlacklists | append blacklists blacklistWithoutMicroseconds | 200: blacklists[].created_at: must be ISO 8601 UTC
blacklists.list | listBlacklists | set blacklists foreignBlacklists | GET /api/v1/blacklists/{blacklist_id}: must answer 200
blacklists.unknown-id | getBlacklist 404 | drop blacklist_id | 404: blacklist_id: must be string, found nothing
blacklists.unknown-id | getBlacklist 404 | set code "NOT_FOUND" | code must be BLACKLIST_NOT_FOUND, answered 404 (NOT_FOUND)
blacklists.unknown-id | getBlacklist 404 | other blacklist_id | 404: blacklist_id must be the id asked for
blacklists.unknown-id | getBlacklist 404 | other identifier | 404: identifier must be the id asked for
blacklists.create | createBlacklist | answer 200 foreignBlacklist | POST /api/v1/blacklists: must answer 201, answered 200
blacklists.create | createBlacklist | other name | name must be as it was sent
blacklists.create | createBlacklist | other description | description must be as sent
blacklists.create | createBlacklist | other entry_count | entry_count must be 0
blacklists.create | getBlacklist | other name | must answer what was created
blacklists.create | listBlacklists | set blacklists [] | must list the new blacklist once
blacklists.create | listBlacklists | repeat blacklists | must list the new blacklist once
blacklists.create-refusals | listBlacklists #3 | append blacklists unnamedBlacklist | refused requests created 1
blacklists.limits | getBlacklist | shorten name | a name of 500 characters must be kept whole
blacklists.limits | getBlacklist | shorten description | a description of 2,000 characters must be kept whole
blacklists.limits | createBlacklist description=null | set description "" | a description not sent must be null
blacklists.limits | updateBlacklist | shorten name | PATCH: a name of 500 characters
blacklists.limits | updateBlacklist | shorten description | PATCH: 2,000 characters
blacklists.patch | updateBlacklist | set description null | PATCH with only name: description is not right
blacklists.patch | updateBlacklist | other name | PATCH with only name: name is not
blacklists.patch-refusals | getBlacklist #3 | other name | PATCH: a refused change must change nothing
blacklists.delete | deleteBlacklist | answer 200 {} | must answer 204, answered 200
blacklists.delete | listBlacklists | appendDeleted blacklists foreignBlacklist | lists a deleted blacklist
blacklists.timestamps | getBlacklist | set updated_at later | an hour later
blacklists.timestamps | updateBlacklist | set created_at later | the blacklist after a change
blacklists.timestamps | updateBlacklist | other description | the blacklist after a change
blacklists.timestamps | updateBlacklist | set updated_at "2026-11-21T00:00:00.000000Z" | updated_at after a change: expected 3600
entries.add | addEntries | set . {} | 201: body: must be array, found object
entries.add | addEntries | drop [].city | 201: [].city: must be string, found nothing
entries.add | addEntries | append . foreignEntry | one entry sent, 2 answered
entries.add | addEntries | other [].company_name | company_name must be as it was sent
entries.add | addEntries | other [].city | city not sent, must be null
entries.add | getBlacklist | other entry_count | entry_count must be 1 after one entry, found 2
entries.add-refusals | getBlacklist | set entry_count 1 | refused requests added 1 entries
entries.most | addEntries | keep . 0 5000 | 10000 sent, 5000 answered
entries.most | addEntries | set [].id foreignId | entry ids must be unique
entries.most | getBlacklist | set entry_count 1 | entry_count must be 10000
entries.page-size | listEntries | keep entries 0 50 | GET entries with limit=200: must hold 200 of 1100, found 50
entries.page-size | listEntries | set limit 7 | GET entries with limit=1: limit must be 1, found 7
entries.page-size | listEntries | set offset 7 | offset must be 0, found 7
entries.page-size | listEntries ?offset=1300 | append entries foreignEntry | a page beyond the end must be empty
entries.page-refusals | listEntries 422 ?limit=201 | answer 200 emptyEntries | limit=201 must be refused with 422, answered 200
entries.page-overlap | listEntries ?offset=1 | reverse entries | entry 1 differs between offset=0 and offset=1
entries.paging | listEntries ?offset=400 | repeat entries | entries came twice
entries.paging | listEntries ?offset=400 | keep entries 1 | 1 of 1100 entries did not come
entries.paging | listEntries ?offset=400 | other total | total must be 1100 on every page
entries.remove-refusals | getBlacklist #3 | set entry_count 1099 | refused requests removed 1 entries
entries.remove | getBlacklist entry_count=100 | set entry_count 1100 | DELETE entries: entry_count must be 100, found 1100
entries.remove | listEntries | set total 1100 | total must be 100, found 1100
entries.remove | listEntries | appendRemoved entries foreignEntry | 1 removed entries are still listed
entries.longest | addEntries | other [].website_url | not kept as sent: the entry with the longest fields
entries.timestamps | listEntries | set entries[].created_at later | created_at: expected 90, found 0
entries.timestamps | addEntries | other [].created_at | the entry as read
entries.timestamps | listEntries | append entries entryWithClientId | an id of the client was taken
entries.count | addEntries | reverse . | the answered entries
entries.count | listEntries | reverse entries | names as sent
entries.count | listEntries ?limit=2 | set total 4 | total, limit and offset
entries.count | listEntries ?limit=2 | reverse entries | pages of two
entries.count | listEntries total=4 | keep entries 1 | entries after a removal
entries.count | listEntries total=4 | reverse entries | the first entry must stay the first
entries.count | getBlacklist | set entry_count 5 | entry_count after a removal: expected 4, found 5
entries.count | listBlacklists | other blacklists[].entry_count | the list of blacklists
entries.values | listEntries total=0 | set total 1 | total: expected 0, found 1
entries.values | addEntries | set [].city "" | null: expected
entries.values | listEntries | set entries[].city "" | the entry as read
entries.values | addEntries 422 sent.entries=[{"company_name":7}] | answer 201 [] | company_name 7 must be refused with 422
assignments.unknown-search | listAssignedBlacklists 404 | answer 500 fault | answered 500 (INTERNAL_ERROR), must be 404
assignments.replace | listAssignedBlacklists | append blacklists foreignBlacklist | after two lists exactly 2 must be assigned, found 3
assignments.duplicates | listAssignedBlacklists | repeat blacklists | after one list sent twice exactly 1 must be assigned, found 2
assignments.deletion | listAssignedBlacklists | set blacklists [] | after a deletion exactly 1 must be assigned, found 0
assignments.empty | listAssignedBlacklists | append blacklists foreignBlacklist | after an empty list exactly 0 must be assigned, found 1
assignments.most | listAssignedBlacklists #1 | append blacklists foreignBlacklist | assigned at first: expected 0, found 1
assignments.most | listAssignedBlacklists | set blacklists[].entry_count 0 | an assigned blacklist
assignments.most | listAssignedBlacklists | keep blacklists 0 50 | assigned of 100: expected 100, found 50
assignments.most | listAssignedBlacklists | repeat blacklists | assigned of 60: expected 30, found 60
profiles.create | createProfile | set status "RUNNING" | POST /api/v1/search-profile-creations: status must be PENDING
profiles.create | createProfile | drop message | 202: message: must be string, found nothing
profiles.create | createProfile | set started_at later | started_at must be null
profiles.create | createProfile | set message "" | message must not be empty
profiles.replay | createProfile #2+ | other profile_creation_id | a replay must give the same profile_creation_id, answered 202
profiles.poll | getProfileCreation | set message "x" | message must be on the 202 answer only
profiles.poll | getProfileCreation status=PENDING | set profile_id foreignId | profile_id must be set when SUCCEEDED, and only then
profiles.poll | getProfileCreation | set error_code "X" | error_code must be set when FAILED
profiles.poll | getProfileCreation status=PENDING | set finished_at later | finished_at must be null until it has ended
profiles.poll | getProfileCreation | set finished_at null | finished_at must be set when it has ended
profiles.poll | getProfileCreation #1 | set status "RUNNING" | the status must go forward
profiles.poll | getProfileCreation | other created_at | created_at must stay
profiles.default-language | getProfileCreation status=SUCCEEDED | merge . failedCreation | the second creation, in en: expected "SUCCEEDED", found "FAILED"
profiles.default-language | getProfileCreation status=FAILED | merge . succeededCreation | the second creation, in de: expected "FAILED", found "SUCCEEDED"
profiles.statuses | getProfileCreation status=RUNNING | set status "PENDING" | statuses: expected ["PENDING","RUNNING","SUCCEEDED"]
profiles.statuses | getProfileCreation status=FAILED | merge . succeededCreation | statuses: expected ["PENDING","RUNNING","FAILED"]
profiles.statuses | getProfileCreation status=PENDING | set started_at later | fields of PENDING that are set
profiles.statuses | getProfileCreation status=RUNNING | set profile_id foreignId | fields of RUNNING that are set
profiles.statuses | getProfileCreation status=SUCCEEDED | set error_message "x" | fields of SUCCEEDED that are set
profiles.statuses | getProfileCreation status=FAILED | set error_code null | fields of FAILED that are set
profiles.statuses | getProfileCreation | set message "x" | fields of PENDING that are set
profiles.statuses | getProfileCreation status=SUCCEEDED | other profile_creation_id | values of profile_creation_id: expected 1
profiles.statuses | getProfileCreation status=SUCCEEDED | other profile_id | values of profile_id: expected 1
profiles.statuses | getProfileCreation status=SUCCEEDED | other created_at | values of created_at: expected 1
profiles.statuses | getProfileCreation status=SUCCEEDED | other started_at | values of started_at: expected 1
profiles.statuses | getProfileCreation status=SUCCEEDED | other finished_at | values of finished_at: expected 1
profiles.statuses | getProfileCreation status=SUCCEEDED | set finished_at "2020-01-01T00:00:00.000000Z" | times in their order
profiles.statuses | getProfileCreation #32 | merge . failedCreation | a day later
profiles.statuses | createProfile | set message "" | the 202 answer must carry a message
profiles.statuses | createProfile | other created_at | the first read must be the 202 answer without message
profiles.final | createProfile #3 | other created_at | the answer to a replay
profiles.final | createProfile #4 | other profile_creation_id | the same key
profiles.final | getProfileCreation status=FAILED | merge . succeededCreation | expected ["FAILED","SUCCEEDED"], found ["SUCCEEDED","SUCCEEDED"]
profiles.final | getProfileCreation #2+ status=SUCCEEDED | merge . failedCreation | expected ["FAILED","SUCCEEDED"], found ["FAILED","FAILED"]
`;
