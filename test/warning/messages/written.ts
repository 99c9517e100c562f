import { readdirSync, readFileSync } from 'node:fs'
import * as v from 'valibot'
import { kindOf } from '../../../src/warning/feeds/create.ts'
import { sourceSchema } from '../../../src/warning/feeds/settings.ts'
import type { SourceKind } from '../../../src/warning/feeds/source.ts'
import { tellEvent } from '../../helpers/telling.ts'
import { setup } from '../feeds/geo-harness.ts'
import { STATION } from './samples.ts'

/** Products in the styles of many offices and years, written for these tests: `test/golden/products/`. */

/** The files of products. */
export const productFiles = (): string[] => readdirSync(FOLDER)

const FOLDER = new URL('../../golden/products/', import.meta.url)

/** One product and its texts. */
export interface Written {
  name: string
  zone: string
  product: string
  texts: string[]
}

/** The products of one file, each with the texts that an editor wrote from it. */
export function productsIn(file: string): Written[] {
  const parts = readFileSync(new URL(file, FOLDER), 'utf8')
    .split(/^#### /m)
    .slice(1)
  return parts.map((part) => {
    const [head = '', ...rest] = part.split('\n')
    const [zone = '', name = ''] = head.split(' | ')
    const lines = rest.filter((line) => !line.startsWith('==== by hand: '))
    const texts = lines.filter((line) => line.startsWith('==== ')).map((line) => line.slice(5))
    const product = lines.filter((line) => !line.startsWith('==== ')).join('\n')
    return { name, zone: zone.includes('/') ? zone : `America/${zone}`, product, texts }
  })
}

/** The texts of a product, as a station in its zone tells them. */
export async function told(
  { product, zone }: Pick<Written, 'product' | 'zone'>,
  network: 'mt' | 'mc' = 'mt'
): Promise<string[]> {
  const kind = product.trimStart().startsWith('<') ? 'cap' : 'nws_text'
  const reader = (await kindOf(kind)) as SourceKind
  const settings = v.parse(
    sourceSchema,
    kind === 'cap' ? { kind, url: 'https://feed.example/' } : { kind, folder: 'inbox' }
  )
  const year = / (20\d\d)$/m.exec(product)?.[1] ?? '2026'
  const { events } = reader.read(
    new TextEncoder().encode(product),
    settings as never,
    setup(kind).tools(Date.parse(`${year}-12-31T00:00:00Z`))
  )
  const european = zone.startsWith('Europe/')
  const station = {
    ...STATION,
    anchors: [],
    timezone: zone,
    units: european ? ('metric' as const) : ('imperial' as const),
    time_format: european ? ('24h' as const) : ('12h' as const)
  }
  return events.map((event) => tellEvent(event, { station, network })).filter((text) => text !== '')
}
