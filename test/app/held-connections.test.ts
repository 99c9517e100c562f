import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { ownAddress } from '../faults/attack-network.ts'
import { startLookout } from '../helpers/process.ts'

/** Contract §10: the watch of the service cannot be turned on the station by whoever holds connections. */

const CONNECTIONS = 512
/** As the watch of the service asks: a second on this machine, of some tries, for others may use it meanwhile. */
const MOST_MS = 1000
const TRIES = 20

/** Resolves when the station has answered the first request on it, or has cut it off; the second one is never ended. */
function hold(host: string, port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const done = (): void => resolve(socket)
    socket.on('error', done).once('close', done).once('data', done)
    socket.write(`GET /api/health/live HTTP/1.1\r\nHost: ${host}\r\n\r\nGET / HTTP/1.1\r\nX-a:`)
  })
}

t.test('512 connections held from another address: this machine is answered within a second', async (t) => {
  const host = ownAddress()
  if (host === null) return t.comment('skipped: this machine has no address but loopback')
  // As one address by default, and as many addresses together: one of them may have all there is.
  for (const connections_per_address of [32, 512]) {
    const config = { station: { name: 'Hill' }, http: { connections_per_address } }
    const data = join(t.testdir({ data: { 'config.json': JSON.stringify(config) } }), 'data')
    const { url, launched } = await startLookout(t, data, { args: ['--host', '0.0.0.0', '--no-demo'] })
    const port = Number(new URL(url).port)
    const sockets: Socket[] = []
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    for (let n = 0; n < CONNECTIONS; n++) sockets.push(await hold(host, port))
    const open = sockets.filter((socket) => !socket.destroyed && (socket.address() as AddressInfo).port !== undefined)
    t.ok(open.length <= Math.min(connections_per_address, 496), `${open.length} are held`)
    t.ok(open.length >= 16)
    const times: number[] = []
    for (let n = 0; n < TRIES; n++) {
      const begun = performance.now()
      const { status } = await fetch(`http://127.0.0.1:${port}/api/health/live`, { headers: { connection: 'close' } })
      t.equal(status, 200)
      times.push(performance.now() - begun)
    }
    times.sort((a, b) => a - b)
    t.ok((times[TRIES / 2] ?? 0) < MOST_MS, `answered within ${Math.round(times[TRIES / 2] ?? 0)} ms`)
    await launched.stop()
  }
})
