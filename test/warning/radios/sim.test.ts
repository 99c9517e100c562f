import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { Peer } from '../../helpers/peer.ts'

/** `npm run sim:mt` and `sim:mc`, as a person starts them. */

t.test('a peer whose input ends, as in the background, says so and goes on until it is told to end', async (t) => {
  for (const network of ['mt', 'mc'] as const) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const peer = await Peer.start(network, ['--port', '0'])
      t.teardown(() => peer.stop())
      await peer.tell(network === 'mt' ? { notify: 'hello' } : { do: 'mend' })
      peer.closeInput()
      t.match(await peer.until('stdin closed'), { message: /goes on until Ctrl-C or SIGTERM/ }, network)
      const client = connect(peer.port, '127.0.0.1')
      await once(client, 'connect')
      await peer.until('client')
      client.destroy()
      t.equal(await peer.stop(signal), 0, `${network} ends well by ${signal}`)
    }
  }
})

t.test('a peer that is told to quit ends', async (t) => {
  for (const network of ['mt', 'mc'] as const) {
    const peer = await Peer.start(network, ['--port', '0'])
    t.teardown(() => peer.stop())
    await t.rejects(peer.tell(network === 'mt' ? { quit: true } : { do: 'quit' }), { message: /it has ended/ })
    t.equal(await peer.stop(), 0, network)
  }
})
