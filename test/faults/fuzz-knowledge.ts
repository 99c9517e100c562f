import { Parser as HtmlParser } from 'htmlparser2'
import { readerFor } from '../../src/knowledge/addresses/csv-columns.ts'
import { parseAddress } from '../../src/knowledge/addresses/parse.ts'
import { decodeAs } from '../../src/knowledge/encoding/encodings.ts'
import { encodingOf } from '../../src/knowledge/encoding/find.ts'
import { guessEncoding } from '../../src/knowledge/encoding/guess.ts'
import { decodePage } from '../../src/knowledge/encoding/page.ts'
import { readCues } from '../../src/knowledge/enrich/captions.ts'
import { repairJson } from '../../src/knowledge/enrich/json-repair.ts'
import { itemsOfAnswer } from '../../src/knowledge/enrich/llm-answer.ts'
import { cutPages } from '../../src/knowledge/enrich/text-pages.ts'
import { vttOfTtml } from '../../src/knowledge/enrich/ttml.ts'
import { mountOf, parseMounts } from '../../src/knowledge/intake/bulk/mounts.ts'
import { recordingOf } from '../../src/knowledge/intake/convert/caption-tracks.ts'
import { readPage } from '../../src/knowledge/intake/convert/html-role.ts'
import { readTree } from '../../src/knowledge/intake/convert/html-tree.ts'
import { parseResult } from '../../src/knowledge/intake/convert/own-result.ts'
import { usablePng } from '../../src/knowledge/intake/convert/png.ts'
import { parseFilename } from '../../src/knowledge/intake/filename.ts'
import { readFirstPages } from '../../src/knowledge/intake/first-page.ts'
import { refusedByHead, sniff } from '../../src/knowledge/intake/sniff.ts'
import { keysIn, withKey } from '../../src/knowledge/keys/env-file.ts'
import { parseFacts, parseLine } from '../../src/knowledge/library/archive-lines.ts'
import { parseFeed } from '../../src/knowledge/library/feed.ts'
import { countedPages, parseMime } from '../../src/knowledge/library/mime.ts'
import { cleanAddress, decoded } from '../../src/knowledge/scrape/mirror/address.ts'
import { rewriteCss } from '../../src/knowledge/scrape/mirror/css-links.ts'
import { copyPage } from '../../src/knowledge/scrape/mirror/html-copy.ts'
import { sampleEpub, samplePdf, samplePng } from '../helpers/documents.ts'
import { isRefusal, must, ofBytes, ofJson, ofText, type Parser } from './fuzz-parser.ts'

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Safe water</title><meta name="author" content="Ann"><link rel="stylesheet" href="a.css"><base href="/b/"></head><body><nav><a href="x.html">x</a></nav><article><h1>Safe water</h1><p>Boil &amp; cool it for <b>one</b> minute.</p><table><tr><td>1<td>2</table><ul><li>a<li>b</ul><pre>code
  more</pre><img src="data:,x" srcset="a.png 1x, b.png 2x" alt="A pot"><script>alert(1)</script><noscript>n</noscript><iframe src="https://evil.example"></iframe><svg><style>p{background:url(x)}</style></svg></article></body></html>`
const WATCHED =
  '<!doctype html><meta property="og:platform" content="PeerTube"><video><track kind="captions" src="en.vtt" srclang="en" label="English" default></video><script>var p = {"captionTracks":[{"baseUrl":"https://a.example/t?v=1\\u0026l=en","name":{"runs":[{"text":"E ]"}]},"languageCode":"en","kind":"asr"}]};</script>'
const TTML =
  '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" ttp:frameRate="25" ttp:tickRate="10"><body><div begin="10s"><p begin="00:00:01.500" end="00:00:04:10">Boil <span>it</span><br/>now</p><p begin="20t" dur="2m">Cool &amp; keep</p></div></body></tt>'
const TAGS = [
  '<div>',
  '</div>',
  '<p',
  '<a href="',
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<table><tr><td>',
  '<svg>',
  '<style>',
  '&#x41;',
  '&notanentity;',
  '<base href="//evil.example/">',
  ' onerror="x"',
  '<meta http-equiv=refresh content="0;url=x">',
  '<template>',
  '</p>'
]
const OPDS = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><totalResults>1</totalResults><entry><id>urn:uuid:0123</id><title>Wiki</title><language>eng</language><link type="text/html" href="/content/wiki_en"/><link rel="x" type="application/zim" href="/x?a=1&b=2"/></entry></feed>`
const CUES =
  'WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000 align:start\n<v Ann>Boil the <i>water</i>\n&amp; wait\n\n00:05,5 -> 0:6\n{\\an8}next\n'

