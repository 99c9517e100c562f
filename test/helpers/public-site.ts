import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { publicOnly } from '../../src/platform/net/public-address.ts'

export type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** A web server on 127.0.0.2, which stands for the public Internet here; every other address is refused. */
export async function site(
  t: Test,
  handle: Handler,
  host = '127.0.0.2'
): Promise<{ port: number; url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((req, res) => {
    seen.push(`${req.headers.host}${req.url}`)
    handle(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${host}:${port}`, seen }
}

/** Only 127.0.0.2 is allowed; `names` resolve as given, each time the next of the list. */
export function guard(names: Record<string, string[][]> = {}) {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    const answers = names[host] ?? [['127.0.0.2']]
    const nth = Math.min(asked.filter((name) => name === host).length, answers.length) - 1
    return (answers[nth] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return { asked, guard: publicOnly({ resolve, isAllowed: (address) => address === '127.0.0.2' }) }
}
