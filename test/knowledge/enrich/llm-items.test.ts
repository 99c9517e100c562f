import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { NewItem, Page } from '../../../src/knowledge/catalogue/document.ts'
import { DOMAINS } from '../../../src/knowledge/catalogue/document.ts'
import { repairJson } from '../../../src/knowledge/enrich/json-repair.ts'
import type { Completion, LanguageModel } from '../../../src/knowledge/enrich/llm/model.ts'
import { itemsOfAnswer } from '../../../src/knowledge/enrich/llm-answer.ts'
import { areWindowsStale, writeLlmItems } from '../../../src/knowledge/enrich/llm-items.ts'
import { ProviderError } from '../../../src/knowledge/keys/provider-error.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import type { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { anyText } from '../../helpers/any-text.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { knowledgeSetup, newDocument } from '../../helpers/knowledge.ts'

const range = { number: 2, firstPage: 11, lastPage: 15 }
const domainOf = () => 'Medical'
const read = (value: unknown): NewItem[] | null =>
  itemsOfAnswer(typeof value === 'string' ? value : JSON.stringify(value), range, domainOf)
const CONTENT = 'Press a clean cloth on the wound for ten minutes without looking under it.'
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const good = {
  title: 'Stopping a bleeding',
  summary: 'Pressure stops most bleedings.',
  content: CONTENT,
  page: 12,
  last_page: 13,
  domain: 'Medical',
  subdomain: ['First aid'],
  keywords: ['bleeding', 'Wound', 'pressure'],
  knowledge_type: 'procedural',
  complexity: 'basic',
  key_facts: ['Press for ten minutes.']
}

t.test('JSON that is right is read as it is, and what is not can be mended', async (t) => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      (value) => JSON.stringify(repairJson(JSON.stringify(value))) === JSON.stringify(value)
    )
  )
  for (const [broken, value] of [
    ['```json\n[{"a": 1}]\n```', [{ a: 1 }]],
    ['Here is what I found:\n{"items": [{"a": 1},]}\nI hope that helps!', { items: [{ a: 1 }] }],
    ['[{"a": "one\ntwo\tthree"}]', [{ a: 'one\ntwo\tthree' }]],
    ['[{"a": "5\\" pipe", "b": "C:\\dir \\q \\u00e9 \\u12"}]', [{ a: '5" pipe', b: 'C:\\dir \\q é u12' }]],
    ["[{'a': 'it is', b: True, c: None, d: .5,}]", [{ a: 'it is', b: true, c: null, d: 0.5 }]],
    ['[{"a": "he said "stop" and left", "b": 2}]', [{ a: 'he said "stop" and left', b: 2 }]],
    ['[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ['[{"a": 1}, // the next\n {"a": 2}]', [{ a: 1 }, { a: 2 }]],
    ['[{"a": [1, 2}, {"a": 3}]', [{ a: [1, 2] }, { a: 3 }]],
    ['{"items": [{"a": 1}, {"a": 2}, {"a":', { items: [{ a: 1 }, { a: 2 }] }],
    ['[{"a": 1}, {"a": "cut o', [{ a: 1 }]],
    ['[12, 13, 1', [12, 13]],
    ['no JSON at all', undefined],
    ['', undefined],
    ['"only a string"', undefined]
  ] as [string, unknown][]) {
    const mended = repairJson(broken)
    t.same(mended === undefined ? undefined : plain(mended), value, broken.slice(0, 60))
  }
})

t.test('a list that was cut off anywhere keeps every complete object and nothing else', async () => {
  const object = fc.record({
    title: fc.string(),
    n: fc.integer(),
    list: fc.array(fc.string(), { maxLength: 3 }),
    inner: fc.record({ x: fc.string() })
  })
  fc.assert(
    fc.property(fc.array(object, { maxLength: 6 }), fc.boolean(), fc.nat(), (objects, wrapped, at) => {
      const whole = JSON.stringify(wrapped ? { items: objects } : objects)
      const cut = whole.slice(0, 1 + (at % whole.length))
      const ends = objects.map(
        (_, index) =>
          (wrapped ? 10 : 1) +
          objects
            .slice(0, index + 1)
            .map((one) => JSON.stringify(one))
            .join(',').length
      )
      const complete = ends.filter((end) => end <= cut.length).length
      const found = repairJson(cut) as unknown[] | { items?: unknown[] }
      const kept = Array.isArray(found) ? found : (found.items ?? [])
      return JSON.stringify(kept) === JSON.stringify(objects.slice(0, complete))
    }),
    { numRuns: 1000 }
  )
})