/** Elements of a copy that would run or load something. */
function loadersIn(html: string): string[] {
  const found: string[] = []
  const parser = new HtmlParser({
    onopentag: (name, { src }) => {
      const isFrame = (name === 'iframe' || name === 'frame') && src !== undefined
      if (name === 'script' || name === 'base' || isFrame) found.push(name)
    }
  })
  parser.end(html)
  return found
}

const texts: readonly Parser[] = [
  ofText({
    name: 'page',
    covers: ['html-tree.ts readTree', 'html-role.ts readPage'].map((one) => `knowledge/intake/convert/${one}`),
    corpus: [PAGE],
    words: TAGS,
    run: (text) => {
      readTree(text)
      readPage(text)
    }
  }),
  ofText({
    name: 'caption-tracks',
    covers: ['knowledge/intake/convert/caption-tracks.ts recordingOf'],
    corpus: [WATCHED],
    words: ['"captionTracks":', '[{', '"}]', '\\"', '<track src="', '<script>', '</script>', 'srclang='],
    run: (text) => must(recordingOf(text).tracks.length <= 200, 'more captions than a recording has')
  }),
  ofText({
    name: 'ttml',
    covers: ['knowledge/enrich/ttml.ts vttOfTtml'],
    corpus: [TTML],
    words: [
      '<p begin="',
      'dur="',
      '00:00:01.5',
      '12t',
      '<br/>',
      '<!DOCTYPE tt [',
      '<!ENTITY a "',
      '&a;',
      '<![CDATA[',
      ']]>'
    ],
    run: (text) => must(vttOfTtml(text).length <= 200 + 60 * text.length, 'captions grow without bound')
  }),
  ofText({
    name: 'page-copy',
    covers: ['knowledge/scrape/mirror/html-copy.ts copyPage'],
    corpus: [PAGE],
    words: TAGS,
    run: (text) => {
      const rules = { page: () => 'p.html', frame: () => null, part: () => 'f.png' }
      const { html } = copyPage(text, rules)
      must(loadersIn(html).length === 0, 'a script, a base or the address of a frame is left in a copy')
    }
  }),
  ofText({
    name: 'css',
    covers: ['knowledge/scrape/mirror/css-links.ts rewriteCss'],
    corpus: [
      '@import "a.css"; p { background: url( "b\\"c.png" ) } q { src: url(d.woff) format("x"), url(\'e\') } /* url(x) */'
    ],
    words: ['url(', 'url("', "url('", '@import "', '\\', ')', '"', '\\000041 ', 'url(\\'],
    run: (text) => must(rewriteCss(text, () => null).length <= 20 + 20 * text.length, 'a sheet grows without bound')
  }),
  ofText({
    name: 'crawled-address',
    covers: ['knowledge/scrape/mirror/address.ts cleanAddress', 'knowledge/scrape/mirror/address.ts decoded'],
    most: 16 * 1024,
    corpus: [
      'https://a.example/x/../y?utm_source=b&c=d#e',
      '//b.example/%7Ea/',
      'mailto:a@b',
      'x;jsessionid=1',
      'http://u:p@c.example/'
    ],
    words: ['/', '..', '%2f', '?a=', '&utm_x=', ';jsessionid=', '[::1]', '@'],
    run: (text) => {
      const url = cleanAddress(text, new URL('https://a.example/f/'))
      must(
        url === null ||
          (/^https?:$/.test(url.protocol) && url.username === '' && url.hash === '' && url.href.length <= 1500),
        'an address that is not archived'
      )
      must(decoded(text).length <= 4 * text.length, 'a path that grows')
    }
  }),
  ofText({
    name: 'captions',
    covers: ['knowledge/enrich/captions.ts readCues'],
    corpus: [CUES, '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n'],
    words: ['-->', '->', '00:00:01.000 --> ', '<v ', '<', '{\\', '&#x', '\n\n', '----->'],
    run: (text) =>
      must(
        readCues(text).cues.every(
          ({ start, end, lines }) => start >= 0 && end >= start && lines.every((line) => !/\n/.test(line))
        ),
        'a caption that ends before it begins'
      )
  }),
  ofText({
    name: 'catalogue-feed',
    covers: ['knowledge/library/feed.ts parseFeed'],
    corpus: [OPDS],
    words: ['<entry>', '</entry>', '<!DOCTYPE x [', '&b=', '<id>', '<x:feed>', '<a><a><a>'],
    run: (text) =>
      must(
        parseFeed(text).entries.every(({ uuid }) => uuid !== ''),
        'a book without an id'
      )
  }),
  ofText({
    name: 'mime',
    covers: ['knowledge/library/mime.ts parseMime', 'knowledge/library/mime.ts countedPages'],
    corpus: ['text/html; charset=utf-8', 'text/html=12;text/html; charset=utf-8=2;image/png=9', 'TEXT/HTML;raw=true'],
    words: [';', '=', 'text/html=', 'charset=', '99999999999999999999'],
    run: (text) => {
      parseMime(text)
      must(!Number.isNaN(countedPages(text) ?? 0), 'no number of pages')
    }
  }),
  ofText({
    name: 'address',
    covers: ['knowledge/addresses/parse.ts parseAddress', 'knowledge/addresses/csv-columns.ts readerFor'],
    most: 4096,
    corpus: [
      '1600 Pennsylvania Ave NW Apt 4, Washington, DC 20500-0003',
      'PO Box 12, Boise ID 83702',
      'Hauptstr. 5a, 10115 Berlin',
      'number,street,city,zipcode,lat,lon'
    ],
    words: ['Apt', '#', 'PO Box', ',', '1/2', 'N', 'St', '20500-0003', 'St St St'],
    run: (text) => {
      parseAddress(text)
      readerFor(text.split(','))(text.split(','))
    }
  }),
  ofText({
    name: 'names-of-files',
    covers: ['knowledge/intake/filename.ts parseFilename', 'knowledge/intake/first-page.ts readFirstPages'],
    corpus: [
      'Where There Is No Doctor - David Werner (2nd ed, 1992).pdf',
      'isbn_978-0-306-40615-7_final_v2(1).epub',
      'SAFE WATER\nby Ann Smith\nThird Edition\nCopyright 2010 Press\nISBN 978-0-306-40615-7\n'
    ],
    words: ['-', '_', '(', ')', '[', 'ed.', 'by', 'ISBN', '19', '20', '©'],
    run: (text) => {
      parseFilename(text.slice(0, 4096))
      readFirstPages(text)
    }
  }),
  ofText({
    name: 'keys-file',
    covers: ['knowledge/keys/env-file.ts keysIn'],
    corpus: ['GEMINI_KEY_1=abc\nexport GEMINI_KEY="d#e" # x\r\nOPENAI_KEY_9=\n'],
    words: ['GEMINI_KEY=', 'export ', '"', "'", ' #', '\r\n', '_KEY_999999='],
    run: (text) => {
      const keys = keysIn(text)
      must(keys.length <= 200 && keys.every(({ value }) => value !== ''), 'an empty key, or too many')
      if (keys.length < 200)
        must(
          keysIn(withKey(text, 'gemini', 'new-key')).some(({ value }) => value === 'new-key'),
          'a key that was added is not read'
        )
    }
  })
]

