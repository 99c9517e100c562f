import { duration } from '../../../../web/shared/times.js'
import { reasonName } from '../../../../web/shared/words.js'
import { listFamilies } from '../../../model/families.ts'
import type { Language } from '../../../model/words/languages.ts'
import type { Problem, ProblemCode, Readiness } from '../../../warning/readiness/problem.ts'
import { type Asker, toldTo } from '../../server/guest.ts'
import { type Translate, translator } from '../../words/language.ts'

interface Speaker extends Asker {
  t: Translate
}
type Values = Readonly<Record<string, string | number>>
type Sentence = (values: Values, speaker: Speaker) => string

const said =
  (text: (t: Translate, values: Values) => string): Sentence =>
  (values, { t }) =>
    text(t, values)

/** A sentence, and behind a colon why: what the program says of a radio or a source, in the language of the reader. */
const because = (sentence: string, { reason = '' }: Values): string => {
  const why = String(reason)
  if (why === '') return sentence
  return `${sentence.replace(/\.$/, '')}: ${why}${/[.!?)]$/.test(why) ? '' : '.'}`
}
const spanOf = ({ seconds = 0 }: Values, language: Language): string => duration(Number(seconds) * 1000, language)

const LABELS = new Map(listFamilies().map(({ key, label }) => [key, label]))

/** Contract §13: every problem as a sentence. Programs read the code. */
const SENTENCES: Readonly<Record<ProblemCode, Sentence>> = {
  notifications_off: said((t) => t('Notifications are switched off: nothing is sent.')),
  no_named_area: said((t) => t('No area has a name: no event gets a region, so no cell of the matrix matches.')),
  tagging_off: said((t) =>
    t('Areas are named, but region tagging is off: no event gets a region, so no cell of the matrix matches.')
  ),
  matrix_off: said((t) => t('The matrix is off, and no policy or rule sends anything: nothing would be sent.')),
  matrix_empty: said((t) =>
    t('No cell of the matrix sends to a named area, and no policy or rule sends anything: nothing would be sent.')
  ),
  no_radio: said((t) => t('No radio is configured: nothing can be sent.')),
  network_without_radio: said((t, { network = '', channels = '' }) =>
    t('Messages go to {channels}, and no {network} radio is configured: they wait for it.', {
      channels,
      network: network === 'mt' ? 'Meshtastic' : 'MeshCore'
    })
  ),
  all_radios_down: said((t) => t('No radio is ready: nothing leaves this station now.')),
  storage_failing: (values, { t }) => {
    const detail = values['detail'] ? ` (${values['detail']})` : ''
    return `${storageNames(t)[String(values['reason'])] ?? t('Nothing can be stored: only critical and above is sent, from memory.')}${detail}`
  },
  channel_missing: said((t, values) =>
    t('Radio {id} does not have the channel {channel}, which the configuration uses.', values)
  ),
  channel_disabled: said((t, values) =>
    t('Channel {channel}, which the configuration uses, is disabled on radio {id}.', values)
  ),
  imported_matrix_off: said((t) =>
    t('The matrix is off, though its switch for a network is on: the master switch stands above it.')
  ),
  matrix_network_off: said((t, { network = '' }) =>
    t(
      'The matrix is off for {network}: its cells send nothing there, and nothing else broadcasts there what they match.',
      {
        network: network === 'mt' ? 'Meshtastic' : 'MeshCore'
      }
    )
  ),
  matrix_silent: said((t, { cells = 0, state }) =>
    state === 'off'
      ? t('The matrix is off: none of its cells sends ({count}), only policies and rules do.', { count: Number(cells) })
      : t(
          'None of the cells of the matrix sends ({count}): they are muted, disabled, without an area, or off for their network. Only policies and rules send, and nothing where a muted cell matches.',
          { count: Number(cells) }
        )
  ),
  family_unrouted: said((t, { family = '', name = '' }) =>
    t('Source {name} brings {family}, and no cell, policy or rule sends it.', {
      name,
      family: t.term(LABELS.get(String(family)) ?? String(family))
    })
  ),
  radio_down: said((t, values) => because(t('Radio {id} is down.', values), values)),
  radio_connecting: said((t, values) => because(t('Radio {id} is connecting.', values), values)),
  radio_suspect: said((t, values) => because(t('Radio {id} does not answer well.', values), values)),
  radio_unusable: said((t, values) => because(t('A configured radio cannot be used.'), values)),
  no_hazard_source: said((t) => t('No source of warnings is switched on: only what programs post can be told.')),
  source_silent: (values, { t, language }) => {
    const all = { name: values['name'] ?? '', span: spanOf(values, language) }
    const text =
      values['answered'] === 1
        ? t('No data from source {name} for {span}.', all)
        : t('No data from source {name} since the start, {span} ago.', all)
    return because(text, values)
  },
  source_failing: said((t, values) => because(t('Source {name} fails.', values), values)),
  source_blocked: said((t, values) => because(t('Source {name} may not be asked.', values), values)),
  source_down: said((t, values) => because(t('Source {name} is not connected.', values), values)),
  messages_failed: said((t, values) =>
    values['count'] === 1
      ? t('1 message failed in the last hour.')
      : t('{count} messages failed in the last hour.', values)
  ),
  event_untold: said((t, { title = '', reason = '', more }) =>
    more === undefined
      ? t('Nobody was told: “{title}” ({reason}).', { title, reason: reasonName(String(reason), t) ?? reason })
      : t('And {count} more grave events nobody was told of.', { count: more })
  ),
  zones_unplaced: said((t, { title = '', told, more = 0 }) => {
    const first =
      told === 'state'
        ? t('Nothing here tells where the zones of “{title}” lie: all areas in its state were told.', { title })
        : t('Nothing here tells where the zones of “{title}” lie: nobody was told.', { title })
    const rest = Number(more) === 0 ? '' : ` ${t('And {count} more such warnings.', { count: Number(more) })}`
    return `${first}${rest} ${t('Import a zone pack: lookout zones import.')}`
  }),
  clock_unknown: said((t, values) =>
    t('The clock of this machine is not set ({year}): what is new and what is over cannot be told.', {
      year: String(values['year'])
    })
  ),
  clock_from_radio: said((t, values) =>
    t('The clock of this machine is not set: the time of the radio {radio} is used.', values)
  ),
  clock_jumped: (values, { t, language }) => {
    const forward = Number(values['seconds']) > 0
    const span = duration(Math.abs(Number(values['seconds'])) * 1000, language)
    return forward
      ? t('The clock of this machine leapt forward by {span}.', { span })
      : t('The clock of this machine leapt back by {span}.', { span })
  },
  disk_nearly_full: said((t, values) => t('The disk is nearly full: {megabytes} MB are free.', values)),
  loop_stalled: said((t, values) =>
    t('This program stood still for {seconds} s: radios and sources had to wait.', values)
  ),
  writes_stopped: (values, { t, language }) =>
    t('Events have come, and nothing has been stored for {span}.', { span: spanOf(values, language) }),
  database_put_aside: said((t, values) =>
    values['aside'] === ''
      ? t('The database {file} is damaged: the next start puts it aside and makes it anew.', values)
      : t(
          'The database {file} was damaged and put aside as {aside}. Delete that when nothing of it is needed any more.',
          values
        )
  ),
  knowledge_closed: said((t) =>
    t(
      'The database of documents cannot be opened: it is tried again by itself. Documents, archives and keys wait until then, warnings do not.'
    )
  ),
  work_shed: said((t, values) => because(t('Less is done, so that warnings go on.'), values)),
  undervoltage: said((t) =>
    t(
      'The voltage of the supply is too low: the board slows down, and the card may be damaged. Take a stronger supply and a shorter cable.'
    )
  ),
  backup_failed: said((t, values) => because(t('No backup was made.'), values)),
  starts_failed: said((t, values) =>
    t('The {count} starts before this one failed at once, one after the other. The log of the system says why.', values)
  ),
  config_stale: said((t) => t('The configuration is not valid: the last good one is in force.')),
  proxy_unnamed: said((t, values) =>
    t(
      'A proxy seems to stand on this machine ({sign}): requests from here are no longer the operator until the next start. Name the proxy in http.trusted_proxies, or set http.local_operator to false; sign in meanwhile.',
      values
    )
  ),
  admin_key_changed: said((t, values) =>
    t(
      "Admins' nodes of which a text came with another key than before: {count}. It was refused. Somebody else may have written it, or the node was set up anew: Radios shows the keys.",
      values
    )
  ),
  demo: said((t) => t('The demo is running: its events are invented, and nothing is transmitted.')),
  drill: said((t) => t('A drill is running: its event is made up, and its texts say so.')),
  preview: said((t) => t('This is a preview: no radio is connected, no source is asked and nothing is sent.'))
}

