import * as v from 'valibot'
import { regionRoutesBodySchema } from '../warning/routing/settings.ts'
import { ackBody, acknowledge } from './api/acks.ts'
import { addressHealth, addressQuery, lookUpAddress, suggestAddress, suggestQuery } from './api/addresses.ts'
import { askBody, askLibrary } from './api/ask.ts'
import {
  outlinesQuery,
  previewBody,
  previewDocumented,
  readCoverage,
  readOutline,
  readOutlines,
  searchPlaces,
  searchQuery,
  tryCoverage,
  writeCoverage
} from './api/coverage.ts'
import { listDeliveries } from './api/deliveries.ts'
import { actOnDocument, actOnKnowledge, documentForm, knowledgeForm } from './api/document-forms.ts'
import { acceptEvents, eventsDocumented, listEvents, readEvent, readTrace } from './api/events.ts'
import { listCandidates, readFirstRun, writeFirstRun } from './api/first-run.ts'
import { historyQuery, readHistory } from './api/history.ts'
import {
  addKey,
  addKeyBody,
  listKeys,
  reloadKeys,
  removeKey,
  replaceKey,
  replaceKeyBody,
  validateKey,
  validateKeys
} from './api/keys.ts'
import { listMaps, readMap } from './api/maps.ts'
import { readMetrics } from './api/metrics.ts'
import { families, readRouting, regions, writeRouting } from './api/notifications.ts'
import { chooseLanguage, chooseTheme, languageQuery, readWordsFile, themeQuery, wordsQuery } from './api/preferences.ts'
import { passesQuery, previewBroadcasts, readPasses } from './api/previews.ts'
import { deliveriesQuery, eventQuery, eventsQuery } from './api/query.ts'
import { radioTestBody, readRadioLog, testRadio } from './api/radio-test.ts'
import { searchLibrary, searchLibraryQuery } from './api/search.ts'
import type { Services } from './api/services.ts'
import { passphraseForm, sessionHandlers, signInForm, signInQuery, signOutForm } from './api/session.ts'
import { readSettings, readSettingsSchema, schemaQuery, writeSettings } from './api/settings.ts'
import { addSilence, endSilence, listSilences, silenceBody } from './api/silences.ts'
import { listSources, pollSource } from './api/sources.ts'
import { listRadios, live, openStream, readProfile, readStatus, ready } from './api/status.ts'
import { backtest, backtestBody, backtestDocumented, explain, explainBody, explainDocumented } from './api/trial.ts'
import { formDocs, takeTranscriptForm, takeUploadForm, takeWebForm, webForm } from './api/upload-form.ts'
import { coverageBody, coverageDocumented } from './editing/coverage-document.ts'
import { firstRunBody } from './editing/first-run-body.ts'
import { settingsBody } from './editing/settings-document.ts'
import { deliveriesPageQuery, readDeliveriesPage } from './pages/deliveries/deliveries.ts'
import { eventPageQuery, readEventPage } from './pages/events/event.ts'
import { eventsPageQuery, readEventsPage } from './pages/events/events.ts'
import { addressesPageQuery, readAddressesPage } from './pages/knowledge/addresses.ts'
import { cataloguePageQuery, readCataloguePage } from './pages/knowledge/catalogue.ts'
import { documentPageQuery, readDocumentPage } from './pages/knowledge/document.ts'
import { knowledgePageQuery, readKnowledgePage } from './pages/knowledge/knowledge.ts'
import { readPassagePage } from './pages/knowledge/passage.ts'
import { readReviewPage, reviewPageQuery } from './pages/knowledge/review.ts'
import { readSearchPage, searchPageQuery } from './pages/knowledge/search.ts'
import { readUploadPage } from './pages/knowledge/upload.ts'
import { alertsQuery, readAlerts } from './pages/overview/alerts.ts'
import { readOverview } from './pages/overview/overview.ts'
import { readRoutingPage } from './pages/routing/routing.ts'
import { readApiPage, readOpenApi } from './pages/settings/api.ts'
import { readCoveragePage } from './pages/settings/coverage.ts'
import { readFirstRunPage } from './pages/settings/first-run.ts'
import { historyPageQuery, readHistoryPage } from './pages/settings/history.ts'
import { readKeysPage } from './pages/settings/keys.ts'
import { readProfilePage } from './pages/settings/profile.ts'
import { readRadiosPage } from './pages/settings/radios.ts'
import { readSectionPage, readSettingsPage, settingsQuery } from './pages/settings/settings.ts'
import { readSourcesPage } from './pages/settings/sources.ts'
import { knowledgeRoutes } from './routes-knowledge.ts'
import { libraryRoutes } from './routes-library.ts'
import { libraryPages } from './routes-library-pages.ts'
import { scraperRoutes } from './routes-scraper.ts'
import { redirect } from './server/reply.ts'
import { del, form, get, noQuery, order, own, post, put, type Route, upload, withoutFolder } from './server/route.ts'

