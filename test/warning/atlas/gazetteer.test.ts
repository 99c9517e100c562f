import { join } from 'node:path'
import t, { type Test } from 'tap'
import { foldName } from '../../../src/warning/atlas/fold-name.ts'
import { findGazetteer, Gazetteer } from '../../../src/warning/atlas/gazetteer.ts'

/** A line of cities500.txt. */
function line(
  name: string,
  country: string,
  more: Partial<Record<'ascii' | 'others' | 'feature' | 'a1' | 'a2' | 'zone', string>> & {
    at: [number, number]
    people: number
  }
): string {
  const { ascii = name, others = '', feature = 'PPL', a1 = '01', a2 = '', zone = 'Europe/Berlin', at, people } = more
  return [
    1,
    name,
    ascii,
    others,
    ...at,
    'P',
    feature,
    country,
    '',
    a1,
    a2,
    '',
    '',
    people,
    '',
    5,
    zone,
    '2023-01-01'
  ].join('\t')
}

const LINES = [
  line('Munich', 'DE', {
    ascii: 'Munich',
    others: 'MUC,Monachium,Munchen,München,Мюнхен',
    a1: '02',
    at: [48.137, 11.575],
    people: 1_260_391
  }),
  line('Münster', 'DE', { ascii: 'Muenster', a1: '07', at: [51.962, 7.625], people: 270_184 }),
  line('Munster', 'DE', { a1: '06', at: [52.986, 10.09], people: 16_000 }),
  line('Munderkingen', 'DE', { at: [48.235, 9.644], people: 5000 }),
  line('Sendling', 'DE', { feature: 'PPLX', at: [48.11, 11.53], people: 40_000 }),
  line('Tokyo', 'JP', {
    others: 'Tokio,Токио,東京,とうきょう',
    a1: '40',
    at: [35.69, 139.692],
    people: 8_336_599,
    zone: 'Asia/Tokyo'
  }),
  line('Springfield', 'US', { a1: 'MO', a2: '077', at: [37.215, -93.298], people: 166_810, zone: 'America/Chicago' }),
  line('Springfield', 'US', { a1: 'IL', a2: '167', at: [39.8, -89.64], people: 116_565, zone: 'America/Chicago' }),
  line('Hailey', 'US', { a1: 'ID', a2: '013', at: [43.52, -114.315], people: 8000, zone: 'America/Boise' }),
  line('Suva', 'FJ', { at: [-18.141, 178.441], people: 77_366, zone: 'Pacific/Fiji' }),
  line('Waiyevo', 'FJ', { feature: 'PPLA', at: [-16.78, -179.98], people: 900, zone: 'Pacific/Fiji' }),
  line('Labasa', 'FJ', { at: [-16.43, 179.36], people: 24_187, zone: 'Pacific/Fiji' })
]
const REGIONS = new Map([
  ['DE.02', 'Bavaria'],
  ['US.MO', 'Missouri'],
  ['US.IL', 'Illinois'],
  ['US.ID', 'Idaho']
])

async function gazetteer(t: Test): Promise<Gazetteer> {
  const folder = join(t.testdir({}), 'gazetteer')
  const { makeGazetteer } = (await import(new URL('../../../scripts/gazetteer.js', import.meta.url).href)) as {
    makeGazetteer: (of: object) => void
  }
  makeGazetteer({ lines: LINES, regions: REGIONS, from: 'a test', folder })
  return new Gazetteer({ folder })
}

t.test('the key of a name has no accents, case and signs', (t) => {
  for (const [text, key] of [
    ['Zürich', 'zurich'],
    ['  St. Gallen ', 'st gallen'],
    ['Gießen', 'giessen'],
    ['Tromsø', 'tromso'],
    ["Hawai'i", 'hawaii'],
    ['Łódź', 'lodz'],
    ['東京', '東京']
  ])
    t.equal(foldName(text ?? ''), key)
  t.end()
})

