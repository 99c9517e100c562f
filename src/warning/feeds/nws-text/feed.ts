import { defineFeed } from '../definition.ts'
import { nwsTextSourceSchema } from './settings.ts'

export const nwsTextFeed = defineFeed({
  schema: nwsTextSourceSchema,
  load: async () => (await import('./source.ts')).nwsTextSource,
  coded: true,
  marks: {
    text: (head) => !head.startsWith('<') && /^(?:\d{3}\s+)?[A-Z]{4}\d\d [A-Z]{4} \d{6}/m.test(head.slice(0, 500))
  }
})
