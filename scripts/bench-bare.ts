/**
 * A bare server as a measure beside the program: polka and sirv, the files of a folder and an open stream, nothing else. What takes how long
 * there, on this machine and at this moment, is what a page costs before anything is made of it.
 *
 *   node --import=tsx scripts/bench-bare.ts FOLDER     # prints `bare ready PORT`, ends with SIGTERM
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import polka from 'polka'
import sirv from 'sirv'

/** Keeps what the program answers, as it went over the wire, in the files that sirv serves. */
export async function keepAnswers(port: number, paths: readonly string[], folder: string): Promise<void> {
  for (const path of paths) {
    const { body, type, encoding } = await answerOf(port, path)
    const name = new URL(path, 'http://bare').pathname
    const ending = type.includes('html') ? '.html' : type.includes('json') ? '.json' : ''
    const file = join(folder, name === '/' ? 'index' : name) + (name.includes('.') ? '' : ending)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, body)
    if (encoding === 'gzip') writeFileSync(`${file}.gz`, body)
  }
}

function answerOf(port: number, path: string): Promise<{ body: Buffer; type: string; encoding: string }> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent: false, headers: { 'accept-encoding': 'gzip, deflate' } }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('end', () =>
        resolve({
          body: Buffer.concat(parts),
          type: res.headers['content-type'] ?? '',
          encoding: res.headers['content-encoding'] ?? ''
        })
      )
    }).on('error', reject)
  })
}

function serve(folder: string): void {
  const { server } = polka()
    .get('/api/stream', (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      res.write(':\n\n')
    })
    .use(sirv(folder, { gzip: true, etag: true, extensions: ['html', 'json'] }))
    .listen(0, '127.0.0.1', () => {
      const address = server?.address()
      console.log(`bare ready ${typeof address === 'object' ? address?.port : ''}`)
    })
  process.once('SIGTERM', () => process.exit(0))
}

const [, script = '', folder] = process.argv
if (folder !== undefined && import.meta.url === pathToFileURL(script).href) serve(folder)
