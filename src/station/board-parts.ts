import type { StartOptions } from '../cli/verb.ts'
import type { HttpContext } from '../dashboard/server/context.ts'
import { familyKeys } from '../model/families.ts'
import type { Reason } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { systemClock } from '../platform/clock/clock.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { errorText } from '../platform/errors.ts'
import { writeFileAtomic } from '../platform/files/atomic-file.ts'
import type { PowerWatch } from '../platform/metrics/power.ts'
import { machineStrain } from '../platform/metrics/strain.ts'
import type { Config } from '../settings/schema.ts'
import { parseEventInput } from '../warning/events/input.ts'
import { type BoardFacts, BoardWatch } from './board.ts'
import type { Core } from './core.ts'

interface BoardParts {
  options: StartOptions
  core: Pick<Core, 'accept' | 'ledger' | 'waiting'>
  config: { current: () => Config }
  power: PowerWatch
  readiness: HttpContext['readiness']
}

/** So many of the gravest are looked at. */
const MOST = 20
const GRAVE: ReadonlySet<string> = new Set(['critical', 'immediate'])

/** Says for the lamp that the station starts, before anything that may take long. */
export async function sayStarting({ boardFile: file, mode, log }: StartOptions): Promise<void> {
  if (file === undefined || mode === 'preview') return
  try {
    await writeFileAtomic(file, 'lamp=starting\n', { mode: 0o644 })
  } catch (error) {
    log.info({ file }, `the state of the station is not shown on a lamp: ${errorText(error)}`)
  }
}

/** Null in a preview, and where nobody reads what the lamp shows. */
export function openBoard(parts: BoardParts, stopper: Stopper): BoardWatch | null {
  const { boardFile: file, mode, log } = parts.options
  if (file === undefined || mode === 'preview') return null
  const board = new BoardWatch({
    file,
    clock: systemClock,
    log,
    facts: () => factsOf(parts),
    power: () => parts.power.now(),
    battery: () => machineStrain().battery,
    config: () => parts.config.current().power,
    warn: (why) => parts.core.accept([{ event: offEvent(parts, why) }]).then(() => undefined)
  })
  stopper.add('lamp', () => board.close())
  board.start()
  return board
}

function factsOf({ core, readiness }: BoardParts): BoardFacts {
  const { ready, problems } = readiness()
  const grave = core.ledger
    .active(systemClock.now(), MOST)
    .some(({ event }) => GRAVE.has(event.severity) && event.regions.length > 0)
  return { troubled: !ready || problems.length > 0, alert: grave, waiting: core.waiting.open() }
}

/** The last word of the station, in every named area: the row *Mesh health* of the matrix, or the policy of that family, sends it. */
function offEvent({ config }: BoardParts, why: Reason) {
  const now = systemClock.now()
  const { station, coverage, families } = config.current()
  const made = {
    id: `off-${now}`,
    source: 'board',
    category: 'battery_emergency',
    family: 'mesh_health',
    severity: 'immediate',
    title: `${station.name} ${sentenceOf(why)}`,
    sent: new Date(now).toISOString(),
    expires: new Date(now + 3_600_000).toISOString(),
    regions: coverage.areas.flatMap(({ name }) => name ?? [])
  }
  return parseEventInput(made, { now, families: familyKeys(families) })
}
