import fc from 'fast-check'
import t from 'tap'
import { durationText, parseDuration } from '../../../src/platform/clock/duration.ts'
import { COMMANDS, parseCommand } from '../../../src/warning/commands/parse.ts'
import { anyText } from '../../helpers/any-text.ts'

const MINUTE = 60_000

t.test('a command is !word in any case, with blanks around it and words behind it', async (t) => {
  const cases: [string, ReturnType<typeof parseCommand>][] = [
    ['!help', { name: 'help', words: [] }],
    ['  !HELP  ', { name: 'help', words: [] }],
    ['!Ack k7qf  on  my way', { name: 'ack', words: ['k7qf', 'on', 'my', 'way'] }],
    ['!alerts\nNorth', { name: 'alerts', words: ['North'] }],
    ['!silence North Valley 2h smoke drill', { name: 'silence', words: ['North', 'Valley', '2h', 'smoke', 'drill'] }],
    ['!\u200bstatus', { name: 'status', words: [] }]
  ]
  for (const [text, command] of cases) t.same(parseCommand(text), command, JSON.stringify(text))
})

t.test('everything else is none of our business', async (t) => {
  const others = ['', '!', '! help', 'help', 'what? !help', '!helpme', '!help!', '!weather', '!ping', '!!help', '/help']
  for (const text of others) t.equal(parseCommand(text), null, JSON.stringify(text))
})

t.test('whatever arrives, the parser answers null or one of our words, and never throws', async () => {
  const texts = fc.oneof(
    anyText({ maxLength: 400 }),
    fc.tuple(fc.constantFrom(...COMMANDS), anyText()).map(([word, rest]) => `!${word} ${rest}`)
  )
  fc.assert(
    fc.property(texts, (text) => {
      const command = parseCommand(text)
      if (command === null) return true
      return COMMANDS.includes(command.name) && command.words.every((word) => word !== '' && !/\s/.test(word))
    }),
    { numRuns: 2000 }
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...COMMANDS),
      fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,8}$/), { maxLength: 5 }),
      (word, words) => {
        const upper = parseCommand(` !${word.toUpperCase()} ${words.join('  ')} `)
        return upper?.name === word && upper.words.join(' ') === words.join(' ')
      }
    )
  )
})

t.test('a duration is days, hours and minutes, in this order', async (t) => {
  const cases: [string, number | null][] = [
    ['30m', 30 * MINUTE],
    ['2h', 120 * MINUTE],
    ['1D', 1440 * MINUTE],
    ['1d12h', 2160 * MINUTE],
    ['90m', 90 * MINUTE],
    ['', null],
    ['0h', null],
    ['2', null],
    ['h', null],
    ['-2h', null],
    ['2h30', null],
    ['1.5h', null],
    ['30m1h', null],
    ['2 h', null],
    ['999d', null],
    ['2w', null]
  ]
  for (const [text, ms] of cases) t.equal(parseDuration(text), ms, JSON.stringify(text))
})

t.test('a duration that is written can be read, and a read one can be written', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 366 * 1440 }), (minutes) => {
      return parseDuration(durationText(minutes * MINUTE)) === minutes * MINUTE
    })
  )
  fc.assert(
    fc.property(anyText({ maxLength: 12 }), (text) => {
      const ms = parseDuration(text)
      return ms === null || (Number.isSafeInteger(ms) && ms > 0)
    }),
    { numRuns: 2000 }
  )
  t.equal(durationText(0), '0m')
  t.equal(durationText(59_999), '0m')
  t.end()
})
