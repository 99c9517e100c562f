import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { siteIcon } from '../../../src/knowledge/scrape/mirror/icon.ts'

export interface Served {
  status?: number
  type?: string
  headers?: Record<string, string>
  body?: string | Buffer
}
export type Site = Record<string, Served | string>

export interface RunningSite {
  origin: string
  /** Paths that were asked for, in order. */
  asked: string[]
  agents: Set<string>
  /** Changed by tests while it runs. */
  pages: Site
  /** Called before each answer; a promise holds the answer up. */
  before: (path: string) => Promise<void> | void
  close: () => Promise<void>
}

const html = (title: string, body: string, head = ''): string =>
  `<!DOCTYPE html><html><head><title>${title}</title>${head}</head><body><h1>${title}</h1>${body}</body></html>`

export const picture = (name: string): Buffer => siteIcon(name)

/** A site of 40 pages with what real ones have: style sheets, pictures, fonts, redirects, traps, scripts, a robots.txt. */
export function wellsSite(): Site {
  const articles = Array.from({ length: 32 }, (_, n) => n + 1)
  const list = articles.map((n) => `<li><a href="/articles/${n}?utm_source=list#top">Article ${n}</a></li>`).join('')
  const site: Site = {
    '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private/\n' },
    '/': html(
      'Wells &amp; pumps',
      `<ul>${list}</ul>
       <p><a href="/umlaut/K%C3%BCche">Küche</a> <a href="/umlaut/日本">日本</a> <a href="old">old</a> <a href="/dir/">dir</a>
       <a href="/dir">dir again</a> <a href="/private/secret">secret</a> <a href="/gone">gone</a> <a href="/manual.pdf">manual</a>
       <a href="https://elsewhere.example/x">elsewhere</a> <a href="javascript:alert(1)">js</a> <a href="mailto:a@b.example">mail</a>
       <a href="/out">out</a> <a href="/index.html">home</a> <a href="#here">here</a> <a href="/based/">based</a></p>
       <img src="/img/logo.png" onerror="alert(1)" alt="Logo" width="48"><img src="data:image/gif;base64,R0lGOD" data-src="/img/late.png">
       <img srcset="/img/small.png 320w, /img/wide.png 1000w, /img/huge.png 4000w"><img src="/img/missing.png" alt="missing">
       <script src="/app.js"></script><script>document.write("<a href='/from-script'>x</a>")</script>
       <noscript><p>No script: <a href="/articles/1">one</a></p></noscript><iframe src="https://ads.example/frame"></iframe>
       <form action="/search"><input name="q"></form><div style="background: url('/img/back.png')">styled</div>`,
      `<link rel="stylesheet" href="/css/main.css" integrity="sha256-x"><link rel="preload" href="/font.woff2" as="font">
       <style>body { background: url(/img/logo.png) }</style><link rel="icon" href="/favicon.ico"><meta charset="iso-8859-1">
       <meta http-equiv="Content-Security-Policy" content="default-src 'none'">`
    ),
    '/css/main.css': {
      type: 'text/css',
      body: '@import "more.css"; @font-face { src: url("../font.woff2") } /* c */ a { background: url(data:image/png;base64,AA) }'
    },
    '/css/more.css': {
      type: 'text/css; charset=utf-8',
      body: 'h1 { background: url( "/img/back.png" ) } b { background: url(/none.png) }'
    },
    '/font.woff2': { type: 'font/woff2', body: Buffer.from('wOF2 not really') },
    '/favicon.ico': { type: 'image/x-icon', body: picture('icon') },
    '/app.js': { type: 'text/javascript', body: 'alert(1)' },
    '/umlaut/K%C3%BCche': html('Küche', '<p>Grüße aus der Küche. <a href="../articles/2">two</a></p>'),
    '/umlaut/%E6%97%A5%E6%9C%AC': { type: 'text/html', body: html('日本', '<p>井戸</p>') },
    '/old': { status: 301, headers: { Location: '/articles/3' } },
    '/dir/': html('Folder', '<p><a href="inside">inside</a></p>'),
    '/dir/inside': html('Inside', '<p><a href="..">up</a></p>'),
    '/private/secret': html('Secret', 'not for robots'),
    '/out': { status: 302, headers: { Location: 'http://127.0.0.1:1/elsewhere' } },
    '/based/': html('Based', '<a href="one">one</a><img src="logo.png">', '<base href="/based/sub/">'),
    '/based/sub/one': html('One', 'below the base'),
    '/based/sub/logo.png': { type: 'image/png', body: picture('based') },
    '/manual.pdf': { type: 'application/pdf', body: '%PDF-1.4' }
  }
  for (const name of ['logo', 'late', 'wide', 'back', 'huge', 'small'])
    site[`/img/${name}.png`] = { type: 'image/png', body: picture(name) }
  for (const n of articles)
    site[`/articles/${n}`] = html(
      `Article ${n}`,
      `<p>How to build well number ${n}, with a rope and a bucket, and keep its water clean.</p>
       <a href="${n === 32 ? '/' : n + 1}?fbclid=1">next</a> <a href="/articles/${n}">self</a><img src="/img/logo.png">`
    )
  return site
}

export async function serveSite(t: Test, pages: Site): Promise<RunningSite> {
  const asked: string[] = []
  const agents = new Set<string>()
  const running: RunningSite = {
    origin: '',
    asked,
    agents,
    pages,
    before: () => undefined,
    close: async () => undefined
  }
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const path = req.url ?? '/'
    asked.push(path)
    agents.add(req.headers['user-agent'] ?? '')
    await running.before(path)
    const known = running.pages[path] ?? running.pages[path.split('?')[0] ?? '']
    const {
      status = 200,
      type = 'text/html; charset=utf-8',
      headers = {},
      body = ''
    } = known === undefined ? { status: 404, body: 'not here' } : typeof known === 'string' ? { body: known } : known
    res.writeHead(status, { 'Content-Type': type, ...headers })
    res.end(body)
  }
  const server = createServer((req, res) => void answer(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  running.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.teardown(() => running.close())
  return running
}
