/** What an operation takes and answers, in words: OpenAPI has the schemas. Every operation needs a row. */
export const WORDS: Record<string, string> = {
  'GET /api/notifications/regions':
    'A JSON array of strings: names of the coverage areas, configuration order, no duplicates, as they stand on disk now.',
  'GET /api/notifications/families':
    '`{families: [{key, label, dynamic, categories: [{id, description, default_severity, example_message}]}]}`.',
  'GET /api/notifications/region-routing': '`{enabled, cells}`. Its revision is the `ETag`.',
  'POST /api/notifications/region-routing':
    'Body: `{enabled, cells}`, both required. `If-Match` is optional. Answers `{ok, saved: {enabled, cells}, warnings: [{code, message, paths, …}], revision}`. Cells without a channel are not stored; nothing else in the configuration changes.',
  'POST /api/notifications/region-routing/explain':
    'Body: `{event, matrix?}`. Answers `{event, outcome, reason, messages, cells: [{family, region, state, reason, change, wanted: [{reason, text, values}], channels: [{channel, state, reason, change, wanted}]}], trace}`: the code of the live path, with what was really sent before as its memory. A cell is sent, held, stood_by (it stands in for another channel), suppressed or none (it has no say); `change` says what would have to change for it to send, `wanted` the same as templates for translation.',
  'POST /api/notifications/region-routing/backtest':
    'Body: `{matrix, since, until?}`. Answers `{since, until, events, messages, channels: [{channel, messages, bytes, airtime_seconds}], networks: [{network, airtime_seconds, busiest_hour: {from, airtime_seconds} | null}], silent: {reason: count}}`.',
  'GET /api/coverage':
    '`{enabled, region_tagging, excluded_sources, zones_online, areas: [{name, parts}]}`, short forms written out, unknown keys included. Its revision is the `ETag`.',
  'POST /api/coverage':
    'Body: the document of `GET`; `areas` is required, switches that are left out stay. `If-Match` is optional. `rename: {old: new}` renames regions in the same write wherever the configuration names them: matrix, policies, rules, broadcasts, satellite passes and mesh health; silences keep the name they were given. Answers `{ok, saved, warnings: [{code, message, path}], revision}`. Nothing else in the configuration changes.',
  'POST /api/coverage/preview':
    'Body: `{coverage, days?}`. Answers `{since, events, unlocated, passed, areas: [{name, events}], counts, newly, no_longer, retagged, inside, warnings}`: the real tagging over the newest 1000 stored events, against the saved coverage; lists hold 100 events, `inside` every `seq` that touches an area. At most 20000 vertices.',
  'GET /api/atlas/search':
    '`{results: [{code, name, state, kind}]}`, best first; kind is state, county or zone. Zones have no names.',
  'GET /api/zones/outlines':
    '`{outlines: {code: GeoJSON geometry}}` of up to 50 codes; unknown ones are left out. Few vertices: for drawing.',
  'GET /api/zones/{code}/outline': 'A GeoJSON Feature with few vertices; 404 when no pack and no atlas has the code.',
  'GET /api/maps': '`{maps: [{file, size, url}]}`: the PMTiles files of the data folder `maps/`.',
  'GET /api/events': '`{events: [event with seq, decision, reason, result, code, demo], next}`.',
  'POST /api/events':
    'Body: one event or an array, all or none. Answers `{accepted, duplicates, events: [{id, thread_id}], warnings?: [{code, id, message}]}` once they are stored; a warning is a grave event that is sent to nobody because nobody can tell where it is. While nothing can be stored `critical` and above is answered with `stored: false`, the rest with 507 (disk full) or 503; of a mixed array the grave ones leave all the same and `issues` names the others: send all of them again. 503 in preview.',
  'GET /api/events/{id}': 'The newest revision, with `seq`, `decision`, `reason`, `result`, `code` and `demo`.',
  'GET /api/events/{id}/trace':
    '`{event, demo, code, decision, reason, trace, acks, escalation, deliveries}`; each delivery with its `steps`. Words: [states.md](states.md).',
  'GET /api/deliveries':
    '`{deliveries, next}`. With `format=csv` or `format=jsonl` a file; the next page is then in the `Link` header.',
  'POST /api/threads/{id}/ack':
    'Body: `{reason?}`. `id` is a thread id or a code. Answers `{ok, thread_id, code, ack: {author, name, reason, at}, stopped, escalation}`; `stopped`: an escalation was open; `stored: false` while nothing can be stored: a restart forgets it then. See [commands.md](commands.md#escalation).',
  'GET /api/silences':
    '`{silences: [{id, family, region, thread_id, code, include_immediate, author, reason, from, until}]}`: those in force, the one that ends first at the head.',
  'POST /api/silences':
    'Body: `{family?, region?, thread?, duration | until, reason, include_immediate?}`; at least one of the first three, at most 7 days. Answers the silence, with `stored: false` while nothing can be stored: a restart forgets it then. See [commands.md](commands.md#silences).',
  'DELETE /api/silences/{id}': 'Answers `{ok, silence, stored?: false}`; 404 when it is not in force.',
  'GET /api/radios':
    '`{radios: [{id, network, link, simulated, node_name, modem, state, reason, since, channels, missing_channels, queue, airtime, details}]}`. `details` is null, or `{firmware, battery_percent, battery_millivolts, channel_utilization, air_utilization, queue_length, nodes_known, nodes: [{id, name, last_heard, battery_percent}]}` with the 50 nodes heard last; the live stream leaves the nodes out.',
  'GET /api/radios/{id}/log':
    '`{log: [{at, state, reason}]}`: at most 100 changes of state since the start, newest first.',
  'POST /api/radios/{id}/test':
    'Body: `{channel, text?}`. Puts one routine text into the outbox, on a channel the radio has enabled; without `text` it is TEST, the station and the time. Answers `{ok, delivery, text, bytes, simulated}`. A real radio transmits it. 503 in preview.',
  'GET /api/sources':
    '`{sources: [{name, kind, mode, enabled, state, reason, about, last_ok, last_attempt, last_change, items, skipped, skipped_reasons, bytes, requests, events, failures, error, next_due, interval_seconds}], kinds: [{kind, mode, title, about, state}]}`. A state is off, waiting, polling, ok, unchanged, failing, stale or blocked; of sources that come by themselves connecting, ready or down.',
  'POST /api/sources/{name}/poll': 'No body. Answers `{ok, source}` once the question is on its way. 503 in preview.',
  'GET /api/satpasses':
    '`{observer, observers, from, to, min_elevation, passes: [{satellite, rise_time, rise_azimuth, max_time, max_elevation, set_time, …}], unusable: [{id, reason}]}` of the satpass source, in order of their rise.',
  'GET /api/notifications/broadcasts':
    'An array of `{name, enabled, what, at, days, next_run, channels: [{channel, text}]}`; `text` is null when there is nothing to tell.',
  'GET /api/settings':
    '`{settings, revision, overridden, stale_config, problem}`. `settings` is `config.json` as written, defaults left out; a secret that is set is `{"$kept": pointer}`. `overridden`: pointer → what the command line or the environment says in its place. The revision is the `ETag`.',
  'POST /api/settings':
    'Body: `{set: {pointer: value}, remove: [pointer]}`. The last part `-` adds to a list; `{"$kept": pointer}` keeps a secret and needs `If-Match`. Everything else in the file stays as it is. Answers what GET answers, with `restart` (pointers used from the next start on) and `warnings`.',
  'GET /api/settings/schema':
    'A tree of `{type, title, description, default, required, nullable, secret, restart, choices, min, max, whole, most, unit, members | items | values | kinds}`, made from the schema that checks the configuration.',
  'GET /api/keys':
    '`{keys: [{index, id, provider, masked, length, calls, errors, last_used, valid, last_validated, state, reason, ready_at}]}`. `state` is healthy, cooling (over its limit until `ready_at`) or quarantined (refused: `reason`). See [keys.md](keys.md).',
  'POST /api/keys':
    'Body: `{provider, key}`; `provider` is gemini (the default), openai or embedding. Answers the row, with `ok` and `count`.',
  'PUT /api/keys/{index}': 'Body: `{key}`. Answers the row, with `ok` and `count`. The name in the file stays.',
  'DELETE /api/keys/{index}':
    'Answers `{ok, removed, count}`; `removed` is the masked key. The last one may be removed.',
  'POST /api/keys/{index}/validate':
    'No body. Asks the provider for its models with this key. Answers `{index, id, valid, message}`; `valid` is null when there was no clear answer. The result is kept with the key.',
  'POST /api/keys/validate': 'No body. Answers `{results: [{index, id, valid, message}]}`.',
  'POST /api/keys/reload':
    'No body. Reads `keys.env` again; keys that were refused or rest get another chance. Answers `{ok, count}`.',
  'POST /api/ask':
    'Body: `{question, limit?}`. Answers `{question, answer, reason?, model?, citations: [{n, text, url}], passages: [{n, hash, title, text, snippet, score, badge, page, item_id, citation: {text, url}}]}`. `answer` is null without a language model, and when it does not rest on the passages: `reason` says which. Stores nothing.',
  'GET /api/status':
    'Version, mode, profile, uptime, `demo`, `stale_config` with `config_problem`, switches, deliveries by state (`queue`), radios, `storage: {storing, fault}` (`full`, `io`, `read_only`, `gone`, `damaged`), `readiness` (as `/api/health/ready`).',
  'GET /api/first-run':
    '`{station: {name, contact, timezone}, place, areas, radios, sources: {kinds, states}, matrix: {enabled, columns}, empty, revision}`. The revision is the `ETag`; `empty`: no area, no radio, no cell of the matrix.',
  'POST /api/first-run':
    'Body: at least one of `station`, `place`, `area`, `radios`, `sources`, `matrix`; only what is given is touched. `If-Match` is optional. Answers what `GET` answers.',
  'GET /api/radios/candidates':
    '`{serial: [{path, name, used_by}]}`: names below `/dev/serial/by-id`, and ttyACM and ttyUSB ports without one. No port is opened.',
  'GET /api/session':
    '`{identity, how, can_write, claimed, sign_in, problem}`. `how` is proxy, token, session, loopback or none; `sign_in` is passphrase, claim_code or proxy. See [operator.md](operator.md#signing-in).',
  'GET /api/profile': '`{profile, features, limits, overrides}`: no paths, no secrets.',
  'GET /api/health': '`{status: "live"}`.',
  'GET /api/health/live': '`{status: "live"}`.',
  'GET /api/health/ready':
    '`{status, ready, problems: [{code, params, blocking, link, message}]}`: 200 `ready`, or 503 `not_ready` while nothing would be sent. `message` follows `Accept-Language`. Codes: [operator.md](operator.md#is-it-running).',
  'GET /api/stream':
    'Events `decided`, `delivery`, `radio`, `source`, `config`, and `beat` every 15 s. `Last-Event-ID` brings what was missed (the last 500), or `reset`. At most 64 clients, then 503.',
  'POST /api/upload':
    'Body: `multipart/form-data` with `file`, `category?`, `title?` in any order; or the bytes of the file with `?filename=`. What the file is, is read from its content: PDF, text, EPUB, .doc, .docx, .mobi; a name with another ending is 415, and so is a plain text under the name of another format. Answers `{hash, filename, status: "pending", status_url}` once it is safe on the disk; `hash` is the SHA-256 of what was sent. 409 carries `existing: {hash, filename, status, status_url, retry_url?}`. In preview it stays `pending`.',
  'POST /api/ingest/url':
    'Body: `{url, category?}`. The page is fetched from the public Internet (HTML or plain text, at most 10 MB), its readable text is kept, and goes the way of an upload. Answers `{hash, filename, status: "pending", url, title, status_url}`; `hash` is the SHA-256 of that text: the same text again is 409 with `existing`. 422 for an address that is not public, a page that is not there, or one without text; 415 for another type; 503 when the site does not answer.',
  'POST /api/ingest/transcript':
    'Body: `multipart/form-data` with `file` (WebVTT or SubRip), `source_url?`, `title?`, `language?`, `category?`; or JSON `{text, filename?, source_url?, title?, language?, category?}`. Citations lead to the minute at `source_url`. Answers `{hash, filename, status: "pending", status_url}`. 422 when there is next to no text; 409 as for uploads.',
  'GET /api/upload/categories': '`{categories: [{name, count}]}`, the most used first.',
  'GET /api/upload/{hash}/status':
    '`{hash, filename, status, message, reason, progress, duplicate_of, document, status_url, retry_url?}`; `document` is null, or `{hash, title, domain, pages, items, vectors}`. A status is pending, processing, queued, extracting, extracted, enriching, enriched, embedding, complete, failed, rejected, duplicate, skipped or needs_review. The hash of what was uploaded goes on answering after conversion.',
  'OPTIONS /api/uploads':
    'Headers `Tus-Version`, `Tus-Extension`, `Tus-Max-Size`: [tus 1.0](https://tus.io/protocols/resumable-upload) with creation, creation-with-upload, termination and expiration.',
  'POST /api/uploads':
    'Headers `Tus-Resumable: 1.0.0`, `Upload-Length`, `Upload-Metadata` (`filename`, `category`, `title` in Base64); a body of type `application/offset+octet-stream` is the first bytes. Answers with `Location`, `Upload-Offset`, `Upload-Expires`: 24 hours after the last byte.',
  'HEAD /api/uploads/{id}':
    'Headers `Upload-Offset`: what is on the disk, also after the program was killed; `Upload-Length`; once it is whole `Upload-Hash` and `Upload-Status-Url`, or the refusal it ended with.',
  'PATCH /api/uploads/{id}':
    'Headers `Tus-Resumable`, `Upload-Offset`, `Content-Type: application/offset+octet-stream`. With the last byte the file is checked and taken in like any upload: the answer then has `Upload-Hash` and `Upload-Status-Url`, or is the refusal (409 with `existing`).',
  'DELETE /api/uploads/{id}': 'Header `Tus-Resumable`. What came is removed.',
  'GET /api/documents':
    '`{documents: [{hash, badge, filename, title, author, domain, category, language, status, message, reason, failed_stage, review, page_count, item_count, vector_count, …}], next}`.',
  'POST /api/documents/retry-failed': 'No body. Answers `{ok, retried}`. Skipped documents stay as they are.',
  'GET /api/documents/{hash}':
    'The fields of the list, with `provenance` (who said what of title, author, edition and year), `hashes`, `windows` and `removing`. Any hash the document answers to will do.',
  'DELETE /api/documents/{hash}':
    'Answers `{ok, hash, filename, state: "removing"}`: rows, pages, items, vectors and files go in the background; the document is 404 then, and may be uploaded again.',
  'GET /api/documents/{hash}/pages/{n}':
    '`{hash, page_count, number, text, method, start_seconds}`; pages count from 1.',
  'GET /api/documents/{hash}/original': 'The file, as an attachment; ranges of bytes are served.',
  'POST /api/documents/{hash}/retry':
    'No body. Answers `{ok, document}`: it is back at the stage that failed. A skipped one is looked at again.',
  'POST /api/documents/{hash}/review':
    'Body: `{action, domain?}`. Answers `{ok, document, removing}`. 409: there is nothing to decide.',
  'GET /api/library/sources':
    '`{sources: [{id, filename, title, description, language, category, status, progress, activity, failed, ingest_enabled, counts: {articles, extracted, total, in_vector_store, skipped, failed}, browse_url, size_bytes, uuid, state, reason}], server: {status, url, version, reason, foreign: [{title, language, browse_url}], problem}}`. A status is DETECTED, EXTRACTING, PROCESSING or COMPLETE, a state present, missing or removing; the server is running, starting, failed, missing, external or off. `browse_url` is null while the server does not list the archive; `foreign` are books of an external server that are none of ours.',
  'POST /api/library/sources':
    'Body: `multipart/form-data` with `file`; or the bytes of the archive with `?filename=`. As large as the disk allows. Answers `{ok, filename, uuid, source, pending}` once it is in its place; `source` is null and `pending` names detection and registration when they take longer than 20 s. The file name is written in small letters. A file is never overwritten. 503 in preview.',
  'POST /api/library/sources/{id}/ingest':
    'Body: `{enabled}`. Answers `{ok, source}`. Off pauses; on goes on from there. 409 while the source is being removed.',
  'POST /api/library/sources/{id}/retry':
    'No body. Articles and documents that failed are tried again. Answers `{ok, retried, source}`; `retried` counts documents.',
  'DELETE /api/library/sources/{id}':
    'Everything of the source goes: documents, vectors, file, registration, archiving jobs. Answers `{ok, removed: {documents, vectors, file, registration, jobs}, pending: []}` after at most 20 s; what `pending` names is not gone yet and goes on, also after a restart. Ask again to wait again.',
  'OPTIONS /api/library/uploads':
    'Headers `Tus-Version`, `Tus-Extension`: [tus 1.0](https://tus.io/protocols/resumable-upload) with creation, creation-with-upload, termination and expiration. There is no limit but the space on the disk.',
  'POST /api/library/uploads':
    'Headers `Tus-Resumable: 1.0.0`, `Upload-Length`, `Upload-Metadata` (`filename` in Base64). Answers with `Location`, `Upload-Offset`, `Upload-Expires`. 409: the name is taken.',
  'HEAD /api/library/uploads/{id}':
    'Headers `Upload-Offset`: what is on the disk, also after the program was killed; `Upload-Length`; once it is whole `Upload-Uuid`, or the refusal it ended with.',
  'PATCH /api/library/uploads/{id}':
    'Headers `Tus-Resumable`, `Upload-Offset`, `Content-Type: application/offset+octet-stream`. With the last byte the archive is checked and put in its place: the answer then has `Upload-Uuid`, which `GET /api/library/sources` lists soon.',
  'DELETE /api/library/uploads/{id}': 'Header `Tus-Resumable`. What came is removed.',
  'GET /api/knowledge':
    '`{documents: {status: count}, uploads: {state: count}, review, jobs: [{kind, state, count}], running, held, dead, failures, rejected, throughput: {documents_last_hour, pages_last_hour, documents_per_hour}, worker, detector, tools}`. `documents_per_hour` has 24 numbers, the running hour last.',
  'GET /api/search':
    '`{query, mode: "hybrid" | "lexical", reason?, corrected?, count, results: [{hash, title, snippet, matches, score, badge, domain, language, page, item_id, citation: {text, url}}]}`: documents, best first, each by its best passage. `matches` are places in `snippet`, in UTF-16 units.',
  'GET /api/address-db/lookup':
    '`{results: [{number, street, street2, city, state, zipcode, plus4, country, lat, lon, source}], count, query}`, best first: the address itself with its units; else the nearest numbers of the street; else streets written almost so; else some addresses of the postal code or the city. `lat`, `lon` and `source` are null where the file has none. Without `q` 400, without a file 503.',
  'GET /api/address-db/suggest':
    '`{suggestions: [{text, kind}], count, query}`: at most ten ways an unfinished question may go on; kind is address, street, city or zip, and `text` a question the lookup answers. Without `q` 400, without a file 503.',
  'GET /api/address-db/health':
    '`{ok: true, row_count, file_size_bytes, indexed_countries}`, or `{ok: false, reason}`; 200 in both cases. The file is never scanned: `row_count` is null when it is not known without counting.',
  'POST /api/scraper/submit':
    'Body: `{url, title?, language?}`; `language` is ISO 639-3, `eng` unless said. Answers the job (201). 422 for an address that is not public; 503 naming what is missing when nothing here can make archives; 429 when 100 sites wait.',
  'GET /api/scraper/jobs':
    '`{jobs: [{id, url, title, language, status, page_count, total, message, archive, source_id, engine, created_at, started_at, completed_at}]}`; `?status=` pending, scraping, registering, completed, failed or cancelled. `engine` is `container` or `built-in` (static pages only).',
  'POST /api/scraper/cancel/{id}': 'No body. Answers `{ok, job}`; the crawl ends within seconds. 409 when it is over.',
  'POST /api/scraper/retry/{id}': 'No body. Answers `{ok, job}`, pending again. 409 unless it has failed.',
  'POST /api/scraper/delete/{id}':
    'No body. `{ok, removed: {documents, vectors, file, registration, jobs}, pending: []}`: a job that made an archive takes everything of it along. 409 while it is under way.',
  'POST /api/scraper/clear-failed': 'No body. Deletes failed and cancelled jobs, no files. Answers `{ok, deleted}`.',
  'GET /api/metrics/history':
    '`{type, hours, points: [{timestamp, data}]}`, oldest first: one point per 120 s, kept 7 days. `type` is knowledge, radios, feeds, airtime or system; `hours` 1 to 168, 24 unless asked.',
  'GET /metrics':
    'Prometheus text format 0.0.4. Names stay: `lookout_ready`, `lookout_events_total`, `lookout_deliveries`, `lookout_source_*`, `lookout_radio_ready`, `lookout_queue_waiting`, `lookout_airtime_*`, `lookout_documents*`, `lookout_items`, `lookout_vectors`, `lookout_system_*`, `process_*`.',
  'GET /api/openapi.json': 'OpenAPI 3.1.'
}

