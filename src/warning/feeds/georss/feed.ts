import { defineFeed } from '../definition.ts'
import { georssSourceSchema } from './settings.ts'

export const georssFeed = defineFeed({
  schema: georssSourceSchema,
  load: async () => (await import('./georss.ts')).georssSource,
  marks: {
    generic: true,
    syndication: (text) => /georss|wgs84_pos|opengis\.net\/gml|<geo:(?:lat|long|Point)\b/.test(text)
  }
})
