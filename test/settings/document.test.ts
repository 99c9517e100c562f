import fc from 'fast-check'
import t from 'tap'
import * as v from 'valibot'
import { drain } from '../../src/platform/clock/slices.ts'
import { parseWith } from '../../src/platform/config/issues.ts'
import {
  locatePointer,
  MAX_DEPTH,
  placeOf,
  pointerOf,
  readJson,
  readJsonSteps,
  repeatedKeys
} from '../../src/platform/config/locate.ts'
import { rewriteJson, rewriteSteps, type Written } from '../../src/platform/config/rewrite.ts'
import { AppError, type Issue } from '../../src/platform/errors.ts'
import { freezeSteps, judgeConfig, judgeSteps } from '../../src/settings/document.ts'
import { profileSchema } from '../../src/settings/profile.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { areaSchema, coverageSchema } from '../../src/warning/coverage/settings.ts'
import { regionRoutesBodySchema } from '../../src/warning/routing/settings.ts'
import { shuffledKeys } from '../helpers/shuffle.ts'

function issuesOf(schema: v.GenericSchema, input: unknown): readonly Issue[] {
  try {
    parseWith(schema, input, 'the input')
    return []
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error.issues
    throw error
  }
}

/** The value at a JSON pointer, or undefined. Written apart from the code under test. */
function at(document: unknown, pointer: string): unknown {
  let value = document
  for (const token of pointer.split('/').slice(1)) {
    value = Object(value)[token.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

function written(text: string): Written {
  const json = readJson(text)
  if (!json.ok) throw new Error(json.message)
  return { text, root: json.root, raw: json.value }
}

t.test('a JSON text is told wrong with its exact place', async (t) => {
  const cases: [text: string, line: number, column: number, message: RegExp][] = [
    ['', 1, 1, /the file is empty/],
    [' \n\t', 2, 2, /the file is empty/],
    ['{"a": 1,\n}', 2, 1, /a name in double quotes, found "}" \(is there a comma too many/],
    ['{"a": 1\n "b": 2}', 2, 2, /"," or "}", found/],
    ['{"a" 1}', 1, 6, /":", found "1"/],
    ["{'a': 1}", 1, 2, /a name in double quotes, found "'"/],
    ['[1, 2,\n\n  3', 3, 4, /cut off/],
    ['{"a": "x\n"}', 1, 9, /line break/],
    ['{"a": "x', 1, 7, /no closing quote/],
    ['{"a": "\\x"}', 1, 8, /escape/],
    ['{"a": nul', 1, 7, /found "nul"/],
    ['{"a": True}', 1, 7, /found "True"/],
    ['{"a": 01}', 1, 8, /"," or "}", found "1"/],
    ['{"a": 1e999}', 1, 7, /too large/],
    ['{} x', 1, 4, /the end of the file/],
    ['{\n  // note\n}', 2, 3, /no comments/],
    ['{"é😀": 1,}', 1, 11, /name in double quotes/],
    [`${'['.repeat(MAX_DEPTH + 2)}`, 1, MAX_DEPTH + 2, /levels deep/]
  ]
  for (const [text, line, column, message] of cases) {
    const json = readJson(text)
    if (json.ok) t.fail(`accepted ${text}`)
    else t.match({ ...json.place, message: json.message }, { line, column, message }, JSON.stringify(text.slice(0, 30)))
  }
})

t.test('the reader accepts and refuses exactly what JSON.parse does', async (t) => {
  const noise = fc
    .array(fc.constantFrom(...'{}[]",:\\0123.eE+- \n\ttruefalsnu'), { maxLength: 12 })
    .map((chars) => chars.join(''))
  const torn = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), noise)
    .map(([text, cut, more]) => text.slice(0, cut % (text.length + 1)) + more)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.oneof(fc.json(), noise, torn), (text) => {
        const json = readJson(text)
        let native: { value: unknown } | null
        try {
          native = { value: JSON.parse(text) }
        } catch {
          native = null
        }
        if (json.ok) return native !== null && JSON.stringify(native.value) === JSON.stringify(json.value)
        return native === null || /too large/.test(json.message)
      }),
      { numRuns: 2000 }
    )
  )
})