const ANSWER = {
  items: [
    {
      title: 'Boil water',
      summary: 'How',
      content: 'Boil it for one minute, then let it cool.',
      page: 3,
      last_page: '4',
      keywords: 'a, b',
      key_facts: ['x'],
      domain: 'Medicine'
    }
  ]
}
const LINE = { kind: 'article', entry: 3, path: 'A/b', title: 'B', text: 'Text' }

const answers: readonly Parser[] = [
  ofJson({
    name: 'model-answer',
    covers: ['knowledge/enrich/json-repair.ts repairJson', 'knowledge/enrich/llm-answer.ts itemsOfAnswer'],
    corpus: [ANSWER, [ANSWER.items[0]]],
    words: ['```json', 'True', "'", ',}', '// x\n', '\\x', '[', '{"a":', '"'],
    run: (text) => {
      repairJson(text)
      const range = { number: 1, firstPage: 2, lastPage: 5 }
      const items = itemsOfAnswer(text, range as never, () => 'Medicine') ?? []
      must(
        items.length <= 200 &&
          items.every(
            ({ firstPage, lastPage, content }) =>
              firstPage >= 2 && lastPage <= 5 && firstPage <= lastPage && content.length <= 8000
          ),
        'an item outside of its window'
      )
    }
  }),
  ofJson({
    name: 'side-lines',
    covers: [
      'knowledge/library/archive-lines.ts parseLine',
      'knowledge/library/archive-lines.ts parseFacts',
      'knowledge/intake/convert/own-result.ts parseResult'
    ],
    corpus: [
      LINE,
      { kind: 'error', code: 'bad-input', reason: { code: 'note', params: { text: 'x' } } },
      { uuid: 'u', title: 't', description: '', language: 'eng', date: '', name: 'n', articleCount: 1, mainPath: null }
    ],
    words: ['"kind":"begin"', '"kind":"end"', '"__proto__"'],
    run: (text) => {
      for (const read of [() => parseFacts(text), () => parseResult(text, text)])
        try {
          read()
        } catch (error) {
          if (!isRefusal(error)) throw error
        }
      parseLine(text)
    }
  })
]