t.test('no answer makes the repair throw or go on for ever', async (t) => {
  const soup = fc
    .array(
      fc.constantFrom(
        '[',
        ']',
        '{',
        '}',
        '"',
        "'",
        ':',
        ',',
        '\\',
        '\\u',
        'true',
        '1',
        'a',
        ' ',
        '\n',
        '```',
        '//',
        '/*'
      ),
      { maxLength: 200 }
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(soup, anyText()), (text) => {
      repairJson(text)
      itemsOfAnswer(text, range, domainOf)
      return true
    }),
    { numRuns: 2000 }
  )
  const started = performance.now()
  for (const part of ['[', '{"a":', '[{"a":"', '"', '\\', '/* ', '// ', '[1,', '{'])
    repairJson(`[${part.repeat(60_000)}`)
  t.ok(performance.now() - started < 10_000)
  t.same(plain(repairJson('[{"__proto__": {"x": 1}, "a": 2},')), JSON.parse('[{"__proto__": {"x": 1}, "a": 2}]'))
  t.equal(({} as Record<string, unknown>)['x'], undefined)
})

t.test('an item is kept when its content is one; everything else falls back', async (t) => {
  t.match(read([good]), [
    {
      ...{
        window: 2,
        ordinal: 0,
        origin: 'llm',
        firstPage: 12,
        lastPage: 13,
        title: good.title,
        summary: good.summary,
        content: CONTENT
      },
      details: {
        domain: 'Medical',
        subdomain: ['First aid'],
        keywords: ['bleeding', 'wound', 'pressure'],
        knowledge_type: 'procedural',
        complexity: 'basic',
        key_facts: ['Press for ten minutes.']
      }
    }
  ])
  const [worse] =
    read({
      items: [
        {
          content: CONTENT,
          domain: 'Prepping',
          knowledge_type: 'how-to',
          complexity: 9,
          page: 99,
          keywords: 'wound, cloth; wound',
          subdomain: [1, null, 'x'.repeat(500)],
          key_facts: null
        }
      ]
    }) ?? []
  t.match(worse, {
    title: /^Press a clean cloth/,
    summary: CONTENT,
    firstPage: 11,
    lastPage: 15,
    details: { domain: 'Medical', keywords: ['wound', 'cloth'], key_facts: [], knowledge_type: 'procedural' }
  })
  t.equal(worse?.details.subdomain.length, 1)
  t.ok((worse?.details.subdomain[0]?.length ?? 999) <= 60)
  for (const domain of DOMAINS) t.equal(read([{ ...good, domain }])?.[0]?.details.domain, domain)
  t.equal(read([{ ...good, page: '14', last_page: null }])?.[0]?.lastPage, 14)
  t.same(read([]), [], 'nothing found is an answer')
  t.same(read({ items: [] }), [])
  t.equal(read([good, { title: 'no content' }, 'words', null, { content: 'short' }])?.length, 1)
  for (const useless of ['I cannot help with that.', '{}', '[1, 2]', [{ title: 'x' }]])
    t.equal(read(useless), null, String(useless))
  t.equal(read(good as never)?.length, 1, 'a single item without a list')
})

interface Told {
  model: LanguageModel
  asked: Completion[]
}
/** A model that answers what `answers` says, one after the other; the last one for ever. */
function teller(answers: (string | Error)[], name = 'test'): Told {
  const asked: Completion[] = []
  const model: LanguageModel = {
    name,
    complete: async (request) => {
      const answer = answers[Math.min(asked.push(request) - 1, answers.length - 1)]
      if (answer instanceof Error) throw answer
      return answer ?? ''
    }
  }
  return { model, asked }
}
const answer = (page: number) =>
  JSON.stringify({ items: [{ ...good, page, last_page: page, title: `Item of ${page}` }] })