t.test('every pointer into a document is located at its own key or element', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (value, pretty) => {
      const text = JSON.stringify(value, null, pretty ? 2 : 0)
      const { root } = written(text)
      const visit = (inner: unknown, path: (string | number)[]): void => {
        const { offset } = locatePointer(text, root, pointerOf(path))
        const key = path.at(-1)
        const expected = typeof key === 'string' ? JSON.stringify(key) : JSON.stringify(inner)?.[0]
        if (!text.startsWith(expected ?? '', offset)) t.fail(`${pointerOf(path)} in ${text}`)
        if (typeof inner !== 'object' || inner === null) return
        for (const [name, member] of Object.entries(inner))
          visit(member, [...path, Array.isArray(inner) ? Number(name) : name])
      }
      visit(value, [])
    })
  )
  const text = '{\n "a": { "b/c": [1,\n 2] } }'
  t.match(locatePointer(text, written(text).root, '/a/b~1c/1'), { line: 3, column: 2 })
  t.match(
    locatePointer(text, written(text).root, '/a/missing/deep'),
    { line: 2, column: 2 },
    'the nearest that is there'
  )
})

t.test('keys that stand twice are found at their second place', async (t) => {
  const text = '{"a":1,\n"a":{"b":[{"c":1,"c":2}]}}'
  const found = repeatedKeys(written(text).root).map(({ path, offset }) => `${path} ${placeOf(text, offset).line}`)
  t.same(found, ['/a 2', '/a/b/0/c 2'])
})

t.test('a rewritten document', async (t) => {
  t.test('is the new value, whatever stood there before', async (t) => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (before, after, indent) => {
        const wanted = JSON.parse(JSON.stringify(after))
        const text = rewriteJson(wanted, written(JSON.stringify(before, null, indent)))
        t.same(JSON.parse(text), wanted)
      })
    )
  })

  t.test('is the same to the letter when the value is the same, and plain JSON when there was none', async (t) => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        t.equal(rewriteJson(JSON.parse(text), written(text)), `${text}\n`)
      })
    )
    t.equal(rewriteJson({ a: [1] }, null), '{\n  "a": [\n    1\n  ]\n}\n')
  })

  const cases: [name: string, before: string, change: (value: Record<string, unknown>) => unknown, after: string][] = [
    [
      'a new key goes last',
      '{"b": 1, "10": 2, "a": 3}',
      (value) => ({ ...value, new: [] }),
      '{\n  "b": 1,\n  "10": 2,\n  "a": 3,\n  "new": []\n}\n'
    ],
    [
      'a key that goes leaves the others',
      '{\n\t"b": [ 1 ],\n\t"a": 1.0\n}',
      ({ b }) => ({ b }),
      '{\n\t"b": [ 1 ]\n}\n'
    ],
    ['keys put into another order are', '{"a": 1, "b": 2}', ({ a, b }) => ({ b, a }), '{\n  "b": 2,\n  "a": 1\n}\n'],
    [
      'Windows line ends stay',
      '{\r\n  "a": 1\r\n}\r\n',
      (value) => ({ ...value, b: { c: 1 } }),
      '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n'
    ],
    [
      'an element changes among others',
      '{"list": [{"x": 1.50}, {"x": 2}]}',
      () => ({ list: [{ x: 1.5 }, { x: 3 }] }),
      '{\n  "list": [\n    {"x": 1.50},\n    {\n      "x": 3\n    }\n  ]\n}\n'
    ]
  ]
  for (const [name, before, change, after] of cases) {
    t.test(name, async (t) => {
      t.equal(rewriteJson(change(JSON.parse(before)), written(before)), after)
    })
  }
})

