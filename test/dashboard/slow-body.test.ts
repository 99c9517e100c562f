import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Test } from 'tap'
import t from 'tap'
import { allowSlowBody, limitBody, windDown } from '../../src/dashboard/server/slow-body.ts'

type Front = (req: IncomingMessage, res: ServerResponse) => void

/** Sends the head of a POST and what `then` gives, and answers what came back until the end of the connection. */
async function talk(t: Test, front: Front, then: (send: (text: string) => void) => void): Promise<string> {
  const server = createServer(front)
  t.teardown(() => server.closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk.toString()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      server.close()
      resolve(heard)
    })
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
    then((text) => socket.write(text))
  })
}

t.test('a body that does not come in time is a 408; what was answered already is cut off', async (t) => {
  t.match(
    await talk(
      t,
      (req, res) => limitBody(req, res, 30),
      () => undefined
    ),
    /^HTTP\/1\.1 408 /
  )
  const answered = await talk(
    t,
    (req, res) => {
      limitBody(req, res, 30)
      res.writeHead(200, { 'Content-Length': 2 }).end('ok')
    },
    () => undefined
  )
  t.match(answered, /^HTTP\/1\.1 200 .*ok$/s)
})

t.test('an upload that has come whole may be worked on for longer than it may be silent', async (t) => {
  const heard = await talk(
    t,
    (req, res) => {
      allowSlowBody(req, 1000)
      req.resume()
      req.on('end', () => setTimeout(() => res.writeHead(201, { Connection: 'close' }).end('kept'), 1300))
    },
    (send) => send('x'.repeat(1_000_000))
  )
  t.match(heard, /^HTTP\/1\.1 201 .*kept/s)
})

t.test('an upload may take longer, but not for ever without a byte', async (t) => {
  let came = 0
  let more = (): void => undefined
  const heard = await talk(
    t,
    (req, res) => {
      limitBody(req, res, 400)
      allowSlowBody(req, 1000)
      req.on('data', (chunk: Buffer) => {
        came += chunk.length
        if (came < 3) setTimeout(more, 300)
      })
      req.on('error', () => undefined)
    },
    (send) => {
      more = () => send('x')
      more()
    }
  )
  t.equal(heard, '', 'nobody is told anything: the connection just ends')
  t.equal(came, 3, 'all that came before was read')
})

t.test('who was refused gets the answer while still sending, and is cut off when that goes on too long', async (t) => {
  for (const [name, limits] of [
    ['too many bytes', { bytes: 1000, ms: 60_000 }],
    ['too long', { bytes: 1e9, ms: 50 }]
  ] as const) {
    const heard = await talk(
      t,
      (req, res) => {
        windDown(req, limits)
        res.writeHead(413, { 'Content-Length': 5 }).end('large')
      },
      (send) => setTimeout(() => send('x'.repeat(50_000)), 20)
    )
    t.match(heard, /^HTTP\/1\.1 413 .*large$/s, name)
  }
})
