import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import t, { type Test } from 'tap'
import { readJsonBody } from '../../src/dashboard/server/body.ts'
import { bodyStream } from '../../src/dashboard/server/body-stream.ts'

type Read = (req: IncomingMessage, res: ServerResponse) => Promise<unknown>

/** The answer of `read` to a request whose sender went away before it began to read. */
async function afterwards(
  t: Test,
  { announced, sent }: { announced: number; sent: string },
  read: Read
): Promise<string> {
  const server = createServer()
  t.teardown(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n${sent}`
  )
  const [req, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  req.on('error', () => undefined)
  client.destroy()
  if (!req.closed) await once(req, 'close').catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const never = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('never ends'), 5000)
  })
  const told = read(req, res).then(
    (value) => `read ${value}`,
    (error: Error) => `failed: ${error.message}`
  )
  return Promise.race([told, never]).finally(() => clearTimeout(timer))
}

const streamed =
  (cutOff: 'fails' | 'ends'): Read =>
  async (req, res) => {
    let text = ''
    for await (const chunk of bodyStream(req, res, cutOff)) text += String(chunk)
    return JSON.stringify(text)
  }

// A name is looked for and space is asked about before the first byte is read: a sender may be gone by then.
t.test('a body whose sender is gone before anybody reads it ends at once, and leaves no reader waiting', async (t) => {
  const cut = { announced: 200, sent: 'half of it' }
  t.equal(await afterwards(t, cut, streamed('fails')), 'failed: the client broke off')
  t.match(await afterwards(t, cut, streamed('ends')), /^read "/)
  t.equal(await afterwards(t, cut, readJsonBody), 'failed: The body was cut off.')
})

t.test('the same when all of it had come, and nobody had read it', async (t) => {
  const whole = { announced: 12, sent: '{"all": true}'.slice(0, 12) }
  t.match(await afterwards(t, whole, streamed('fails')), /^(?:failed: the client broke off|read ")/)
  t.match(await afterwards(t, whole, streamed('ends')), /^read "/)
  t.match(await afterwards(t, whole, readJsonBody), /^failed: /)
})