t.test('what is refused is named in the form that was written', async (t) => {
  const area = (value: unknown): unknown => ({ coverage: { areas: [{ codes: ['ID'] }, value] } })
  const cases: [name: string, input: unknown, path: string, code: string, message: RegExp][] = [
    [
      'compass form, wrong type',
      area({ west: 1, south: 'x', east: 2, north: 3 }),
      '/coverage/areas/1/south',
      'type',
      /a number, not "x"/
    ],
    ['compass form, missing', area({ west: 1, south: 1, east: 2 }), '/coverage/areas/1/north', 'required', /missing/],
    [
      'compass form, out of range',
      area({ west: 1, south: 1, east: 2, north: 91 }),
      '/coverage/areas/1/north',
      'range',
      /latitude/
    ],
    [
      'compass form, upside down',
      area({ west: 1, south: 5, east: 2, north: 3 }),
      '/coverage/areas/1',
      'rule',
      /south must not be north/
    ],
    ['short box', area({ bbox: [0, -99, 1, 2] }), '/coverage/areas/1/bbox/1', 'range', /latitude/],
    [
      'short box, too long',
      area({ bbox: [0, 1, 1, 2, 3] }),
      '/coverage/areas/1/bbox/4',
      'range',
      /\[west, south, east, north\]/
    ],
    [
      'two short parts, the second wrong',
      area({ bbox: [0, 1, 1, 2], circle: { lat: 1, lon: 2, radius_km: -1 } }),
      '/coverage/areas/1/circle/radius_km',
      'range',
      /negative/
    ],
    [
      'circle without its radius',
      area({ circle: { lat: 1, lon: 2 } }),
      '/coverage/areas/1/circle/radius_km',
      'required',
      /"radius_km" is missing/
    ],
    [
      'circle with an unknown key',
      area({ circle: { lat: 1, lon: 2, radius_km: 3, radius: 1 } }),
      '/coverage/areas/1/circle/radius',
      'unknown_key',
      /unknown key "radius"/
    ],
    [
      'long form',
      area({ parts: [{ bbox: [0, 0, 1, 1] }, { bbox: [0, 0, 1, '1'] }] }),
      '/coverage/areas/1/parts/1/bbox/3',
      'type',
      /a number/
    ],
    [
      'unknown part',
      area({ parts: [{ polygon: [] }] }),
      '/coverage/areas/1/parts/0/polygon',
      'unknown_key',
      /"polygon"/
    ],
    ['both forms at once', area({ parts: [{ codes: ['ID'] }], west: 1 }), '/coverage/areas/1/west', 'rule', /once/],
    ['no shape', area({ name: 'x' }), '/coverage/areas/1/parts', 'required', /an area needs a shape/],
    ['no area', area(5), '/coverage/areas/1', 'type', /an area needs a shape/],
    ['empty name', area({ name: ' ', codes: ['ID'] }), '/coverage/areas/1/name', 'range', /empty/],
    ['unknown code', area({ codes: ['ID', 'Idaho'] }), '/coverage/areas/1/codes/1', 'format', /UGC/],
    ['a geometry without type', area({ geometry: {} }), '/coverage/areas/1/geometry/type', 'required', /missing/],
    [
      'a point is no area',
      area({ geometry: { type: 'Point', coordinates: [0, 0] } }),
      '/coverage/areas/1/geometry/type',
      'choice',
      /Polygon or MultiPolygon, not "Point"/
    ],
    [
      'a position of one number',
      area({ geometry: { type: 'Polygon', coordinates: [[[1]]] } }),
      '/coverage/areas/1/geometry/coordinates/0/0',
      'range',
      /position/
    ],
    [
      'channel 8',
      { notifications: { region_routes: { cells: { fire: { 'A/B ~': { mt: 8 } } } } } },
      '/notifications/region_routes/cells/fire/A~1B ~0/mt',
      'range',
      /0 to 7/
    ],
    [
      'unknown severity',
      { notifications: { rules: [{ min_severity: 'warn' }] } },
      '/notifications/rules/0/min_severity',
      'choice',
      /routine, priority/
    ],
    ['a list for an object', { station: [] }, '/station', 'type', /an object \{…\}, not a list/],
    [
      'a serial radio without its path',
      { radios: [{ id: 'a', network: 'mt', link: 'serial' }] },
      '/radios/0/path',
      'rule',
      /needs a path/
    ],
    [
      'a password that is a number',
      { notifications: { destinations: { d: { smtp_password: 987654 } } } },
      '/notifications/destinations/d/smtp_password',
      'type',
      /^must be a text in quotes$/
    ],
    ['not an object at all', null, '', 'type', /an object/]
  ]
  for (const [name, input, path, code, message] of cases) {
    t.test(name, async (t) => {
      t.match(issuesOf(configSchema, input), [{ path, code, message }])
      t.equal(issuesOf(configSchema, input).length, 1)
    })
  }

  t.test('the message of the failure names the thing, the first place and how many more there are', async (t) => {
    const input = { enabled: 1, cells: { fire: { N: { mt: 9 } } } }
    t.throws(() => parseWith(regionRoutesBodySchema, input, 'the region matrix'), {
      code: 'invalid',
      message: 'the region matrix is not valid at /enabled: must be true or false, not 1 (and 1 more)'
    })
  })
})