/** Pages and redirects: routes without a row in the OpenAPI document. Every one needs words. */
export const PAGES: Record<string, string> = {
  '/docs/api': 'This reference, from the running program.',
  '/coverage': 'Coverage areas: a map to draw them on, or a table without a script.',
  '/maps/:file': 'A PMTiles file of the data folder `maps/`, whole or in ranges of bytes.',
  '/': 'Overview: problems, radios, alerts in force, newest messages. Follows the live stream.',
  '/alerts': 'Alerts in force: plain HTML without a script, about 16 kB at most, for captive portals.',
  '/language':
    'Remembers the language of this browser in the cookie `lang` and goes back: `?to=en|de&back=/path`. Without the cookie pages follow `Accept-Language`.',
  '/theme':
    'Remembers the colours of this browser in the cookie `theme` and goes back: `?to=auto|light|dark|sunlight|night&back=/path`.',
  '/i18n/:file': 'The words of a language for the scripts of the pages, as JSON: `de.json`.',
  '/first-run': 'Five steps from an empty station to a test message.',
  '/sign-in':
    'Who is signed in; forms to claim the station, to sign in and out and to change the passphrase. `POST /sign-in` `{code?, passphrase, back}`, `POST /sign-out` and `POST /sign-in/passphrase` `{current, passphrase}` are what the forms send (`application/x-www-form-urlencoded`; 303, or the page with 401, 422 or 429).',
  '/events': 'Everything that was heard, newest first, with filters (a GET form) and pages.',
  '/events/:id':
    'One event: place, thread, messages, every step of the decision; acknowledging and silencing. `source` and `seq` choose among several of the same id.',
  '/deliveries': 'Every message and what became of it, with filters, receipts, steps, and links to CSV and JSON Lines.',
  '/sources': 'How every source is, and why; with a script asked, switched, added, edited and removed.',
  '/radios':
    'State, channels, queue, airtime and changes of the radios; with a script a test text, and the radios of the configuration.',
  '/history': 'Charts of what was measured: machine, radios, sources, knowledge; `?hours=6|24|72|168`. No script.',
  '/addresses':
    'Postal addresses for a text (`?q=`), with coordinates to copy; with a script suggestions while typing.',
  '/profile': 'The active profile, and what each of its values changes.',
  '/knowledge': 'Documents by stage, what runs, what is held and why, failures with retry, what files are read with.',
  '/catalogue': 'Documents with badges and states; filters as a GET form.',
  '/documents/:hash': 'One document: facts and who said them, pages (`?page=N`), items, review, removal.',
  '/knowledge/upload':
    'Upload of several files with progress to the end; without a script a plain form. Web pages and transcripts too.',
  '/knowledge/review': 'Documents that wait for a decision.',
  '/library':
    'Archives (.zim): state, progress, the switch for reading, upload, removal, and how the library server is.',
  '/library/scraper': 'Archiving of web sites: what does it here, a form, the jobs and what may be done with them.',
  '/search': 'Search with citations (`?q=`), filters, and questions where a language model is configured.',
  '/settings': 'All sections of the configuration, and a search (`?q=`).',
  '/settings/keys':
    'Keys of language models and embedding servers, masked; for the operator. With a script added, replaced, tested, removed.',
  '/keys': 'Redirects (302) to `/settings/keys`.',
  '/k/:code': 'The passage behind a code that was told over the radio, for 7 days: plain HTML without a script.',
  '/settings/:section': 'Every value of one section; with a script a form. Secrets are written, never shown.',
  '/mesh-a/routing': 'The matrix, Meshtastic side.',
  '/mesh-b/routing': 'The matrix, MeshCore side.',
  '/notifications': 'Redirects (302) to `/mesh-a/routing`.',
  '/notifications/routing': 'Redirects (302) to `/mesh-a/routing`.'
}