async function files(): Promise<Parser[]> {
  const [pdf, epub, png] = [
    await samplePdf(['Boil water']),
    sampleEpub([{ title: 'One', paragraphs: ['Boil'] }]),
    samplePng(9, 7, true)
  ]
  const words = Buffer.from(`${PAGE}\n${CUES}`)
  return [
    ofBytes({
      name: 'sniff',
      covers: ['knowledge/intake/sniff.ts sniff'],
      corpus: [
        pdf.subarray(0, 4096),
        epub,
        png,
        words,
        Buffer.from('\ufeffWEBVTT\n'),
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Array(600).fill(0)])
      ],
      run: async (bytes) => {
        const buffer = Buffer.from(bytes)
        refusedByHead(buffer.subarray(0, 4096), 'a.txt')
        const file = {
          size: buffer.length,
          read: async (at: number, length: number) => buffer.subarray(at, at + length)
        }
        const { type } = await sniff(file as never, 'a.pdf')
        must(type === null || type.startsWith('.'), 'a type that is none')
      }
    }),
    ofText({
      name: 'mounts',
      covers: ['knowledge/intake/bulk/mounts.ts parseMounts'],
      corpus: [
        '36 25 8:17 / /media/My\\040stick rw,relatime shared:1 - vfat /dev/sdb1 rw,uid=0\n25 1 8:1 / / rw - ext4 /dev/sda1 rw\n'
      ],
      run: (text) => {
        const found = parseMounts(text)
        must(found.length <= text.split('\n').length, 'more mounts than lines')
        must(mountOf('/media/a', found) === null || found.length > 0, 'a mount out of nothing')
      }
    }),
    ofBytes({
      name: 'charset',
      covers: [
        'knowledge/encoding/encodings.ts decodeAs',
        'knowledge/encoding/find.ts encodingOf',
        'knowledge/encoding/guess.ts guessEncoding',
        'knowledge/encoding/page.ts decodePage',
        'knowledge/enrich/text-pages.ts cutPages'
      ],
      corpus: [
        words,
        Buffer.from('\ufeffHällo wörld', 'utf16le'),
        Buffer.from('caf\xe9 \x93quoted\x94', 'latin1'),
        Buffer.from('<meta charset="shift_jis">\x82\xa0', 'latin1')
      ],
      run: async (bytes) => {
        const buffer = Buffer.from(bytes)
        const pages = cutPages(decodeAs(buffer, await encodingOf([buffer], guessEncoding)))
        must(pages.join('').length <= 2 * bytes.length + 4 * pages.length, 'more text than bytes')
        await decodePage(buffer, 'text/html; charset=x-none', guessEncoding)
      }
    }),
    ofBytes({
      name: 'png',
      covers: ['knowledge/intake/convert/png.ts usablePng'],
      corpus: [png, samplePng(30, 2)],
      run: (bytes) => {
        const picture = usablePng(Buffer.from(bytes))
        must(picture === null || picture.width * picture.height > 0, 'a picture without pixels')
      }
    })
  ]
}

/** Parsers of documents, pages and archives, and of those who read them beside. */
export async function knowledgeParsers(): Promise<Parser[]> {
  return [...texts, ...answers, ...(await files())]
}