t.test('a pointer names what was written: the wrong value itself, or an object that lacks the key', async (t) => {
  const bad = fc.constantFrom<unknown>('x', null, true, 1e9, -1e9, {}, [])
  const number = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -80, max: 80 }) as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: bad }
  )
  const box = fc.array(number, { minLength: 3, maxLength: 5 })
  const circle = fc.record({ lat: number, lon: number, radius_km: number }, { requiredKeys: [] })
  const compass = fc.record({ west: number, south: number, east: number, north: number }, { requiredKeys: ['west'] })
  const parts = fc.array(
    fc.oneof(fc.record({ bbox: box }), fc.record({ circle }), fc.record({ codes: fc.array(fc.string()) }))
  )
  const area = fc.oneof(compass, fc.record({ bbox: box, circle }, { requiredKeys: [] }), fc.record({ parts }), bad)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(area), (areas) => {
        for (const { path, code } of issuesOf(coverageSchema, { areas })) {
          const parent = at({ areas }, path.slice(0, path.lastIndexOf('/')))
          const there = at({ areas }, path) !== undefined
          if (!there && !(code === 'required' && typeof parent === 'object'))
            throw new Error(`${path} (${code}) in ${JSON.stringify(areas)}`)
        }
      }),
      { numRuns: 500 }
    )
  )
})

t.test('the short forms mean what the long form means', async (t) => {
  const long = { name: 'N', parts: [{ bbox: [1, 2, 3, 4] }] }
  t.same(v.parse(areaSchema, { name: 'N', west: 1, south: 2, east: 3, north: 4 }), long)
  t.same(v.parse(areaSchema, { name: 'N', bbox: [1, 2, 3, 4] }), long)
  t.same(v.parse(areaSchema, { codes: ['idc013'], bbox: [1, 2, 3, 4] }), {
    name: null,
    parts: [{ bbox: [1, 2, 3, 4] }, { codes: ['IDC013'] }]
  })
})

