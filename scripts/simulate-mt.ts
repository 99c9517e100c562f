import { parseArgs } from 'node:util'
import { COMMANDS, runPeer } from '../test/peers/meshtastic-process.ts'

const HELP = `A Meshtastic node without hardware, to try Lookout's driver by hand.

  npm run sim:mt -- [--port 4403] [--host 127.0.0.1] [--pty /path] [--name NAME] [--region N] [--preset N] [--neighbours N] [--airtime MS]

Point a radio at it in config.json:  {"id": "mt", "network": "mt", "link": "tcp", "host": "127.0.0.1"}
or, with --pty (needs socat):        {"id": "mt", "network": "mt", "link": "serial", "path": "/path"}
It prints one JSON object a line: what it transmitted, who connected. Regions: 0 unset, 1 US, 3 EU_868. Presets: 0 LongFast, 6 ShortFast.
Ctrl-C or SIGTERM ends it. In the background, where no commands can come, it goes on.

${COMMANDS}
`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    port: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    pty: { type: 'string' },
    name: { type: 'string', default: 'Peer node' },
    region: { type: 'string', default: '1' },
    preset: { type: 'string', default: '6' },
    neighbours: { type: 'string', default: '1' },
    airtime: { type: 'string', default: '200' },
    ack: { type: 'string', default: '900' }
  }
})

if (values.help) {
  process.stdout.write(HELP)
} else {
  const port = values.port ?? (values.pty === undefined ? '4403' : null)
  await runPeer({
    port: port === null ? null : Number(port),
    host: values.host,
    pty: values.pty ?? null,
    node: {
      name: values.name,
      region: Number(values.region),
      preset: Number(values.preset),
      neighbours: Number(values.neighbours),
      airtimeMs: Number(values.airtime),
      ackMs: Number(values.ack)
    }
  })
}
