import t, { type Test } from 'tap'
import * as v from 'valibot'
import type { AskPassage } from '../../../src/knowledge/search/service.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import type { CommandContext, Library } from '../../../src/warning/commands/ask.ts'
import { CommandHandler } from '../../../src/warning/commands/handler.ts'
import { CommandJournal } from '../../../src/warning/commands/journal.ts'
import type { NewText } from '../../../src/warning/outbox/delivery.ts'
import { PinnedKeys } from '../../../src/warning/outbox/pinned-keys.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import type { InboundText } from '../../../src/warning/radios/radio.ts'
import { note } from '../../helpers/in-words.ts'

const NOW = Date.parse('2026-07-01T12:00:00Z')
const MT = { id: 'mt', network: 'mt', nodeName: 'LOOK' } as const
const MC = { id: 'mc', network: 'mc', nodeName: 'Lookout' } as const
const LONG =
  'Boil the water for one minute at a rolling boil. Above two thousand metres boil it for three minutes, because water boils at a lower temperature there. Let it cool down by itself with a lid on top. Cloudy water is first filtered through a clean cloth, or left to settle, and only then boiled. Boiled water tastes better when it is poured back and forth between two clean pots.'

const SAID = { n: 1, text: 'A sentence of the book.' }

function passage(n: number, patch: Partial<AskPassage> = {}): AskPassage {
  const citation = { text: `Book ${n}`, url: `/documents/h${n}` }
  return {
    n,
    hash: `h${n}`,
    title: `Field Book ${n}`,
    heading: '',
    text: LONG,
    snippet: `...cut out of the book ${n}`,
    score: 1,
    badge: 'PDF',
    page: 10 + n,
    item_id: n,
    citation,
    ...patch
  }
}

interface Station {
  handler: CommandHandler
  clock: VirtualClock
  replies: NewText[]
  errors: unknown[]
  woken: () => number
  /** Texts that come back, in order. */
  ask: (text: string, more?: Partial<InboundText> & { radio?: typeof MT | typeof MC }) => Promise<string[]>
}

async function station(t: Test, library: Partial<Library> | null): Promise<Station> {
  const clock = new VirtualClock(NOW)
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  t.teardown(() => db.close())
  const replies: NewText[] = []
  const errors: unknown[] = []
  let woken = 0
  let keys = 0
  const knowledge: Library = {
    documents: () => 3,
    ask: async () => ({
      answer: null,
      confidence: 'found',
      citations: [],
      excerpt: SAID,
      passages: [passage(1), passage(2)]
    }),
    codeOf: ({ item_id }) => `7Q4M${item_id}`,
    ...library
  }
  const config = v.parse(configSchema, {})
  const other = {} as Omit<CommandContext, 'knowledge'>
  const handler = new CommandHandler({
    config: () => config,
    now: () => clock.now(),
    journal: new CommandJournal(db),
    keys: new PinnedKeys(db),
    context: library === null ? other : { ...other, knowledge },
    reply: (reply) => replies.push(reply),
    transaction: (work) => db.transaction(work),
    wake: () => woken++,
    onError: (error) => errors.push(error),
    after: (ms, task) => clock.after(ms, task)
  })
  const ask: Station['ask'] = async (text, { radio = MT, ...more } = {}) => {
    const before = replies.length
    handler.receive(radio, {
      key: `k${keys++}`,
      text,
      from: '!00000001',
      fromName: 'Ann',
      direct: true,
      channel: null,
      late: false,
      publicKey: null,
      ...more
    } as InboundText)
    await clock.runTo(clock.now() + 1000)
    return replies.slice(before).map(({ text: said }) => said)
  }
  return { handler, clock, replies, errors, woken: () => woken, ask }
}

t.test('!ask sends what the best passage says with its source and the code that opens it', async (t) => {
  const asked: string[] = []
  const s = await station(t, {
    ask: async (question) => {
      asked.push(question)
      return { answer: null, confidence: 'found', citations: [], excerpt: SAID, passages: [passage(1), passage(2)] }
    }
  })
  t.same(await s.ask('!ASK  how do I boil water?'), ['A sentence of the book. - Field Book 1 p11 /k/7Q4M1'])
  t.same(asked, ['how do I boil water?'])
  t.equal(s.woken(), 1, 'the outbox hears of a late reply')
  t.match(s.replies, [{ transport: 'mt', channel: '!00000001', direct: true, key: 'k0', expiresAt: NOW + 300_000 }])
})

t.test(
  "the model's answer comes without its marks, with the first passage it cites, in two texts at most",
  async (t) => {
    const s = await station(t, {
      ask: async () => ({
        answer: `${LONG} [2] [1]`,
        confidence: 'found',
        citations: [{ n: 2, text: '', url: '' }],
        passages: [passage(1), passage(2)]
      })
    })
    for (const [radio, limit] of [
      [MT, 200],
      [MC, 160]
    ] as const) {
      const texts = await s.ask('!ask how', { radio, from: radio === MT ? '!00000001' : 'aabbccddeeff' })
      t.equal(texts.length, 2)
      const [first = '', second = ''] = texts
      t.match(first, /^1\/2 Boil the water/)
      t.match(second, /^2\/2 .*\.\.\. - Field Book 2 p12 \/k\/7Q4M2$/)
      for (const text of texts) t.ok(Buffer.byteLength(text) <= limit, `${text} has ${Buffer.byteLength(text)} bytes`)
      const joined = `${first.slice(4)} ${second.slice(4).replace(/\.\.\. - Field.*$/, '')}`
      t.ok(LONG.startsWith(joined), 'nothing is lost between the two, and no word is cut')
      t.notMatch(texts.join(), /\[\d\]/)
    }
    t.equal(new Set(s.replies.map(({ key }) => key)).size, 4, 'the second text is no repeat of the first')
  }
)

