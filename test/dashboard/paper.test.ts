import { request } from 'node:http'
import t, { type Test } from 'tap'
import { printSheet } from '../../src/dashboard/paper/print.ts'
import { because } from '../../src/model/reason.ts'
import { CommandJournal } from '../../src/warning/commands/journal.ts'
import { needsProgram } from '../helpers/convert-tools.ts'
import { type printApart, textOfPdf } from '../helpers/paper.ts'
import { FROM_AFAR, fire, launch, NOW, queue, radio, type Station, station } from './harness.ts'

/** The papers as PDF: what the page says, set in a process of its own (docs/interface.md §7). */

const config = {
  station: { name: 'Ridge Station', timezone: 'America/Boise', country: 'US' },
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] }
}
const LOG = '/api/comms-log?day=2026-07-01'

async function withFire(t: Test, context: Parameters<typeof station>[1] = {}): Promise<Station> {
  const s = await station(t, { config, radios: [radio({ simulated: false })], ...context })
  await s.ask({ path: '/api/events', body: fire })
  return s
}

function tell(s: Station, text: string, { simulated = false } = {}): number {
  const id = queue(s, 1)
  launch(s.outbox, id, text, { simulated })
  return id
}

interface Paper {
  status: number
  headers: Record<string, string | string[] | undefined>
  pdf: Buffer
}

function paper(s: Station, path: string, headers: Record<string, string> = {}): Promise<Paper> {
  return new Promise((resolve, reject) => {
    request({ port: s.service.port, path, agent: false, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, pdf: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}

/** Words as they were drawn, one after another: where lines broke does not matter. */
const drawn = (pdf: Buffer): string => textOfPdf(pdf, '-raw').replace(/\s+/g, '')
const tight = (...words: (string | number | null)[]): string => words.join('').replace(/\s+/g, '')

t.test('the PDF of a log has every line of it, in its order, with time, sender, channel, text and fate', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const s = await withFire(t)
  const heard = tell(s, 'FIRE Pine: go <now> & "take" the dog')
  s.outbox.apply(heard, 'hear', { reason: null, step: because('heard'), patch: { heard_by: 2 } })
  for (let n = 0; n < 120; n++) {
    s.clock.set(NOW + 1000 * n)
    tell(s, `FIRE Pine UPD ${n}. Leave by Highway 20 east, which is open, and do not come back`)
  }
  const failed = queue(s, 1)
  s.outbox.apply(failed, 'fail', { reason: 'no_channel', step: because('no_text') })
  tell(s, 'into the void', { simulated: true })
  new CommandJournal(s.db).add({
    ...{ key: 'k1', sender: 'mt !a1b2c3d4', command: 'status', outcome: 'answered', at: NOW + 90_500 }
  })
  const { entries } = (await s.ask(LOG)).body
  const { status, headers, pdf } = await paper(s, `${LOG}&format=pdf&incident=Croy+%3CFire%3E&operator=W7ABC`)
  t.match({ status, headers }, { status: 200, headers: { 'content-type': 'application/pdf' } })
  t.match(headers['content-disposition'], 'filename="comms-log-2026-07-01.pdf"')
  const text = drawn(pdf)
  const onAir = entries.filter((row: Record<string, unknown>) => row['on_air'] === 'yes')
  t.equal(onAir.length, 122)
  let at = 0
  for (const { local, from, to, message, number } of onAir) {
    const line = tight(local.slice(11), from, number === null ? '' : `no. ${number}`, to, message)
    const found = text.replaceAll(/RidgeStation·Comm.*?Message/g, '').indexOf(line, at)
    t.ok(found >= at, line)
    at = found
  }
  t.match(text, tight('Heard by 2'))
  t.match(text.slice(text.lastIndexOf('Notontheair')), /intothevoid.*simulated|simulated.*intothevoid/)
  t.match(text, /1\.IncidentnameandnumberCroy<Fire>.*4\.RadiooperatorW7ABC/)
  t.match(text, tight('Transmissions: 121. Commands received: 1. Not on the air, or not known: 2.'))
  const pages = textOfPdf(pdf).split('\f').slice(0, -1)
  t.ok(pages.length > 3)
  for (const [index, page] of pages.entries()) {
    t.match(page, `Page ${index + 1} of ${pages.length}`)
    t.match(
      page,
      'Ridge Station · Communications log · 2026-07-01 00:00:00 – 2026-07-02 00:00:00 · Croy <Fire> · W7ABC'
    )
    if (index < pages.length - 1) t.match(page, /Time[\s\S]*From[\s\S]*To[\s\S]*Message/, 'its heads again')
  }
})

t.test('the PDF of a report says what its page says', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const s = await withFire(t)
  const told = tell(s, 'FIRE Pine')
  s.outbox.apply(told, 'hear', { reason: null, step: because('heard'), patch: { heard_by: 2 } })
  const failed = queue(s, 1)
  s.outbox.apply(failed, 'fail', {
    reason: 'no_channel',
    step: because('no_channel_index', { radio: 'a', channel: '7' })
  })
  const { pdf, headers } = await paper(s, '/api/exercise-report?event=f1&format=pdf')
  t.match(headers['content-disposition'], 'filename="exercise-report-2026-07-01.pdf"')
  const text = drawn(pdf)
  const [report] = (await s.ask('/api/exercise-report?event=f1')).body.reports
  for (const { channel, message } of report.messages) t.match(text, tight(channel, message ?? ''))
  t.match(text, tight(report.messages[1].why))
  t.match(text, /Report:whowastold.*Whowastold.*FIREPine.*by2.*Whowasnottold,andwhy.*Failed.*Whoacknowledgedit/)
  const german = await paper(s, '/api/exercise-report?day=2026-07-01&format=pdf', { 'accept-language': 'de' })
  t.match(textOfPdf(german.pdf), /Seite 1 von 1/)
  t.equal((await paper(s, '/api/exercise-report?event=none&format=pdf')).status, 404)
})

t.test('a character is itself, or its number and a word about it; copied, it is itself in any case', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const s = await withFire(t)
  tell(s, 'Świnoujście: zażółć gęślą jaźń, tôi là ¿Qué? Überflutung')
  const polish = await paper(s, `${LOG}&format=pdf`)
  t.match(drawn(polish.pdf), tight('Świnoujście: zażółć gęślą jaźń, tôi là ¿Qué? Überflutung'))
  t.notMatch(textOfPdf(polish.pdf), /No font of this station/)
  // Of no script: no font has it.
  tell(s, 'odd \u{2fa1f} sign')
  const odd = await paper(s, `${LOG}&format=pdf`)
  t.match(textOfPdf(odd.pdf).replace(/\s+/g, ' '), /No font of this station has 1 of the characters on these pages/)
})

t.test('a guest has a PDF of what he may know', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const s = await withFire(t)
  const id = s.outbox.addText({
    ...{ kind: 'reply', transport: 'mt', channel: '!a1b2c3d4', direct: true, text: 'secret words', key: 'q' },
    expiresAt: NOW + 60_000
  })
  launch(s.outbox, id, 'secret words', { simulated: false })
  t.match(drawn((await paper(s, `${LOG}&format=pdf`)).pdf), /a1b2c3d4.*secretwords/)
  const { status, pdf } = await paper(s, `${LOG}&format=pdf`, FROM_AFAR)
  t.equal(status, 200)
  t.notMatch(drawn(pdf), /a1b2c3d4|secretwords/)
})