t.test('no object of the configuration, a profile or a body takes a list in its place', async (t) => {
  const seen = new Set<unknown>()
  let objects = 0
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    const { kind, type } = node as { kind?: string; type?: string }
    if (kind === 'schema' && /object|record/.test(type ?? '')) {
      objects++
      if (v.safeParse(node as v.GenericSchema, []).success) {
        t.fail(`${type} takes a list: ${Object.keys(Object(Reflect.get(node, 'entries'))).join(', ')}`)
      }
    }
    for (const inner of Object.values(node)) visit(inner)
  }
  visit([configSchema, regionRoutesBodySchema, profileSchema])
  t.ok(objects > 15, `${objects} looked at`)
  t.match(issuesOf(regionRoutesBodySchema, { enabled: true, cells: [] }), [{ path: '/cells', code: 'type' }])
})

t.test('the order of the keys never matters to the schema', async (t) => {
  const value = {
    coverage: { areas: [{ name: 'A', west: 1, south: 2, east: 3, north: 4 }], enabled: false },
    station: { name: 'x' }
  }
  fc.assert(
    fc.property(fc.nat(), (seed) =>
      t.same(v.parse(configSchema, shuffledKeys(value, seed)), v.parse(configSchema, value))
    )
  )
})

t.test('of a file with a thousand faults the first two hundred are told', async (t) => {
  const areas = Array.from({ length: 1000 }, () => ({ name: 7 }))
  const judged = judgeConfig(Buffer.from(JSON.stringify({ coverage: { areas } })), 'config.json')
  t.equal(judged.ok ? 0 : judged.problems.length, 200)
})

/** Longer than many steps: rings of positions, a list of numbers alone, objects inside of each other. */
const long = (shift: number): Record<string, unknown> => ({
  coverage: {
    areas: Array.from({ length: 5 }, (_, n) => ({
      name: `A${n}`,
      geometry: {
        type: 'Polygon',
        coordinates: [Array.from({ length: 400 }, (_, k) => [-115 + k / 1000 + (n === 3 ? shift : 0), 44 + n / 10])]
      }
    }))
  },
  numbers: Array.from({ length: 3000 }, (_, n) => n + shift),
  inner: Array.from({ length: 600 }, (_, n) => ({ n, list: [[], {}, [n]] }))
})

t.test(
  'a document of thousands of values is read, judged, frozen and written in steps, none of it twice or never',
  (t) => {
    const before = JSON.stringify(long(0), null, 2)
    const after = JSON.stringify(long(1), null, 2)
    const { root } = written(before)
    const pieces = root.members.map(({ key, value }) => [key, JSON.parse(before.slice(value.start, value.end))])
    t.same(Object.fromEntries(pieces), long(0))
    t.equal(root.members[1]?.value.items.length, 3000)
    t.equal(rewriteJson(long(1), written(before)), `${after}\n`)
    t.equal(rewriteJson(long(1), null), `${after}\n`)
    const steps = [
      () => readJsonSteps(before),
      () => rewriteSteps(long(1), written(before)),
      () => judgeSteps(Buffer.from(before), 'config.json'),
      () => freezeSteps(long(0))
    ]
    for (const work of steps) t.ok([...work()].length > 5, String(work))
    const frozen = drain(freezeSteps(long(0)))
    const isDeeplyFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))
    t.ok(isDeeplyFrozen(frozen))
    t.end()
  }
)

t.test('a ring is let through exactly when each position is one, and is not changed', async (t) => {
  const degrees = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.double(), fc.constantFrom(null, '1', [1]))
  const rings = fc.array(fc.oneof(fc.array(degrees, { maxLength: 4 }), fc.constantFrom(null, 7, {})), { maxLength: 4 })
  const isGood = (at: unknown): boolean =>
    Array.isArray(at) &&
    at.length >= 2 &&
    at.every((one) => typeof one === 'number' && Number.isFinite(one)) &&
    at[1] >= -90 &&
    at[1] <= 90
  fc.assert(
    fc.property(rings, (ring) => {
      const { success, output } = v.safeParse(areaSchema, { geometry: { type: 'Polygon', coordinates: [ring] } })
      t.equal(success, ring.every(isGood))
      if (success) t.same(output.parts[0]?.geometry?.coordinates, [ring])
    })
  )
})