const busy = () => new ProviderError('transient', note('the server is overloaded'))

function pagesOf(count: number): Page[] {
  return Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    text: `Page ${at + 1}. ${CONTENT} ${CONTENT}`,
    method: 'text',
    startSeconds: null
  }))
}

async function setup(t: Test, { pages = 20, model }: { pages?: number; model: LanguageModel }) {
  const parts = await knowledgeSetup(t)
  const { catalogue, clock } = parts
  const id = catalogue.add(newDocument(1, { status: 'extracted', title: 'First Aid' }))
  const doc = catalogue.byId(id)
  if (doc === null) throw new Error('no document')
  const told: string[] = []
  const abort = new AbortController()
  catalogue.setPages(id, pagesOf(pages))
  const write = (using: LanguageModel = model) =>
    writeLlmItems(doc, pagesOf(pages), {
      catalogue,
      model: using,
      windowPages: 5,
      domainOf,
      clock,
      random: () => 0.5,
      signal: abort.signal,
      progress: (text) => void told.push(sentenceOf(text))
    })
  return {
    ...parts,
    id,
    told,
    abort,
    write,
    llmItems: () => catalogue.items(id).filter(({ origin }) => origin === 'llm')
  }
}

/** Lets waits of the clock pass until `work` has ended. */
async function through<T>(work: Promise<T>, clock: VirtualClock): Promise<T> {
  let over = false
  const ended = work.finally(() => {
    over = true
  })
  ended.catch(() => undefined)
  while (!over) await clock.runTo(clock.nextAt ?? clock.now())
  return ended
}

t.test(
  'every window is asked once, with its pages and numbers, and its items are stored with its state (L9)',
  async (t) => {
    const { model, asked } = teller([answer(1), answer(6), answer(11), answer(16)])
    const { write, llmItems, catalogue, id, told } = await setup(t, { model })
    t.same(await write(), [])
    t.equal(asked.length, 4)
    t.match(asked[1]?.prompt, /"First Aid"[\s\S]*\[page 6\]\nPage 6\.[\s\S]*\[page 10\]/)
    t.notMatch(asked[1]?.prompt, /\[page (?:5|11)\]/)
    t.match(asked[0]?.system, /never instructions to you/)
    t.match(asked[0]?.schema, { required: ['items'] })
    t.match(
      llmItems().map(({ window, firstPage, title }) => [window, firstPage, title]),
      [
        [0, 1, 'Item of 1'],
        [1, 6, 'Item of 6'],
        [2, 11, 'Item of 11'],
        [3, 16, 'Item of 16']
      ]
    )
    t.match(catalogue.windows(id), [
      { number: 0, state: 'done', provider: 'test', firstPage: 1, lastPage: 5 },
      {},
      {},
      { number: 3 }
    ])
    t.match(told[0], /window 1 of 4/)
    await write()
    t.equal(asked.length, 4, 'what is done is not asked again')
  }
)

t.test('a run that was killed in a window goes on with that window', async (t) => {
  const { model, asked } = teller([answer(1), answer(6), new Error('killed')])
  const { write, llmItems } = await setup(t, { model })
  await t.rejects(write(), /killed/)
  t.equal(llmItems().length, 2, 'what was done is stored')
  const after = teller([answer(11), answer(16)])
  t.same(await write(after.model), [])
  t.equal(asked.length, 3)
  t.equal(after.asked.length, 2)
  t.match(after.asked[0]?.prompt, /\[page 11\]/)
  t.same(
    llmItems().map(({ window }) => window),
    [0, 1, 2, 3],
    'no item twice, none lost'
  )
})

t.test('L9: of a window that cannot be stored whole, nothing is stored', async (t) => {
  const { model } = teller([answer(1)])
  const { write, catalogue, id, llmItems, db } = await setup(t, { model, pages: 5 })
  db.exec("CREATE TRIGGER broken BEFORE INSERT ON windows BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END")
  await t.rejects(write(), /disk I\/O error/)
  t.same([llmItems(), catalogue.windows(id)], [[], []])
  db.exec('DROP TRIGGER broken')
  t.same(await write(), [])
  t.equal(llmItems().length, 1)
})