t.test('where the span goes on a PDF says from when', async (t) => {
  if (!needsProgram(t, 'pdftotext')) return
  const s = await withFire(t)
  s.db.transaction(() => {
    for (let n = 0; n < 301; n++) {
      s.clock.set(NOW + 1000 * n)
      tell(s, `text ${n}`)
    }
  })
  const { pdf } = await paper(s, `${LOG}&format=pdf`, FROM_AFAR)
  t.match(textOfPdf(pdf).replace(/\s+/g, ' '), 'The span goes on: the rest begins at 2026-07-01 06:05:00.')
})

t.test('a paper is A4, and Letter where people print on that', async (t) => {
  const sizes: string[] = []
  const print: typeof printApart = async ({ size }) => {
    sizes.push(size)
    return Buffer.from('%PDF')
  }
  for (const country of ['DE', 'US', 'MX', '']) {
    const s = await station(t, { config: { station: { country } }, context: { print } })
    t.equal((await paper(s, `${LOG}&format=pdf`)).status, 200)
  }
  t.same(sizes, ['A4', 'LETTER', 'LETTER', 'A4'])
})

t.test('two PDFs are made at once, one of a guest; who is too many may come again in a moment', async (t) => {
  const waiting: (() => void)[] = []
  const print: typeof printApart = () => new Promise((resolve) => waiting.push(() => resolve(Buffer.from('%PDF'))))
  let address = '10.42.0.9'
  const s = await station(t, { config, context: { print }, addressOf: () => address })
  const begun = async (path: string, headers?: Record<string, string>): Promise<{ answer: Promise<Paper> }> => {
    const before = waiting.length
    const answer = paper(s, path, headers)
    while (waiting.length === before) await new Promise((resolve) => setImmediate(resolve))
    return { answer }
  }
  const first = await begun(`${LOG}&format=pdf`, FROM_AFAR)
  const again = await paper(s, '/api/exercise-report?format=pdf', FROM_AFAR)
  t.match(again, { status: 503, headers: { 'retry-after': '3' } })
  address = '127.0.0.1'
  const own = await begun('/api/exercise-report?format=pdf')
  t.equal((await paper(s, '/api/comms-log?day=2026-06-30&format=pdf')).status, 503)
  for (const finish of waiting) finish()
  t.same([(await first.answer).status, (await own.answer).status], [200, 200])
})

t.test('the process ends once its client has left', async (t) => {
  let begin: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  let ended: (reason: unknown) => void = () => undefined
  const end = new Promise<unknown>((resolve) => (ended = resolve))
  const print: typeof printApart = (_, signal) => {
    begin()
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        ended(signal.reason)
        reject(signal.reason)
      })
    })
  }
  const s = await station(t, { config, context: { print } })
  const req = request({ port: s.service.port, path: `${LOG}&format=pdf`, agent: false })
  req.on('error', () => undefined)
  req.end()
  await begun
  req.destroy()
  t.match(await end, { code: 'unavailable', reason: { code: 'client_has_left' } })
})

t.test('a process that makes no PDF is told as one', async (t) => {
  const sheet = { html: '', title: 'x', head: 'x', words: { page: '', unknown: '' }, size: 'A4' as const }
  const print: typeof printApart = (_, signal) =>
    printSheet(sheet, signal, { command: process.execPath, args: ['-e', 'console.error("no room"); process.exit(1)'] })
  const s = await station(t, { config, context: { print } })
  const { status, pdf } = await paper(s, `${LOG}&format=pdf`)
  t.equal(status, 503)
  t.match(String(pdf), /The PDF could not be made: no room/)
})
