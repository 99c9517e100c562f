import { hasNoRegion } from '../../../model/vocabulary.ts'
import type { Language } from '../../../model/words/languages.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import type { Config } from '../../../settings/schema.ts'
import { toggleOf } from '../../../warning/routing/rules.ts'
import { regionNames, servedMatrix } from '../../editing/matrix-document.ts'
import { broadcastScopes } from '../../editing/matrix-warnings.ts'
import { policyOf } from '../../editing/policy-document.ts'
import type { HttpContext, RadioStatus } from '../../server/context.ts'
import { canWrite, type Identity } from '../../server/identity.ts'
import { type SaidRadio, said } from '../../server/said-status.ts'
import type { Translate } from '../../words/language.ts'
import { familyNames } from '../frame/family-names.ts'
import type { PolicyRow, RadioView, RoutingData } from './routing-view.ts'

/** Everything the matrix editor needs, of the configuration last read; `context.config.refresh()` comes before it. */
export function routingData(
  context: HttpContext,
  side: RoutingData['side'],
  { identity, t, language }: { identity: Identity; t: Translate; language: Language }
): RoutingData {
  const config = context.shownConfig()
  const mayWrite = canWrite(identity, context.config.current().http)
  const matrix = servedMatrix(config)
  const families = [...familyNames(config.families, t)].map(([key, label]) => ({ key, label }))
  const radios = context.radios().map((radio) => said(radio, { language, isGuest: !mayWrite }))
  const { locked, problem } = context.config.status()
  const line = problem?.line == null ? '' : `config.json:${problem.line}: `
  const message = mayWrite ? problem?.message : undefined
  return {
    side,
    matrix,
    revision: revisionOf(matrix),
    families,
    regions: regionNames(config),
    radios: {
      mt: radioView(radios, 'mt') ?? configuredRadio(context, 'mt'),
      mc: radioView(radios, 'mc') ?? configuredRadio(context, 'mc')
    },
    outside: Object.fromEntries(
      families.map(({ key }) => [key, broadcastScopes(config, key)] as const).filter(([, scopes]) => scopes.length > 0)
    ),
    policies: Object.fromEntries(
      families.filter(({ key }) => hasNoRegion(key)).map(({ key }) => [key, policyRow(config, key)])
    ),
    preview: context.mode === 'preview',
    demo: context.demo() !== null,
    canWrite: mayWrite,
    broken: locked ? `${line}${message ?? 'config.json is not valid'}` : null
  }
}

function policyRow(config: Config, family: string): PolicyRow {
  return { ...policyOf(config, family), severity_channels: toggleOf(config.notifications, family).severity_channels }
}

function radioView(radios: readonly SaidRadio[], network: RadioStatus['network']): RadioView | null {
  const radio = radios.find((candidate) => candidate.network === network)
  if (radio === undefined) return null
  const { id, state, reason, simulated } = radio
  return {
    id,
    state,
    reason,
    simulated,
    channels: radio.channels.map(({ id, name, enabled }) => ({ id, name, enabled }))
  }
}

/** In a preview nothing is connected: what is configured is no less there for that. */
function configuredRadio(context: HttpContext, network: RadioStatus['network']): RadioView | null {
  if (context.mode !== 'preview') return null
  const { radios } = context.config.current()
  const found = radios.find((one) => one.network === network)
  if (found === undefined && (radios.length > 0 || !context.profile.simulated_radios)) return null
  const simulated = found === undefined || found.link === 'simulated'
  return { id: found?.id ?? network, state: 'preview', reason: null, simulated, channels: [] }
}
