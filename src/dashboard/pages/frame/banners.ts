import type { StorageFault } from '../../../platform/database/storage-fault.ts'
import type { HttpContext, RadioStatus } from '../../server/context.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import type { Translate } from '../../words/language.ts'
import { type Html, html } from './html.ts'

type Banner = ['bad' | 'note', string]

/** News that must be seen on every page: what stops messages, and what only looks as if they went on the air. */
export function banners(
  context: HttpContext,
  t: Translate,
  {
    identity = { kind: 'anonymous' },
    radios = () => context.radios()
  }: { identity?: Identity; radios?: () => readonly RadioStatus[] }
): Html {
  const lines = found(context, t, { isOperator: canWrite(identity, context.config.current().http), radios }).map(
    ([kind, message]) => html`<p class="banner ${kind}">${message}</p>\n`
  )
  return html`<div id="banners" role="status">${lines}</div>`
}

function found(
  context: HttpContext,
  t: Translate,
  { isOperator, radios }: { isOperator: boolean; radios: () => readonly RadioStatus[] }
): Banner[] {
  const demo = context.demo()
  const list: (Banner | null)[] = [
    storageBanner(context, t),
    configBanner(context, t, isOperator),
    context.shownConfig().notifications.enabled
      ? null
      : ['bad', t('Notifications are off: nothing is sent (notifications.enabled).')],
    context.mode === 'preview' ? ['note', t('Preview: no radio is connected and nothing is sent.')] : null,
    demo === null ? null : ['note', t.reason(demo.note)],
    ...simulatedBanners(radios(), t)
  ]
  return list.filter((banner) => banner !== null)
}

const NETWORKS = { mt: 'Meshtastic', mc: 'MeshCore' } as const

/** Of one that is real nobody may think that it pretends, nor the other way round. */
function simulatedBanners(radios: readonly RadioStatus[], t: Translate): Banner[] {
  const pretended = radios.filter(({ simulated }) => simulated)
  if (pretended.length === 0) return []
  if (pretended.length === radios.length) return [['note', t('All radios are simulated: nothing goes on the air.')]]
  return pretended.map(({ id, network }) => [
    'note',
    t('Radio {id} is simulated: what {network} is given does not go on the air.', { id, network: NETWORKS[network] })
  ])
}

/** Told on every page: a restart would send again what was sent meanwhile. */
function storageBanner({ storageFault }: HttpContext, t: Translate): Banner | null {
  const fault = storageFault()
  if (fault === null) return null
  const lost = t(
    'Critical and above leaves from memory, once; the memory of what was sent is lost with the next restart. Everything else is refused.'
  )
  return ['bad', `${faultWords(t)[fault]} ${lost}`]
}

const faultWords = (t: Translate): Readonly<Record<StorageFault, string>> => ({
  full: t('The disk is full: nothing can be stored.'),
  io: t('The disk fails: nothing can be stored.'),
  read_only: t('The disk can only be read: nothing can be stored.'),
  gone: t('The data folder is gone: nothing can be stored.'),
  damaged: t('The database is damaged: nothing can be stored until what can be read of it is in a new one.')
})

/** The fault of the file in the words of its reader: they name keys and values, which are the operator's alone. */
function configBanner({ config }: HttpContext, t: Translate, isOperator: boolean): Banner | null {
  const { stale, problem } = config.status()
  if (!stale) return null
  if (!isOperator) return ['bad', t('The configuration is not valid: the last good one is in force.')]
  const said =
    problem?.code === 'missing'
      ? t('config.json is gone: the last good one is in force. Put the file back, or save any setting.')
      : t('config.json is not valid: the last good one is in force. {problem}', { problem: problem?.message ?? '' })
  if (problem?.line == null) return ['bad', said]
  const place = t('(line {line}, {path})', { line: problem.line, path: problem.path || t('the whole file') })
  return ['bad', `${said} ${place}`]
}
