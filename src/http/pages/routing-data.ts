import { revisionOf } from '../../lib/canonical-json.ts'
import type { HttpContext, RadioStatus } from '../context.ts'
import { canWrite, type Identity } from '../identity.ts'
import type { Translate } from '../language.ts'
import { regionNames, servedMatrix } from '../matrix-document.ts'
import { broadcastScopes } from '../matrix-warnings.ts'
import { familyNames } from './family-names.ts'
import type { RadioView, RoutingData } from './routing-view.ts'

/** Everything the matrix editor needs, of the configuration last read; `context.config.refresh()` comes before it. */
export function routingData(
  context: HttpContext,
  side: RoutingData['side'],
  { identity, t }: { identity: Identity; t: Translate }
): RoutingData {
  const config = context.shownConfig()
  const matrix = servedMatrix(config)
  const families = [...familyNames(config.families, t)].map(([key, label]) => ({ key, label }))
  const radios = context.radios()
  const { locked, problem } = context.config.status()
  const line = problem?.line == null ? '' : `config.json:${problem.line}: `
  return {
    side,
    matrix,
    revision: revisionOf(matrix),
    families,
    regions: regionNames(config),
    radios: { mt: radioView(radios, 'mt'), mc: radioView(radios, 'mc') },
    outside: Object.fromEntries(
      families.map(({ key }) => [key, broadcastScopes(config, key)] as const).filter(([, scopes]) => scopes.length > 0)
    ),
    demo: context.demo() !== null,
    canWrite: canWrite(identity, context.config.current().http),
    broken: locked ? `${line}${problem?.message ?? 'config.json is not valid'}` : null
  }
}

function radioView(radios: readonly RadioStatus[], network: RadioStatus['network']): RadioView | null {
  const radio = radios.find((candidate) => candidate.network === network)
  if (radio === undefined) return null
  const { id, state, reason, simulated } = radio
  return {
    ...{ id, state, reason, simulated },
    channels: radio.channels.map(({ id, name, enabled }) => ({ id, name, enabled }))
  }
}