t.test(
  'where no sentence may be said, !ask names the nearest page and says nothing of what stands there',
  async (t) => {
    const s = await station(t, {
      ask: async () => ({ answer: null, confidence: 'not_found', citations: [], passages: [passage(1), passage(2)] })
    })
    t.same(await s.ask('!ask how much bleach'), ['Not found. Nearest: Field Book 1 p11 /k/7Q4M1'])
  }
)

t.test(
  'perhaps is said so, the heading stands beside the source, and sentences that do not fit are left out whole',
  async (t) => {
    const says = async (excerpt: { n: number; text: string; heading?: string }, confidence: 'found' | 'perhaps') => {
      const s = await station(t, {
        ask: async () => ({ answer: null, confidence, citations: [], excerpt, passages: [passage(1)] })
      })
      return s.ask('!ask x')
    }
    t.same(await says({ n: 1, text: '- Use tweezers.', heading: 'Ticks' }, 'perhaps'), [
      'Perhaps: Use tweezers. - Ticks, Field Book 1 p11 /k/7Q4M1'
    ])
    const [first = '', second = ''] = await says({ n: 1, text: LONG }, 'found')
    t.match(`${first} ${second}`, /only then boiled\. \.\.\. - Field Book 1/)
  }
)

t.test('texts of any script and any length keep to the limit', async (t) => {
  for (const said of [
    'Ж'.repeat(500),
    '水を沸かす。'.repeat(80),
    'x'.repeat(900),
    `${'word '.repeat(38)}end`,
    '!help /start'
  ]) {
    const s = await station(t, {
      ask: async () => ({
        answer: null,
        confidence: 'found',
        citations: [],
        excerpt: { n: 1, text: said },
        passages: [passage(1, { title: 'Ж'.repeat(80) })]
      })
    })
    const texts = await s.ask('!ask x', { radio: MC, from: '', fromName: 'Ann', direct: false, channel: 'north' })
    t.ok(texts.length === 1 || texts.length === 2)
    for (const text of texts)
      t.ok(Buffer.byteLength(text) <= 160 - 'Lookout: '.length, `${Buffer.byteLength(text)} bytes`)
    t.match(texts.at(-1), /p11 \/k\/7Q4M1$/, 'the code is always there')
    t.notMatch(texts[0], /^[!/]/)
  }
})

t.test('a clear answer when there is nothing to ask, nobody to ask, or nothing found', async (t) => {
  t.same(await (await station(t, null)).ask('!ask x'), ['This station keeps no library.'])
  t.same(await (await station(t, { documents: () => 0 })).ask('!ask x'), ['The library of this station is empty.'])
  t.match(await (await station(t, {})).ask('!ask'), [/^What do you want to know/])
  const nothing = await station(t, {
    ask: async () => ({ answer: null, confidence: 'not_found', citations: [], passages: [] })
  })
  t.same(await nothing.ask('!ask x'), ['The library has nothing about that.'])
  const down = await station(t, {
    ask: async () => Promise.reject(new AppError('unavailable', note('the search crashed')))
  })
  t.same(await down.ask('!ask x'), ['The library does not answer now. Ask again later.'])
  t.match(down.errors, [{ message: 'the search crashed' }], 'the log knows why')
  const gone = await station(t, { codeOf: () => null })
  t.same(await gone.ask('!ask x'), ['A sentence of the book. - Field Book 1 p11'])
})

t.test('a library that does not answer is given up after 90 s; other commands go on meanwhile', async (t) => {
  let gaveUp = false
  const s = await station(t, {
    ask: (_question, signal) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          gaveUp = true
        })
      )
  })
  t.same(await s.ask('!ask x'), [])
  t.match(await s.ask('!help'), [/!ask QUESTION/])
  await s.clock.runTo(s.clock.now() + 90_000)
  t.equal(s.replies.at(-1)?.text, 'The library does not answer now. Ask again later.')
  t.ok(gaveUp, 'whoever looks hears that nobody waits any more')
})

t.test(
  'three questions in ten minutes for each, ten for all, then one notice; other commands still work',
  async (t) => {
    const s = await station(t, {})
    for (let count = 0; count < 3; count++) t.match(await s.ask('!ask x'), [/A sentence/])
    t.match(await s.ask('!ask x'), [/^Too many questions: 3 in 10 minutes\. Ask again at /])
    t.same(await s.ask('!ask x'), [])
    t.match(await s.ask('!help'), [/^Ask: /])
    for (let node = 2; node < 9; node++) t.match(await s.ask('!ask x', { from: `!0000000${node}` }), [/A sentence/])
    t.match(
      await s.ask('!ask x', { from: '!000000aa' }),
      [],
      'all ten are used up, and one notice was enough for everybody'
    )
    await s.clock.runTo(s.clock.now() + 11 * 60_000)
    t.match(await s.ask('!ask x'), [/A sentence/])
  }
)

t.test('when the station stops, questions under way are given up and nothing is written any more', async (t) => {
  const s = await station(t, {
    ask: (_question, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  })
  t.same(await s.ask('!ask x'), [])
  s.handler.stop()
  await s.clock.runTo(s.clock.now() + 100_000)
  t.same(s.replies, [])
  t.same(s.errors, [])
})

t.test('!help names !ask only where there is a library', async (t) => {
  t.match(await (await station(t, {})).ask('!help'), [/!why CODE, !ask QUESTION/])
  t.notMatch((await (await station(t, null)).ask('!help'))[0], /!ask/)
})
