import type { Services } from '../../api/services.ts'
import type { Reply } from '../../server/reply.ts'
import type { Call } from '../../server/route.ts'
import { themeOf } from '../../server/theme.ts'
import { languageOf } from '../../words/language.ts'

/** A page that was drawn is good for so long, unless something happens. Milliseconds. */
const GOOD_MS = 1000
/** Languages times colours times who reads. */
const MOST = 64

/**
 * Draws once what every phone loads again at the same moment: until the next message of the live stream, the next
 * change of the configuration or the next second, for each language, colours and reader.
 */
export class DrawnPages {
  readonly #services: Pick<Services, 'context' | 'live'>
  readonly #drawn = new Map<string, { stamp: string; reply: Reply }>()

  constructor(services: Pick<Services, 'context' | 'live'>) {
    this.#services = services
  }

  /** The page as `draw` makes it; `variant` tells apart what differs by the address. */
  async page(call: Call<unknown, undefined>, draw: () => Reply, variant = ''): Promise<Reply> {
    const { context, live } = this.#services
    await context.config.refresh()
    const { revision, stale } = context.config.status()
    const stamp = `${live.told} ${Math.floor(context.now() / GOOD_MS)} ${revision} ${stale}`
    const key = [variant, languageOf(call.headers), themeOf(call.headers), JSON.stringify(call.identity)].join(' ')
    const known = this.#drawn.get(key)
    if (known?.stamp === stamp) return known.reply
    if (this.#drawn.size >= MOST) this.#drawn.clear()
    const reply = draw()
    this.#drawn.set(key, { stamp, reply })
    return reply
  }
}
