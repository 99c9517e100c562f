import type { HttpContext } from '../server/context.ts'
import type { Counters } from '../server/counters.ts'
import type { HeavyWork } from '../server/heavy-work.ts'
import type { Live } from '../server/live.ts'
import type { Portal } from '../server/portal.ts'
import type { RadioLog } from '../server/radio-log.ts'

/** The parts that handlers are made with: the program, and the web's own observers. */
export interface Services {
  context: HttpContext
  live: Live
  counters: Counters
  radioLog: RadioLog
  /** For phones that have just joined the hotspot. */
  portal: Portal
  /** For whatever costs more than a page. */
  heavy: HeavyWork
  /** For questions: each may hold a language model for a while. */
  asking: HeavyWork
}
