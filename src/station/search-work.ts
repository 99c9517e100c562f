import { join } from 'node:path'
import type { WorkContext } from '../cli/verb.ts'
import { embedderSupply, MODEL_FOLDER } from '../knowledge/enrich/embed/create-embedder.ts'
import { modelSupply } from '../knowledge/enrich/llm/create.ts'
import { ARCHIVE_FOLDER } from '../knowledge/library/archive-folder.ts'
import { wikiLinks } from '../knowledge/library/wiki-link.ts'
import { Asker } from '../knowledge/search/ask.ts'
import { Excerpts } from '../knowledge/search/excerpt.ts'
import { openSearchIndex } from '../knowledge/search/index-store.ts'
import { Searcher } from '../knowledge/search/searcher.ts'
import type { AskQuery, SearchQuery } from '../knowledge/search/service.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { serveSide } from '../platform/process/side-service.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import { openKnowledgeStores } from './knowledge-stores.ts'
import { readSideSettings } from './side-settings.ts'

/** Nobody asks for so long: the vectors leave the memory. */
const IDLE_MS = 120_000

/** Role `search`: answers questions; holds the vectors while somebody asks. */
export async function runSearcher(context: WorkContext): Promise<number> {
  const { dataFolder, config, current, log } = await readSideSettings(context)
  const clock = systemClock
  const stores = await openKnowledgeStores({ dataFolder, clock, log, made: true })
  const index = await openSearchIndex({ path: join(dataFolder, 'search.db'), readOnly: true })
  const outside = {
    keys: stores.keys,
    clock,
    random: Math.random,
    config: () => current().knowledge,
    userAgent: () => userAgent(context.version, current().station.contact)
  }
  const searcher = await Searcher.open({
    knowledge: stores.db,
    lexical: index.lexical,
    vectors: index.vectors,
    embedder: embedderSupply({ ...outside, models: join(dataFolder, MODEL_FOLDER) }),
    wikiLink: wikiLinks(stores.db, join(dataFolder, ARCHIVE_FOLDER)),
    clock
  })
  const excerpts = await Excerpts.open(index.lexical)
  const asker = new Asker({
    passages: (query) => searcher.passages(query),
    model: modelSupply(outside),
    excerpts
  })
  const side = serveSide({
    handlers: {
      // Only this program asks, with what it has checked.
      query: (params) => searcher.query(params as SearchQuery),
      // A setting that was saved a moment ago counts for the next question.
      ask: async (params, { signal }) => {
        await config.refresh()
        return asker.ask(params as AskQuery, signal)
      },
      status: () => searcher.status()
    },
    idleMs: IDLE_MS
  })
  const code = await side.ended
  stores.health.flush()
  excerpts.close()
  index.close()
  stores.db.close()
  await config.close()
  return code
}
