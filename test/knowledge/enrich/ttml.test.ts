import t from 'tap'
import { readCues } from '../../../src/knowledge/enrich/captions.ts'
import { looksLikeTtml, vttOfTtml } from '../../../src/knowledge/enrich/ttml.ts'
import { AppError } from '../../../src/platform/errors.ts'

const document = (body: string, root = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xml:lang="en" ${root}><head><styling><style xml:id="s"/></styling></head><body>${body}</body></tt>`

const cues = (body: string, root = '') => readCues(vttOfTtml(document(body, root))).cues

t.test('captions in TTML become WebVTT with the times they have', async (t) => {
  t.same(
    cues(
      '<div><p begin="00:00:01.500" end="00:00:04.000">Boil the <span>water</span><br/>for one minute.</p>' +
        '<p begin="5s" dur="2s">Then let it &amp; the pot cool &lt;here&gt;.</p></div>'
    ),
    [
      { start: 1.5, end: 4, lines: ['Boil the water', 'for one minute.'] },
      { start: 5, end: 7, lines: ['Then let it & the pot cool <here>.'] }
    ]
  )
})

t.test('each kind of time is read: frames, ticks, minutes, offsets of what stands around', async (t) => {
  const times = (body: string, root = '') => cues(body, root).map(({ start, end }) => [start, end])
  t.same(times('<p begin="00:01:00:12" end="00:01:01:00">a</p>', 'ttp:frameRate="24"'), [[60.5, 61]])
  t.same(times('<p begin="20000000t" end="40000000t">a</p>', 'ttp:tickRate="10000000"'), [[2, 4]])
  t.same(times('<p begin="1.5m" end="2m">a</p><p begin="250ms" end="1h">b</p>'), [
    [0.25, 3600],
    [90, 120]
  ])
  t.same(times('<div begin="10s"><p begin="1s" end="2s">a</p><p begin="3s">b</p></div>'), [
    [11, 12],
    [13, 13]
  ])
})

t.test('what is no TTML is refused, and nothing of a document type is followed', async (t) => {
  const refusal = (text: string): unknown => {
    try {
      return vttOfTtml(text)
    } catch (error) {
      return error
    }
  }
  for (const text of ['<html><p>Boil</p></html>', 'WEBVTT', '<tt><body><p begin="1s">cut off', '<tt>&unknown;</tt>']) {
    const error = refusal(text)
    t.ok(error instanceof AppError, text)
    t.match(error, { code: 'invalid', message: /captions cannot be read/ })
  }
  const bomb = `<!DOCTYPE tt [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${document('<p begin="1s" end="2s">&b;</p>').slice(39)}`
  t.ok(refusal(bomb) instanceof AppError, 'entities of its own are unknown')
  t.ok(looksLikeTtml(document('')))
  t.ok(looksLikeTtml('<tt:tt xmlns:tt="x">'))
  t.notOk(looksLikeTtml('<html>'))
  t.notOk(looksLikeTtml('<title>'))
})
