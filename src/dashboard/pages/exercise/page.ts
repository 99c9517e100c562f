import type { Services } from '../../api/services.ts'
import type { ExerciseView, InjectState } from '../../server/exercises.ts'
import { canWrite } from '../../server/identity.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import type { Translate } from '../../words/language.ts'
import { familyNames } from '../frame/family-names.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { eventPath } from '../frame/links.ts'
import { type Reader, readerOf, severityMark } from '../frame/reader.ts'
import { pageTime } from '../frame/times.ts'

const PATH = '/exercise'
/** Seconds after which the page of a running exercise is loaded again. */
const REFRESH_SECONDS = 20

/** The page offers it to begin with, in the reader's language: it has whatever a script may have. */
function exampleOf(t: Translate, region: string): object {
  const river = { name: 'river', family: 'weather', region }
  return {
    title: t('Flood night'),
    injects: [
      { at: 0, note: t('All stations: check in on the net.') },
      { at: 1, event: { ...river, severity: 'priority', words: t('Mill River is rising') } },
      {
        at: 15,
        note: t('Bridge team reports.'),
        event: { ...river, severity: 'critical', words: t('Mill River is over the road') }
      },
      { at: 30, event: { ...river, words: t('Mill River is falling'), ends: true } }
    ],
    ends: 35
  }
}

/** `GET /exercise`: the scripted exercise that runs or ran last, inject by inject; for the operator to begin and to end one. */
function readExercisePage({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const reader = readerOf(context, { headers, identity })
    const { t } = reader
    const mayRead = canWrite(identity, context.config.current().http)
    const view = mayRead ? (context.exercises?.status() ?? null) : null
    const isRunning = view?.state === 'running'
    return page(context, {
      title: t('Scripted exercise'),
      path: PATH,
      section: '/events',
      body: [
        html`<p>${t('A file says what is told after how many minutes. It goes the way of a real warning; every text of it begins with the mark of an exercise, nothing of it is in force, and it ends by itself.')}</p>`,
        mayRead ? whatRan(view, reader) : signInFirst(t),
        mayRead && !isRunning ? beginning(context.exercises === null, reader) : null
      ],
      headers,
      identity,
      script: 'pages/exercise/script.js',
      style: 'pages/exercise/style.css',
      ...(isRunning ? { refreshSeconds: REFRESH_SECONDS } : {})
    })
  }
}

function signInFirst(t: Translate): Html {
  return html`<p>${t('Only the operator sees the script of an exercise.')} <a class="button primary" href="/sign-in?back=%2Fexercise">${t('Sign in')}</a></p>`
}

function whatRan(view: ExerciseView | null, reader: Reader): Content {
  const { t, context, language } = reader
  if (view === null) return null
  const { title, state, startedAt, endsAt, channels, injects } = view
  const time = (ms: number): Html => pageTime(context, ms, language)
  const states = {
    running: html`<p class="banner note" role="status">${t('It is running until')} ${time(endsAt)}.</p>
<p><button type="button" class="danger" data-stop disabled>${t('End the exercise now')}</button></p>`,
    stopped: html`<p>${t('It was ended by hand:')} ${time(endsAt)}</p>`,
    over: html`<p>${t('It is over since')} ${time(endsAt)}.</p>`
  }
  return html`<section aria-labelledby="run"><h2 id="run">${title}</h2>
${states[state]}
<p>${t('Begun')} ${time(startedAt)}. ${channels === null ? t('On the channels of the matrix.') : html`${t('On its own channels:')} ${channelsOf(channels)}`} <a href="/exercise-report">${t('Exercise report')}</a></p>
<ol class="injects">${injects.map((inject) => line(inject, reader))}</ol>
<p class="error" role="alert" data-stop-refusal></p></section>`
}

function channelsOf({ mt, mc }: NonNullable<ExerciseView['channels']>): string {
  return [mt === undefined ? null : `Meshtastic ${mt}`, mc === undefined ? null : `MeshCore ${mc}`]
    .filter((name) => name !== null)
    .join(', ')
}

function line({ at, note, event, id, state }: ExerciseView['injects'][number], reader: Reader): Html {
  const { t, context, language } = reader
  const families = familyNames(context.shownConfig().families, t)
  const words =
    event == null
      ? null
      : html`<p>${severityMark(event.severity, t)} <b>${event.words}</b>${event.ends ? html` (${t('end')})` : null}<br>
<span class="quiet">${families.get(event.family) ?? event.family}, ${event.region}</span>${
          state === 'given' && id !== null
            ? html` <a href="${eventPath({ id, source: 'drill' })}">${t('What became of it')}</a>`
            : null
        }</p>`
  return html`<li><p>${pageTime(context, at, language)} <span class="state ${TONES[state]}">${stateWord(state, t)}</span></p>
${note === null ? null : html`<p class="quiet">${note}</p>`}${words}</li>`
}

const TONES: Readonly<Record<InjectState, string>> = {
  ahead: 'off',
  due: 'waiting',
  // That it was begun proves no text: its own page says what became of it.
  given: 'off',
  missed: 'bad',
  withdrawn: 'off'
}

function stateWord(state: InjectState, t: Translate): string {
  const words: Readonly<Record<InjectState, string>> = {
    ahead: t('ahead'),
    due: t('due now'),
    given: t('its time has come'),
    missed: t('missed: the station was off'),
    withdrawn: t('not told: ended before')
  }
  return words[state]
}

function beginning(isPreview: boolean, { t, context }: Reader): Html {
  if (isPreview) return html`<p>${t('This is a preview: nothing is sent. Run lookout start for that.')}</p>`
  const region = context.config.current().coverage.areas.find(({ name }) => name !== null)?.name ?? 'North'
  return html`<section class="form" aria-labelledby="begin"><h2 id="begin">${t('Begin an exercise')}</h2>
<form data-begin>
<p class="field"><label for="file">${t('File')}</label><input id="file" type="file" accept=".json,application/json"></p>
<p class="field"><label for="script">${t('Script (JSON)')}</label><textarea id="script" name="script" rows="16" spellcheck="false" required>${JSON.stringify(exampleOf(t, region), null, 2)}</textarea>
<small>${t('Regions are your named areas. Without channels it goes where the matrix sends real warnings.')} <a href="/docs/operator#a-scripted-exercise">${t('How it is written')}</a></small></p>
<p class="error" role="alert" data-refusal></p>
<p><button class="primary" disabled>${t('Begin')}</button></p>
<noscript><p>${t('This needs a script: allow it for this page, or send the file to POST /api/exercise.')}</p></noscript>
</form></section>`
}

export const exercisePage = (services: Services): Route =>
  get(PATH, {
    about: 'The scripted exercise that runs or ran last, inject by inject; the operator begins and ends one.',
    handle: readExercisePage(services)
  })