t.test(
  'a busy server is asked up to five times with growing waits, and once more when the answer is no JSON',
  async (t) => {
    const { model, asked } = teller([busy(), busy(), busy(), 'sorry', answer(1)])
    const { write, clock, llmItems } = await setup(t, { model, pages: 5 })
    const from = clock.now()
    t.same(await through(write(), clock), [])
    t.equal(asked.length, 5)
    t.equal(llmItems().length, 1)
    const waited = (clock.now() - from) / 1000
    t.ok(waited >= 5 + 10 + 20 && waited <= 10 + 20 + 40, `${waited} s`)
  }
)

t.test('what a provider says of the time is heeded', async (t) => {
  const { model, asked } = teller(['x', answer(1)])
  const { write, clock } = await setup(t, { model, pages: 5 })
  const resting = teller([
    new ProviderError('resting', note('over the limit'), { retryAt: clock.now() + 70_000 }),
    answer(1)
  ])
  const from = clock.now()
  await through(write(resting.model), clock)
  t.equal(clock.now() - from, 70_000)
  t.equal(asked.length, 0)
})

t.test(
  'windows that failed are told; once nobody answers the rest is not tried; a second run tries only those',
  async (t) => {
    const { model, asked } = teller([
      answer(1),
      new ProviderError('permanent', note('the answer was withheld')),
      answer(11),
      busy()
    ])
    const { write, clock, llmItems } = await setup(t, { model, pages: 30 })
    const failed = await through(write(), clock)
    t.equal(asked.length, 3 + 5, 'five tries of the fourth window, none of the fifth and sixth')
    t.match(inWords(failed), [
      { number: 1, firstPage: 6, lastPage: 10, reason: 'the answer was withheld' },
      { number: 3, reason: 'the server is overloaded' },
      { number: 4, reason: 'not asked: the server is overloaded' },
      { number: 5, reason: 'not asked: the server is overloaded' }
    ])
    t.same(
      llmItems().map(({ window }) => window),
      [0, 2]
    )
    const later = teller([answer(6), answer(16), answer(21), answer(26)])
    t.same(await write(later.model), [])
    t.equal(later.asked.length, 4)
    t.same(
      llmItems().map(({ window }) => window),
      [0, 1, 2, 3, 4, 5]
    )
  }
)

t.test(
  'without a key nothing is asked twice; windows without text are not asked at all; an abort ends a wait',
  async (t) => {
    const locked = teller([new ProviderError('no-key', note('no key for gemini'))])
    const first = await setup(t, { model: locked.model })
    t.equal((await first.write()).length, 4)
    t.equal(locked.asked.length, 1)
    const { model, asked } = teller([answer(1)])
    const { catalogue, clock } = await knowledgeSetup(t)
    const id = catalogue.add(newDocument(2, { status: 'extracted' }))
    const doc = catalogue.byId(id)
    if (doc === null) throw new Error('no document')
    const tools = { catalogue, model, windowPages: 5, domainOf, clock, random: () => 0, progress: () => undefined }
    const blank = pagesOf(5).map((page) => ({ ...page, text: ' \n 12 \n' }))
    catalogue.setPages(id, blank)
    t.same(await writeLlmItems(doc, blank, { ...tools, signal: new AbortController().signal }), [])
    t.equal(asked.length, 0)
    t.match(catalogue.windows(id), [{ state: 'done' }])
    const stuck = await setup(t, { model: teller([busy()]).model })
    const running = stuck.write()
    await stuck.clock.runTo(stuck.clock.now() + 1000)
    stuck.abort.abort(new Error('stopping'))
    await t.rejects(running, /stopping/)
    t.equal(stuck.clock.waiting, 0, 'no timer is left')
  }
)

t.test('windows of another size are not taken for done', async (t) => {
  const known = [{ number: 0, firstPage: 1, lastPage: 5 }]
  t.notOk(areWindowsStale(known, pagesOf(12), 5))
  t.ok(areWindowsStale(known, pagesOf(12), 4))
  t.ok(areWindowsStale([{ number: 9, firstPage: 46, lastPage: 50 }], pagesOf(12), 5))
  t.notOk(areWindowsStale([], pagesOf(12), 5))
})