const storageNames = (t: Translate): Readonly<Record<string, string>> => ({
  disk_full: t('The disk is full: nothing can be stored. Only critical and above is sent, from memory.'),
  read_only: t('The disk can only be read: nothing can be stored. Only critical and above is sent, from memory.'),
  io_error: t('The disk does not take what is written: only critical and above is sent, from memory.'),
  damaged: t('The database is damaged: until a new one stands, only critical and above is sent, from memory.'),
  folder_gone: t('The data folder is gone: nothing can be stored. Only critical and above is sent, from memory.'),
  folder_unreadable: t('The data folder cannot be looked at: whether anything can be stored is not known.')
})

/** A problem in the language of the reader. */
export function problemSentence({ code, params }: Problem, speaker: Speaker): string {
  return SENTENCES[code](saidValues(params, speaker), speaker)
}

function saidValues(params: Problem['params'], asker: Asker): Values {
  const entries = Object.entries(params)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'object' ? toldTo(value, asker) : value])
  )
}

export type SaidProblem = Omit<Problem, 'params'> & { params: Values; message: string }

/** The readiness in `GET /api/health/ready` and `/api/status`: codes for programs, sentences for people. */
export function servedReadiness(
  { ready, problems }: Readiness,
  asker: Asker
): { ready: boolean; problems: SaidProblem[] } {
  const speaker = { t: translator(asker.language), ...asker }
  return {
    ready,
    problems: problems.map((problem) => ({
      ...problem,
      params: saidValues(problem.params, asker),
      message: problemSentence(problem, speaker)
    }))
  }
}
