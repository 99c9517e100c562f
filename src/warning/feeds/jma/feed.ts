import { defineFeed } from '../definition.ts'
import { asBag } from '../reading/json.ts'
import { jmaSourceSchema } from './settings.ts'

export const jmaFeed = defineFeed({
  schema: jmaSourceSchema,
  load: async () => (await import('./jma.ts')).jmaSource,
  marks: {
    roots: ['Report'],
    list: ['volcanoInfos', 'eid', 'dataTypeCode', 'controlDatetime', 'areaTypes'],
    object: ['Head', 'areaTypes'],
    syndication: (text) => /<id>https?:\/\/www\.data\.jma\.go\.jp\//.test(text),
    value: (value) => asBag(asBag(Array.isArray(value) ? value[0] : null)?.['warning'])?.['class20Items'] !== undefined
  }
})
