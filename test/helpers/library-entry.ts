// A parent with a library server, for the tests of what is left when it is killed: tells the server's process id.
import { LibraryServer } from '../../src/knowledge/library/server.ts'
import { serverOptions } from './archives.ts'

const server = new LibraryServer(serverOptions(process.argv[2] ?? ''))
await server.want(true)
const timer = setInterval(() => {
  if (server.state().status !== 'running') return
  process.stdout.write(`serving ${server.pid} ${server.state().url}\n`)
  clearInterval(timer)
}, 50)
setInterval(() => undefined, 1000)