t.test('a town is found as people there write it, with and without accents, and by its name abroad', async (t) => {
  const found = await gazetteer(t)
  const find = async (country: string, text: string) =>
    (await found.find({ country, text, limit: 5 })).map(({ name }) => name)
  for (const text of ['München', 'munchen', 'MUENCHEN', 'münche']) t.equal((await find('DE', text))[0], 'München', text)
  t.same(await find('DE', 'monachium'), ['Monachium'])
  t.same(await find('JP', '東'), ['東京'])
  t.same(await find('JP', 'tok'), ['Tokyo'])
  t.same(await find('DE', 'm'), [], 'a letter alone is the beginning of thousands')
  t.same(await find('FR', 'mun'), [], 'the country was chosen before')
  t.same(await find('DE', 'sendl'), [], 'a part of a town is the town')
  t.same(await find('DE', ' .'), [])
  t.match((await found.find({ country: 'DE', text: 'München', limit: 1 }))[0], {
    also: 'Munich',
    region: 'Bavaria',
    lat: 48.137,
    lon: 11.575,
    timezone: 'Europe/Berlin'
  })
})

t.test('the whole name comes first, then the town of most people; each once', async (t) => {
  const found = await gazetteer(t)
  const find = async (text: string) => (await found.find({ country: 'DE', text, limit: 3 })).map(({ name }) => name)
  t.same(await find('mun'), ['Munich', 'Münster', 'Munster'])
  t.same(await find('munster'), ['Münster', 'Munster'])
})

t.test('words after the name are its region, and a town of the United States knows its county', async (t) => {
  const found = await gazetteer(t)
  const find = (text: string) => found.find({ country: 'US', text, limit: 5 })
  t.same(
    (await find('springfield')).map(({ region }) => region),
    ['Missouri', 'Illinois']
  )
  t.same(
    (await find('springfield il')).map(({ region }) => region),
    ['Illinois']
  )
  t.same(
    (await find('hailey, id')).map(({ county }) => county),
    ['IDC013']
  )
})

t.test('the towns round a position, over the date line too', async (t) => {
  const found = await gazetteer(t)
  const near = async (lat: number, lon: number) => (await found.near({ lat, lon, limit: 5 })).map(({ name }) => name)
  t.same(await near(48.2, 11.6), ['Munich', 'Munderkingen'])
  t.same(await near(-16.6, 179.95), ['Waiyevo', 'Labasa'])
  t.same(await near(-16.6, -179.95), ['Waiyevo', 'Labasa'])
  t.same(await near(0, -30), [], 'the sea')
  t.same(await near(89.9, 0), [])
  const [first] = await found.near({ lat: 48.2, lon: 11.6, limit: 1 })
  t.ok(first !== undefined && first.km > 6 && first.km < 9, `${first?.km}`)
  t.equal(first?.country, 'DE')
})

t.test('a time zone tells the country where most of its people live', async (t) => {
  const found = await gazetteer(t)
  const { countries, here } = await found.countries('Asia/Tokyo')
  t.equal(here, 'JP')
  t.same(
    countries.map(({ code }) => code),
    ['DE', 'FJ', 'JP', 'US']
  )
  t.same(countries[0]?.box, [7.6, 48.1, 11.6, 53])
  t.equal((await found.countries('constructor')).here, '')
})

t.test(
  'without the files it says how they come to be, and damage is an error of ours, not of the question',
  async (t) => {
    const none = new Gazetteer({ folder: null })
    await t.rejects(none.countries(''), { code: 'unavailable', reason: { code: 'no_gazetteer' } })
    const folder = t.testdir({
      'index.json': '{"zones": {}, "countries": {"DE": {"box": [], "blocks": [["a", 0, 90]]}}, "cells": []}',
      'places.bin': 'x'
    })
    await t.rejects(new Gazetteer({ folder }).find({ country: 'DE', text: 'a', limit: 1 }), {
      code: 'unavailable',
      reason: { code: 'gazetteer_unreadable' }
    })
    t.equal(findGazetteer(new URL('file:///nowhere/at/all.js').href), null)
  }
)
