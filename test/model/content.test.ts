import t from 'tap'
import {
  ALERT_PATHS,
  CONTENT_KINDS,
  contentFrom,
  contentOf,
  FINAL_KINDS,
  HOLD_REASONS,
  isComposed,
  isOfOneEvent,
  KIND_OF_PATH,
  MESSAGE_KINDS,
  MESSAGE_PATHS,
  type MessageContent,
  wordsOf
} from '../../src/model/content.ts'

const EVERY: MessageContent[] = [
  ...ALERT_PATHS.flatMap((path): MessageContent[] => [
    { kind: 'alert', says: 'new', path },
    { kind: 'alert', says: 'update', path }
  ]),
  { kind: 'end' },
  ...HOLD_REASONS.map((of): MessageContent => ({ kind: 'digest', of })),
  ...FINAL_KINDS.map((kind): MessageContent => ({ kind }))
]

t.test('a message is read from the words of its row as it was written, whatever its kind', (t) => {
  t.same([...new Set(EVERY.map(({ kind }) => kind))].sort(), [...CONTENT_KINDS].sort())
  for (const content of EVERY) {
    const { kind, path } = wordsOf(content)
    t.same(contentFrom(kind, path, content.kind === 'digest' ? content.of : null), content)
    t.equal(KIND_OF_PATH[path], content.kind)
  }
  t.end()
})

t.test('words that no version wrote make no message', (t) => {
  for (const [kind, path, of] of [
    ['new', '', null],
    ['new', 'matrix ', null],
    ['', 'matrix', null],
    ['cancel', 'matrix', null],
    ['new', 'digest', null],
    ['new', 'digest', 'a reason of tomorrow'],
    ['new', 'toString', null]
  ] as const)
    t.equal(contentFrom(kind, path, of), null, `${kind} ${path}`)
  t.end()
})

t.test('each way and each word of a row belongs to a kind', (t) => {
  const words = EVERY.map(wordsOf)
  t.same([...new Set(words.map(({ path }) => path))].sort(), [...MESSAGE_PATHS].sort())
  t.same([...new Set(words.map(({ kind }) => kind))].sort(), [...MESSAGE_KINDS].sort())
  t.end()
})

t.test('what a decision plans is an alert or an end', (t) => {
  t.same(contentOf({ kind: 'update', path: 'fallback' }), { kind: 'alert', says: 'update', path: 'fallback' })
  t.same(contentOf({ kind: 'cancel', path: 'cancel' }), { kind: 'end' })
  t.end()
})

t.test('an alert and its end are of one event, a digest has words of several, and all others are final', (t) => {
  const names = (holds: (content: MessageContent) => boolean): string[] => [
    ...new Set(EVERY.filter(holds).map(({ kind }) => kind))
  ]
  t.same(names(isOfOneEvent), ['alert', 'end'])
  t.same(names(isComposed), ['alert', 'end', 'digest'])
  t.end()
})
