import t from 'tap'
import { archiveName, articleUrl, publicRoot, wikiBase } from '../../../src/knowledge/library/citation.ts'

t.test('every link is {base}/{archive name}/{article path}, each segment encoded by itself (Z7)', async (t) => {
  const cases: [string, string, string, string][] = [
    ['http://hill:8081', 'wikem_2026-05.zim', 'Burns', 'http://hill:8081/wikem_2026-05/Burns'],
    ['http://hill:8081/', 'wikem_2026-05.zim', '', 'http://hill:8081/wikem_2026-05/'],
    ['http://hill:8081/content', 'w.zim', 'A/Wells/Deep', 'http://hill:8081/content/w/A/Wells/Deep'],
    ['http://h', 'w.zim', 'What? 100% #1', 'http://h/w/What%3F%20100%25%20%231'],
    ['http://h', 'w.zim', 'Größe/水', 'http://h/w/Gr%C3%B6%C3%9Fe/%E6%B0%B4'],
    ['http://h', 'w.zim', 'site.org/page?a=1&b=2', 'http://h/w/site.org/page%3Fa%3D1%26b%3D2'],
    ['http://h', 'w.zim', 'a//b', 'http://h/w/a//b'],
    ['http://h', 'w.zim', 'broken\ud800name', 'http://h/w/broken%EF%BF%BDname'],
    ['http://h', 'What? Now.zim', 'x', 'http://h/what%3F_now/x']
  ]
  for (const [base, file, path, url] of cases) t.equal(articleUrl(base, file, path), url)
})

t.test('an archive has the name the server gives its file', async (t) => {
  const cases: [string, string][] = [
    ['wikipedia_en_all_maxi_2026-01.zim', 'wikipedia_en_all_maxi_2026-01'],
    ['WikiMed.zim', 'wikimed'],
    ['Äpfel B+c ß%20x.zim', 'apfel_bplusc_ß%20x'],
    ['split.zimaa', 'split'],
    ['two.zim.zim', 'two.zim']
  ]
  for (const [file, name] of cases) t.equal(archiveName(file), name)
})

t.test('readers open articles at wiki_url, else under the name they used, with the port of the library', async (t) => {
  const ours = { kind: 'supervised', url: 'http://127.0.0.1:8081', prefix: '' } as const
  const newer = { ...ours, prefix: '/content' } as const
  const external = { kind: 'external', url: 'http://127.0.0.1:8430/wiki', prefix: '/content' } as const
  const away = { kind: 'external', url: 'https://wiki.example', prefix: '' } as const
  const none = { kind: 'supervised', url: null, prefix: '' } as const
  const cases: [Parameters<typeof wikiBase>[0], string | null][] = [
    [{ wikiUrl: '', server: ours, requestHost: 'hill.local:8080' }, 'http://hill.local:8081'],
    [{ wikiUrl: '', server: newer, requestHost: 'hill.local:8080' }, 'http://hill.local:8081/content'],
    [{ wikiUrl: '', server: ours, requestHost: 'hill.local' }, 'http://hill.local:8081'],
    [{ wikiUrl: '', server: ours, requestHost: '[::1]:8080' }, 'http://127.0.0.1:8081'],
    [{ wikiUrl: '', server: ours, requestHost: '[fd00::5]:8080' }, 'http://[fd00::5]:8081'],
    [{ wikiUrl: '', server: ours, requestHost: undefined }, 'http://127.0.0.1:8081'],
    [{ wikiUrl: '', server: ours, requestHost: 'not a host' }, 'http://127.0.0.1:8081'],
    [{ wikiUrl: '', server: external, requestHost: 'hill:8080' }, 'http://hill:8430/wiki/content'],
    [{ wikiUrl: '', server: away, requestHost: 'hill:8080' }, 'https://wiki.example'],
    [{ wikiUrl: 'https://wiki.example/', server: newer, requestHost: 'hill' }, 'https://wiki.example/content'],
    [{ wikiUrl: 'https://wiki.example/content', server: newer, requestHost: 'hill' }, 'https://wiki.example/content'],
    [{ wikiUrl: 'https://wiki.example', server: none, requestHost: 'hill' }, 'https://wiki.example'],
    [{ wikiUrl: '', server: none, requestHost: 'hill' }, null]
  ]
  for (const [input, base] of cases) t.equal(wikiBase(input), base, JSON.stringify(input))
  t.equal(publicRoot(newer, 'hill:8080'), 'http://hill:8081', 'the welcome page stands above the books')
})