export const EVENT_FIELDS: Record<string, string> = {
  id: 'Identity within the source.',
  source: 'Who says so.',
  title: 'Begins the text where the family has no template.',
  category: 'A known category names family and default severity.',
  family: 'Needed when the category is not known.',
  severity: 'Default: that of the category, else `routine`.',
  revision: 'A new revision of the same id is an update.',
  summary: 'Detail for the text.',
  body: 'For e-mail and ntfy; texts on the mesh do not use it.',
  geometry: 'GeoJSON geometry. First choice for the location.',
  circle: '`{lat, lon, radius_km}`. Second choice.',
  bbox: '`[west, south, east, north]`. Third choice.',
  lat: 'With `lon`. Fourth choice.',
  lon: 'Degrees east.',
  zones: 'UGC codes. Last choice, with `same`.',
  same: 'FIPS or SAME codes.',
  onset: 'When the hazard begins. RFC 3339.',
  expires: 'When it ends. RFC 3339.',
  sent_at: "The source's own time; default: the arrival. Staleness is measured from it.",
  received_at: 'Set on arrival, whatever was posted.',
  thread_id: 'Joins messages about one event; default `source:id`.',
  lifecycle: '`cancel` goes to the channels that carried the original; `expire` is silent.',
  region: 'A preset region; stands for `regions` of one.',
  regions: 'Preset regions; tagging never overwrites them.',
  data: 'What texts are composed from (`event_name`, `places`, `detail`, `instruction`, `attribution`, …) and anything else.'
}
