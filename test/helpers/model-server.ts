import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** One request as a provider sees it. */
export interface Asked {
  method: string
  path: string
  /** From either header. */
  key: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any
  headers: IncomingMessage['headers']
}

export interface Said {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON, or a text as it is. */
  body?: unknown
  /** The connection breaks after half of the body. */
  cut?: boolean
  /** Never answers. */
  silent?: boolean
}

export interface ModelServer {
  url: string
  asked: Asked[]
}

/** A server that speaks to clients of language models: what it says is up to the test. */
export async function modelServer(t: Test, say: (asked: Asked, count: number) => Said): Promise<ModelServer> {
  const asked: Asked[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const one: Asked = {
        method: req.method ?? '',
        path: req.url ?? '',
        key: keyOf(req),
        body: text === '' ? null : JSON.parse(text),
        headers: req.headers
      }
      asked.push(one)
      answer(res, say(one, asked.length))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function keyOf({ headers }: IncomingMessage): string | null {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  const google = headers['x-goog-api-key']
  return bearer ?? (typeof google === 'string' ? google : null)
}

function answer(
  res: ServerResponse,
  { status = 200, headers = {}, body = {}, cut = false, silent = false }: Said
): void {
  if (silent) return
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers })
  if (!cut) {
    res.end(text)
    return
  }
  res.write(text.slice(0, text.length / 2), () => res.destroy())
}

/** As chat completions answer. */
export function chat(content: string | null, more: object = {}): Said {
  return { body: { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop', ...more }] } }
}

/** As generateContent answers. */
export function gemini(text: string, more: object = {}): Said {
  return { body: { candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP', ...more }] } }
}
