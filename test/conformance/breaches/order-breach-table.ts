/** Breaches of orders, results and files: check | answers | mutation | part of the finding. See `breach-table.ts`. */
export const orderBreachTable = `
orders.replay | createOrder #2+ | other order_id | POST /api/v1/orders: a replay must give the same order_id, answered 201
orders.enrichment-published | getOrder | merge . unpublishedCompletion | COMPLETED must go with results_published
orders.enrichment-published | getOrder | other briefing_quantity | briefing_quantity must be 6
orders.enrichment-published | getOrder | set result_summary null | result_summary must be there exactly when published
orders.enrichment-published | getOrder #7 | set status "FAILED" | left COMPLETED, which is terminal
orders.discovery-published | getOrder | set estimated_cost 7 | carries a field that no longer exists
orders.discovery | createOrder #2 | answer 400 fault | must be accepted with an order_id, answered 400 (INTERNAL_ERROR)
orders.before-publication | getOrder results_published=false | set result_summary noSlots | result_summary must be null before publication
orders.before-publication | listResults 409 | answer 500 fault | answered 500 (INTERNAL_ERROR) before publication
orders.input | createOrder | set estimated_cost 7 | an order carries estimated_cost
orders.input | createOrder 422 sent.order_type="DISCOVERY" sent.companies | answer 201 {} | companies in a discovery order must be refused with 422
orders.input | createOrder 422 sent.order_type="ENRICHMENT" | answer 201 {} | briefing_quantity in an enrichment order must be refused with 422
orders.input | createOrder 422 sent.features=["TELEPATHY"] | answer 201 {} | an unknown feature must be refused with 422
orders.input | createOrder 422 sent.order_type="TELEPATHY" | answer 201 {} | an unknown order_type must be refused with 422
orders.input | createOrder 422 !sent.profile_id | answer 201 {} | a missing profile_id must be refused with 422
orders.input | createOrder 422 sent.blacklist_ids=["7"] | answer 201 {} | a blacklist id that is no UUID must be refused with 422
orders.input | createOrder 422 !sent.briefing_quantity | answer 201 {} | briefing_quantity undefined must be refused with 422
orders.input | createOrder 422 sent.briefing_quantity=null | answer 201 {} | briefing_quantity null must be refused with 422
orders.input | createOrder 422 sent.briefing_quantity=1.5 | answer 201 {} | briefing_quantity 1.5 must be refused with 422
orders.input | createOrder 422 sent.briefing_quantity="7" | answer 201 {} | briefing_quantity "7" must be refused with 422
orders.input | createOrder sent.seller_offering | answer 422 invalidBody | POST /api/v1/orders: must answer 201
orders.input | createOrder sent.companies | answer 422 invalidBody | POST /api/v1/orders: must answer 201
orders.keys | createOrder #2 | other order_id | the same key
orders.keys | createOrder | first order_id "order_id" | another key must make another order
orders.statuses | createOrder | set status "ACCEPTED" | Spring: first status
orders.statuses | getOrder status=ACCEPTED | set status "RECEIVED" | Spring: statuses
orders.statuses | getOrder #-29 status=IN_PROGRESS | set status "ACCEPTED" | Spring: ACCEPTED must lead to IN_PROGRESS soon
orders.statuses | getOrder status=CANCELLED | set status "FAILED" | statuses of all outcomes
orders.statuses | getOrder status=REJECTED | set status "FAILED" | outcome:REJECTED: statuses
orders.statuses | getOrder status=IN_PROGRESS | set results_published true | fields of IN_PROGRESS
orders.statuses | getOrder status=RECEIVED | set result_summary noSlots | fields of RECEIVED
orders.statuses | getOrder status=ACCEPTED | other briefing_quantity | fields of ACCEPTED
orders.statuses | getOrder status=COMPLETED | other available_briefing_quantity | fields of COMPLETED
orders.statuses | getOrder status=FAILED | set result_summary noSlots | fields of FAILED
orders.statuses | getOrder | set admin_notes "x" | an order carries admin_notes
orders.statuses | getOrder #53 | set status "FAILED" | Spring: last status: expected "COMPLETED", found "FAILED"
orders.statuses | getOrder #53 | set available_briefing_quantity 1 | Spring: a day later
orders.statuses | listResults 409 | answer 200 emptyPage | results of an order without success answered 200
orders.statuses | listResults | set total 9 | results: expected [2,2,false]
orders.statuses | listResults | set summary.annotated_count 9 | summary: expected
orders.active-statuses | getOrder #1 | set status "IN_PROGRESS" | an order that is held: expected "RECEIVED"
orders.active-statuses | listResults 409 | answer 200 emptyPage | its results: expected "ORDER_RESULTS_NOT_READY"
orders.active-statuses | getOrder status=COMPLETED | merge . unpublished | published: expected ["COMPLETED",true]
orders.historical | getOrder | set results_published true | a historical order: expected ["COMPLETED",false,null]
orders.historical | listResults 409 | answer 200 emptyPage | its results answered 200
orders.historical | listResults 409 | set code "ORDER_RESULTS_EMPTY" | its results: expected "ORDER_RESULTS_NOT_READY"
results.enrichment-paging | listResults | repeat items | with limit=2: must hold at most 2, found 4
results.enrichment-paging | listResults | set has_more false | has_more must be true before the last slot, and end with it
results.enrichment-paging | listResults | other total | total must be available_briefing_quantity
results.enrichment-paging | listResults | other summary.requested_count | summary must be the order's result_summary
results.discovery-paging | listResults | drop summary | 200: summary: must be object, found nothing
results.enrichment-stable | listResults | other items[].delivered_at | the same pages differ at the second reading
results.discovery-stable | listResults ?limit=100 | reverse items | the slots differ between limit=1 and limit=100
results.enrichment-summary | getOrder | set result_summary.annotated_count 9 | summary.annotated_count must be 3, found 9
results.enrichment-summary | getOrder | other result_summary.requested_count | summary.requested_count must be
results.enrichment-summary | getOrder | other result_summary.fully_enriched_count | summary.fully_enriched_count must be
results.enrichment-summary | getOrder | repeat result_summary.reasons | summary.reasons must list each code once
results.enrichment-summary | getOrder | other result_summary.reasons[].count | summary.reasons must count the annotated slots
results.enrichment-summary | getOrder | set result_summary.reasons[].label "" | summary.reasons[].label must not be empty
results.discovery-summary | getOrder | merge result_summary someReason | summary.reasons of a discovery order must be empty
results.beyond-end | listResults ?offset=13 | set has_more true | has_more must be false beyond the end
results.beyond-end | listResults ?offset=13 | set items [{}] | a page beyond the end must be empty
results.beyond-end | listResults ?offset=13 | set total 0 | total must be 6 beyond the end too, found 0
results.withdrawn-parameter | listResults ?delivered_since=2999-01-01T00:00:00Z 422 | answer 200 emptyPage | delivered_since filters, answered 200
results.enrichment-slots | listResults | reverse items | input_position must count from 0
results.enrichment-slots | listResults | set items[status=PARTIAL].status "ENRICHED" | status must be the one that its reason codes
results.enrichment-slots | listResults | set items[status=PARTIAL].reason_codes ["NO_EMAIL_FOUND"] | reasons must have the same codes as reason_codes
results.enrichment-slots | listResults | drop items[status=DUPLICATE].duplicate_of_input_position | must be an earlier row when DUPLICATE
results.enrichment-slots | listResults | set items[status=UNRESOLVED].company foreignCompany | company must be null when UNRESOLVED
results.enrichment-slots | listResults | drop items[].external_id | external_id must be the one that was submitted for the row
results.enrichment-slots | listResults | other items[].company.source_id | company.source_id must be the submitted external_id
results.enrichment-slots | listResults | set items[].reasons[].detail "x" | detail must be absent if the code has no detail
results.enrichment-slots | listResults | set items[].reasons[].message "" | message must be a text, not empty and not the code
results.enrichment-slots | listResults | merge items[status=PARTIAL] {"reason_codes":[],"reasons":[]} | reason_codes must not be empty
results.enrichment-slots | listResults | set items[status=ENRICHED].reason_codes ["HISTORICAL_DELIVERY_CONFIRMED"] | a new order must have no legacy reason code
results.enrichment-slots | listResults | set items[status=PARTIAL].reason_codes ["RESULT_LIMIT_EXCEEDED"] | an enrichment order must have no RESULT_LIMIT_EXCEEDED
results.enrichment-slots | listResults | set items[status=ENRICHED].company null | company must be present when ENRICHED or PARTIAL
results.enrichment-slots | listResults | set items[status=DUPLICATE].company null | company must be present when DUPLICATE
results.enrichment-slots | listResults | drop items[].company.prospects[].email_status | prospects must have the four email fields
results.discovery-slots | listResults | set items[].company.prospects [{"bounce_risk_score":1}] | prospects must have no field
results.discovery-slots | listResults | set items[status=ENRICHED].status "PARTIAL" | status must be ENRICHED
results.snapshot | listResults | other items[].delivered_at | pages of three
results.snapshot | listResults #5 | keep items 1 | the whole set again
results.snapshot | listResults | set has_more false | has_more: expected true
results.snapshot | listResults ?limit=100 | set has_more true | total and has_more
results.page-size | listResults ? | keep items 9 | page {}
results.page-size | listResults ?limit=100 | keep items 50 | page {"limit":100}
results.page-size | listResults ?limit=100&offset=100 | set has_more true | page {"limit":100,"offset":100}
results.page-size | listResults ?limit=1&offset=0 | set total 1 | page {"limit":1,
results.every-status | listResults | keep items 1 | slots: expected
results.every-status | listResults | set items[status=PARTIAL].external_id null | slots: expected
results.every-status | listResults | set items[status=BLOCKED].duplicate_of_input_position 0 | slots: expected
results.every-status | listResults | set items[].company.source_id "x" | slots: expected
results.every-status | listResults | set items[status=DUPLICATE].company.prospects [{}] | 1 contacts on DUPLICATE
results.every-status | listResults | set items[status=ENRICHED].company.prospects [] | 0 contacts on ENRICHED
results.every-status | getOrder | set available_briefing_quantity 6 | quantities: expected [7,7,7]
results.every-status | listResults | set summary.annotated_count 5 | counts: expected [7,1,6]
results.every-status | listResults | keep summary.reasons 1 | summary.reasons: expected
results.every-status | listResults | set summary.reasons[].label longText | label must be short
results.every-status | getOrder | set result_summary.annotated_count 5 | result_summary: expected
results.fewer-than-requested | listResults | set summary.requested_count 2 | counts: expected
results.fewer-than-requested | listResults | set items[status=ENRICHED].status "PARTIAL" | slots: expected
results.fewer-than-requested | listResults | set items[status=ENRICHED].external_id "x" | slots: expected
results.fewer-than-requested | listResults | set items[].company.prospects [] | slots: expected
results.reason-codes | listResults | set items[reason_codes=NO_EMAIL_FOUND].reasons[].detail "x" | NO_EMAIL_FOUND: expected
results.reason-codes | listResults | set items[reason_codes=WEBSITE_EMPTY].company.prospects [{}] | WEBSITE_EMPTY: contacts
results.reason-codes | listResults | set items[reason_codes=UNRESOLVED_IDENTITY].company foreignCompany | UNRESOLVED_IDENTITY: company
results.reason-codes | listResults | set items[reason_codes=WEBSITE_UNREACHABLE].reasons[].detail "https://other.example" | the URL tried: expected
results.reason-codes | listResults | set items[reason_codes=WEBSITE_UNREACHABLE].reasons[].detail "www.other.example" | the URL tried must be a URL
results.reason-codes | listResults | set items[reason_codes=WEBSITE_MOVED].reasons[].detail "https://parking.example/a" | the origin redirected to
results.reason-codes | listResults | set items[reason_codes=WEBSITE_MOVED].reasons[].detail "https://acme.website-moved.example" | must not be the company's own
results.order-codes | listResults | set items[reason_codes=POLICY_ELIGIBLE].reasons[].detail "x" | POLICY_ELIGIBLE: expected
results.order-codes | listResults | set items[reason_codes=DUPLICATE_OF_SLOT].reasons[].detail "x" | DUPLICATE_OF_SLOT: expected
results.order-codes | listResults | set items[status=DUPLICATE].duplicate_of_input_position 1 | the earlier row: expected 0
results.order-codes | listResults | set items[status=ENRICHED].reason_codes ["POLICY_ELIGIBLE"] | HISTORICAL_DELIVERY_CONFIRMED: expected
results.order-codes | listResults | set summary.fully_enriched_count 0 | fully_enriched_count of a legacy order: expected 1, found 0
results.order-codes | listResults | keep items 0 2 | nothing was found outside the requested quantity
results.order-codes | listResults | set items[reason_codes=RESULT_LIMIT_EXCEEDED].reason_codes ["NOT_PROCESSED"] | RESULT_LIMIT_EXCEEDED: expected
results.order-codes | listResults | set items[reason_codes=RESULT_LIMIT_EXCEEDED].reasons[].detail "x" | RESULT_LIMIT_EXCEEDED: expected
results.order-codes | listResults | set summary.requested_count 3 | the summary: expected [2,2,[]]
deliveries.list | listDeliveredCompanies | set companies companiesWithRemovedField | 1 prospects have a field
deliveries.contacts | listDeliveredCompanies | keep companies 0 3 | companies: expected
deliveries.contacts | listDeliveredCompanies | set companies[].prospects [] | the listing has no contacts
deliveries.contacts | listDeliveredCompanies | other companies[].prospects[].email_client_deliverable | quality of a contact
deliveries.contacts | listDeliveredCompanies | drop companies[].prospects[].email_delivery_quality_reason | quality of a contact
deliveries.contacts | listDeliveredCompanies | set companies[].prospects[].bounce_risk_score 1 | a contact carries bounce_risk_score
deliveries.contacts | getWebsiteMarkdown | other content_fingerprint | content_fingerprint
deliveries.contacts | getWebsiteMarkdown | set urls ["acme"] | urls must be URLs
outputs.create-csv | createOutput | drop created | created must be true for a fresh dispatch
outputs.create-csv | createOutput | set output_id "" | output_id must not be empty
outputs.create-xlsx | createOutput | drop idempotency_key | idempotency_key must be disclosed when none was sent
outputs.replay | createOutput | set created true | created must be false in a replay
outputs.replay | createOutput #3 | other output_id | a replay must give the same output_id
outputs.replay | createOutput #3 | drop idempotency_key | idempotency_key must be disclosed when none was sent
outputs.replay | createOutput #4 | other idempotency_key | idempotency_key must be the same in every replay
outputs.key-conflict | createOutput #6 | other output_id | the first key must give the same output_id
outputs.key-conflict | createOutput #6 | set created true | created must be false in a replay
outputs.csv-completed | getOutput | other output_id | must answer the output asked for
outputs.list | listOutputs | keep outputs 1 | 1 outputs that were created are not listed
outputs.list | listOutputs | set total 0 | total must not be below the number of outputs
outputs.list | listOutputs ?limit=1&offset=0 | set has_more false | with limit=1: has_more must say whether there are more
outputs.list | listOutputs ?limit=1&offset=0 | repeat outputs | GET outputs with limit=1: must hold 1, found 2
outputs.xlsx-completed | getOutput | drop export_job_id | 200: export_job_id: must be string, found nothing
outputs.export | createExport | drop export_job_id | answered 202, must give output_id, export_job_id and status
outputs.before-publication | createOutput 409 | set code "OTHER" | created, not ready: expected [false,true]
outputs.before-publication | listOutputs | other total | outputs: expected 1
outputs.statuses | getOutput status=RUNNING | set status "PENDING" | statuses: expected ["PENDING","RUNNING","COMPLETED"]
outputs.statuses | getOutput status=FAILED | set status "COMPLETED" | statuses: expected ["PENDING","RUNNING","FAILED"]
outputs.statuses | getOutput #13 | set status "FAILED" | a day later: expected "COMPLETED"
outputs.statuses | listResults | set items [] | results: expected 2
outputs.digest | getOutput | set result_count 3 | result_count
outputs.digest | getOutput | other result_sha256 | result_sha256: expected
outputs.digest | getOutput | set result_sha256 noDigest | result_sha256 of another set must differ
outputs.keys | createOutput #2 | set created true | the disclosed key
outputs.keys | createOutput #4 | set idempotency_key "mine" | created with a key
outputs.keys | createOutput #4 | other output_id | a replay: expected
outputs.keys | createOutput #5 | other output_id | a replay: expected
outputs.keys | createOutput 409 | set code "OTHER" | code must be OUTPUT_IDEMPOTENCY_CONFLICT
outputs.google-sheets | getOutput | set location null | the spreadsheet
outputs.google-sheets | getOutput | set location "https://docs.google.com/spreadsheets/d/other" | the spreadsheet
outputs.google-sheets | downloadExport 404 | answer 302 | /download: must answer 404
outputs.google-sheets | getOutput output_type=csv | set location "https://files.example/a" | location of a CSV file
outputs.quota | createOutput 409 | set code "OTHER" | code must be OUTPUT_QUOTA_EXCEEDED
outputs.quota | createOutput #21+ | answer 409 fault | POST /api/v1/orders/{order_id}/outputs: must answer 202
outputs.quota | createOutput #42 | answer 409 fault | POST /api/v1/orders/{order_id}/outputs: must answer 202
outputs.pages | listOutputs ? | keep outputs 30 | the pages: expected [50,51,true,1,false]
outputs.pages | listOutputs ?offset=50 | set has_more true | the pages: expected [50,51,true,1,false]
outputs.pages | listOutputs | set outputs[].output_id foreignId | different outputs: expected 51
outputs.pages | listOutputs ?limit=1 | repeat outputs | limit=1: expected 1
outputs.pages | listOutputs ?limit=2&offset=2 | set total 2 | total of small pages
outputs.pages | listOutputs ?limit=2 | reverse outputs | small pages
outputs.export-types | getOutput | set output_type "csv" | an export as xlsx: expected ["COMPLETED","xlsx"]
outputs.export-types | getOutput | set status "RUNNING" | an export as csv: expected ["COMPLETED","csv"]
outputs.empty-order | createOutput 409 | set code "OTHER" | code must be ORDER_RESULTS_EMPTY
outputs.empty-order | getOrder | set results_published false | results_published: expected true
downloads.csv | file | text "Status" | the CSV file lacks the columns Result Status, Result Reasons
downloads.csv | file | replace "UNRESOLVED" "PARTIAL" | Result Status must say what the results say, row by row
downloads.csv | downloadExport 302 | header location | a redirect must carry a location
downloads.csv | file | answer 404 | must end with 200, answered 404
downloads.csv | file | text "" | the file is empty
downloads.xlsx | file | text "nothing" | the XLSX file must be a ZIP file, found 7 bytes of something else
downloads.unknown-job | downloadExport 404 | answer 302 | /download: must answer 404, answered 302
downloads.rows | downloadExport 409 | answer 302 | /download: must answer 409
downloads.rows | file | replace "Result Reasons" "Reasons" | columns of the results
downloads.rows | file | text "x" | lines: expected 3
downloads.rows | file | replace "(" "[" | Result Reasons must show message and detail
downloads.rows | createExport | other output_id | POST export: expected
`;