const ROUTING = '/api/notifications/region-routing'
const operator = { access: 'operator', body: v.unknown(), documented: regionRoutesBodySchema } as const
const explaining = { access: 'trial', body: explainBody, documented: explainDocumented } as const
/** A week of events costs a board seconds: ten at once, then three in two seconds. */
const backtesting = { access: 'trial', cost: 6, body: backtestBody, documented: backtestDocumented } as const
const testing = { access: 'operator', body: radioTestBody } as const
const configuring = { access: 'operator', body: settingsBody } as const
const beginning = { access: 'operator', body: firstRunBody } as const
const covering = { access: 'operator', body: coverageBody, documented: coverageDocumented } as const
/** Two tries a second go on for ever; six at once. */
const tryingCoverage = { access: 'trial', cost: 5, body: previewBody, documented: previewDocumented } as const
const silencing = { access: 'operator', body: silenceBody } as const
const acknowledging = { access: 'operator', body: ackBody } as const
const addingKey = { access: 'operator', body: addKeyBody } as const
/** Each may cost a language model's time: two at once, then one in three seconds. */
const askingLibrary = { access: 'trial', cost: 30, body: askBody } as const
const addingByForm = { access: 'operator', query: noQuery, docs: formDocs } as const
const sending = { access: 'events', body: v.unknown(), documented: eventsDocumented } as const

/** Every method and path there is. Whatever is not here has no handler (contract §11). */
export function routes(services: Services): Route[] {
  const session = sessionHandlers(services)
  const table: Route[] = [
    get('/api/notifications/regions', 'Names of the coverage areas.', noQuery, regions(services)),
    get('/api/notifications/families', 'Families of events, with categories.', noQuery, families(services)),
    get(ROUTING, 'The region matrix.', noQuery, readRouting(services)),
    post(ROUTING, 'Replaces the region matrix.', operator, writeRouting(services)),
    post(`${ROUTING}/explain`, 'What would become of an event; nothing is sent.', explaining, explain(services)),
    post(`${ROUTING}/backtest`, 'What a matrix would have sent.', backtesting, backtest(services)),
    get('/api/coverage', 'The coverage areas and their switches.', noQuery, readCoverage(services)),
    post('/api/coverage', 'Replaces the coverage areas.', covering, writeCoverage(services)),
    post('/api/coverage/preview', 'What a coverage would match.', tryingCoverage, tryCoverage(services)),
    get('/api/atlas/search', 'Counties, states and zones by name or code.', searchQuery, searchPlaces(services)),
    get('/api/zones/outlines', 'Outlines of several codes.', outlinesQuery, readOutlines(services)),
    get('/api/zones/:code/outline', 'The outline of a code.', noQuery, readOutline(services)),
    get('/api/maps', 'Base maps.', noQuery, listMaps(services)),
    get('/maps/:file', '', noQuery, readMap(services)),
    get('/api/events', 'Stored events, newest first.', eventsQuery, listEvents(services)),
    post('/api/events', 'Takes one event, or up to 500.', sending, acceptEvents(services)),
    get('/api/events/:id', 'One event.', eventQuery, readEvent(services)),
    get('/api/events/:id/trace', 'Why an event was sent, or not.', eventQuery, readTrace(services)),
    get('/api/deliveries', 'Messages and what became of them.', deliveriesQuery, listDeliveries(services)),
    withoutFolder(
      post('/api/threads/:id/ack', 'Acknowledges an alert: nothing more follows.', acknowledging, acknowledge(services))
    ),
    get('/api/silences', 'What is silenced at present.', noQuery, listSilences(services)),
    withoutFolder(
      post('/api/silences', 'Silences a family, a region or one alert for a while.', silencing, addSilence(services))
    ),
    withoutFolder(del('/api/silences/:id', 'Ends a silence.', endSilence(services))),
    get('/api/radios/candidates', 'Serial ports a radio may hang on.', noQuery, listCandidates(services)),
    get('/api/radios', 'The radios.', noQuery, listRadios(services)),
    get('/api/radios/:id/log', 'Changes of state of a radio.', noQuery, readRadioLog(services)),
    withoutFolder(post('/api/radios/:id/test', 'Sends a test text.', testing, testRadio(services))),
    get('/api/sources', 'What is listened to, and how it is.', noQuery, listSources(services)),
    withoutFolder(order('/api/sources/:name/poll', 'Asks a source now.', pollSource(services))),
    get('/api/satpasses', 'Satellite passes of the next hours.', passesQuery, readPasses(services)),
    get(
      '/api/notifications/broadcasts',
      'What scheduled broadcasts would say now.',
      noQuery,
      previewBroadcasts(services)
    ),
    get('/api/settings', 'The configuration without its secrets.', noQuery, readSettings(services)),
    post('/api/settings', 'Changes places of the configuration.', configuring, writeSettings(services)),
    get('/api/settings/schema', 'What settings there are.', schemaQuery, readSettingsSchema()),
    own('/api/keys', 'Keys of language models, masked.', listKeys(services)),
    post('/api/keys', 'Adds a key.', addingKey, addKey(services)),
    order('/api/keys/validate', 'Tests every key.', validateKeys(services)),
    order('/api/keys/reload', 'Reads the file of keys again.', reloadKeys(services)),
    put('/api/keys/:index', 'Puts another key in the place of one.', replaceKeyBody, replaceKey(services)),
    del('/api/keys/:index', 'Removes a key.', removeKey(services)),
    order('/api/keys/:index/validate', 'Tests a key.', validateKey(services)),
    ...knowledgeRoutes(services),
    ...libraryRoutes(services),
    ...scraperRoutes(services),
    get('/api/search', 'Documents for a question, with citations.', searchLibraryQuery, searchLibrary(services)),
    post('/api/ask', 'Answers a question from the library.', askingLibrary, askLibrary(services)),
    get('/api/address-db/lookup', 'Postal addresses for a text, best first.', addressQuery, lookUpAddress(services)),
    get('/api/address-db/suggest', 'How a text may go on.', suggestQuery, suggestAddress(services)),
    get('/api/address-db/health', 'The address file.', noQuery, addressHealth(services)),
    get('/api/first-run', 'What the first steps are about.', noQuery, readFirstRun(services)),
    post('/api/first-run', 'Saves one of the first steps.', beginning, writeFirstRun(services)),
    get('/api/status', 'How the program is.', noQuery, readStatus(services)),
    get('/api/session', 'Who asks, and whether it may write.', noQuery, session.read),
    get('/api/profile', 'The deployment profile.', noQuery, readProfile(services)),
    get('/api/health', 'Whether the process answers.', noQuery, live()),
    get('/api/health/live', 'Whether the process answers.', noQuery, live()),
    get('/api/health/ready', 'Whether everything needed to warn is up.', noQuery, ready(services)),
    get('/api/stream', 'Live updates, as server-sent events.', noQuery, openStream(services)),
    get('/api/metrics/history', 'What was measured over time.', historyQuery, readHistory(services)),
    get('/metrics', 'Metrics for Prometheus.', noQuery, readMetrics(services)),
    get(
      '/api/openapi.json',
      'This document.',
      noQuery,
      readOpenApi(services, () => table)
    ),
    get(
      '/docs/api',
      '',
      noQuery,
      readApiPage(services, () => table)
    ),
    get('/', '', noQuery, readOverview(services)),
    get('/coverage', '', noQuery, readCoveragePage(services)),
    get('/sources', '', noQuery, readSourcesPage(services)),
    get('/radios', '', noQuery, readRadiosPage(services)),
    get('/profile', '', noQuery, readProfilePage(services)),
    get('/history', '', historyPageQuery, readHistoryPage(services)),
    get('/addresses', '', addressesPageQuery, readAddressesPage(services)),
    get('/settings', '', settingsQuery, readSettingsPage(services)),
    get('/settings/keys', '', noQuery, readKeysPage(services)),
    get('/settings/:section', '', noQuery, readSectionPage(services)),
    get('/alerts', '', alertsQuery, readAlerts(services)),
    get('/first-run', '', noQuery, readFirstRunPage(services)),
    get('/sign-in', '', signInQuery, session.page),
    withoutFolder(form('/sign-in', signInForm, session.signIn)),
    form('/sign-in/passphrase', passphraseForm, session.changePassphrase),
    withoutFolder(form('/sign-out', signOutForm, session.signOut)),
    get('/language', '', languageQuery, chooseLanguage),
    get('/theme', '', themeQuery, chooseTheme),
    get('/i18n/:file', '', wordsQuery, readWordsFile),
    get('/events', '', eventsPageQuery, readEventsPage(services)),
    get('/events/:id', '', eventPageQuery, readEventPage(services)),
    get('/deliveries', '', deliveriesPageQuery, readDeliveriesPage(services)),
    get('/mesh-a/routing', '', noQuery, readRoutingPage(services, 'mt')),
    get('/mesh-b/routing', '', noQuery, readRoutingPage(services, 'mc')),
    get('/knowledge', '', knowledgePageQuery, readKnowledgePage(services)),
    form('/knowledge', knowledgeForm, actOnKnowledge(services)),
    get('/knowledge/upload', '', noQuery, readUploadPage(services)),
    upload('POST', '/knowledge/upload', '', addingByForm, takeUploadForm(services)),
    upload('POST', '/knowledge/upload/transcript', '', addingByForm, takeTranscriptForm(services)),
    form('/knowledge/upload/web', webForm, takeWebForm(services)),
    get('/knowledge/review', '', reviewPageQuery, readReviewPage(services)),
    get('/catalogue', '', cataloguePageQuery, readCataloguePage(services)),
    get('/documents/:hash', '', documentPageQuery, readDocumentPage(services)),
    form('/documents/:hash', documentForm, actOnDocument(services)),
    ...libraryPages(services),
    get('/search', '', searchPageQuery, readSearchPage(services)),
    get('/keys', '', noQuery, () => redirect('/settings/keys')),
    get('/k/:code', '', noQuery, readPassagePage(services)),
    get('/notifications', '', noQuery, () => redirect('/mesh-a/routing')),
    get('/notifications/routing', '', noQuery, () => redirect('/mesh-a/routing'))
  ]
  return table
}
