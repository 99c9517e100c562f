/**
 * Looks around as a phone in the hotspot of an image: scripts/image-phones.ts hands it to the board on a second disk and runs it there by the Node of the
 * station, which takes TypeScript, in the network of the phone. It asks the name server that the phone was given, not the one of the board.
 *
 *   node image-phone.ts look TASK.json       names, probes, pages, time: one line of JSON
 *   node image-phone.ts reach HOST:PORT …    what takes a connection: one line of JSON
 *   node image-phone.ts often N M HOST:PORT  N calls, M at a time: how many ended how, one line of JSON
 *   node image-phone.ts listen PORT          takes connections and says a word, until it is ended
 */
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'

const PATIENCE_MS = 20_000
const REACH_MS = 6000
/** A call that nobody answers is over: ARP has asked three times by then. */
const OFTEN_MS = 3500
const SECONDS_1900_TO_1970 = 2_208_988_800
const MDNS = { address: '224.0.0.251', port: 5353 }

/** The address of a name, or the code of the failure. */
async function addressOf(dns: string, name: string): Promise<string> {
  const resolver = new Resolver({ timeout: 5000, tries: 3 })
  resolver.setServers([dns])
  try {
    const [first] = await resolver.resolve4(name)
    return first ?? 'none'
  } catch (error) {
    return codeOf(error)
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** Asks as phones do that know only multicast DNS (RFC 6762). `own`: the address of the phone. */
function addressByMulticast(own: string, name: string): Promise<string> {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)]))
  const question = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...labels,
    Buffer.from([0, 0, 1, 0, 1])
  ])
  return new Promise((done) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    const ask = () => socket.send(question, MDNS.port, MDNS.address)
    const again = setInterval(ask, 2000)
    const end = (answer: string) => {
      clearInterval(again)
      clearTimeout(late)
      socket.close()
      done(answer)
    }
    const late = setTimeout(() => end('none'), PATIENCE_MS)
    socket.on('message', (bytes) => {
      // A response with an answer: its last four bytes are the address of a lone A record.
      if ((bytes[2] ?? 0) & 0x80 && bytes.readUInt16BE(6) > 0) end([...bytes.subarray(-4)].join('.'))
    })
    socket.bind(MDNS.port, () => {
      socket.setMulticastInterface(own)
      socket.addMembership(MDNS.address, own)
      ask()
    })
  })
}

interface Sight {
  /** Status and where it leads, or the code of the failure. */
  saw: string
  text: string
}

interface How {
  method?: string
  headers?: Record<string, string>
  body?: string
}

async function look(dns: string, url: string, { method = 'GET', headers = {}, body = '' }: How = {}): Promise<Sight> {
  const { hostname, port, pathname, search, host } = new URL(url)
  const address = /^[0-9.]+$/.test(hostname) ? hostname : await addressOf(dns, hostname)
  return await new Promise((done) => {
    const asked = request(
      {
        host: address,
        port: port === '' ? 80 : Number(port),
        path: pathname + search,
        method,
        headers: { Host: host, ...headers }
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part) => {
          text += part
        })
        answer.on('end', () => done({ saw: `${answer.statusCode} ${answer.headers.location ?? ''}`.trim(), text }))
      }
    )
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('late')))
    asked.on('error', (error) => done({ saw: codeOf(error), text: '' }))
    asked.end(body)
  })
}

/**
 * `reached`, or why not. Node has told of a connection whose first packet had never left the phone (docs/decisions/0069), so a call counts when it has
 * somebody at its other end; with `word`, when that one has said something.
 */
function reach(host: string, port: number, { patienceMs = REACH_MS, word = false } = {}): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ host, port })
    let silence = 'silence'
    const late = setTimeout(() => end(silence), patienceMs)
    const end = (what: string) => {
      clearTimeout(late)
      socket.destroy()
      done(what)
    }
    socket.on('connect', () => {
      silence = 'connected to nobody'
      if (!word) end(socket.remoteAddress === undefined ? silence : 'reached')
    })
    socket.on('data', () => end('reached'))
    socket.on('close', () => end(silence))
    socket.on('error', (error) => end(codeOf(error)))
  })
}

async function callOften(calls: number, atOnce: number, place: string): Promise<Record<string, number>> {
  const [host = '', port] = place.split(':')
  const ends: Record<string, number> = {}
  for (let done = 0; done < calls; done += atOnce) {
    const group = Array.from({ length: Math.min(atOnce, calls - done) }, () =>
      reach(host, Number(port), { patienceMs: OFTEN_MS, word: true })
    )
    for (const end of await Promise.all(group)) ends[end] = (ends[end] ?? 0) + 1
  }
  return ends
}

/** Seconds since 1970 (RFC 5905), or `none`. */
function timeOf(server: string): Promise<number | string> {
  return new Promise((done) => {
    const socket = createSocket('udp4')
    const end = (answer: number | string) => {
      clearTimeout(late)
      socket.close()
      done(answer)
    }
    const late = setTimeout(() => end('none'), PATIENCE_MS)
    socket.on('message', (bytes) => end(bytes.readUInt32BE(40) - SECONDS_1900_TO_1970))
    const question = Buffer.alloc(48)
    question[0] = 0x23
    socket.send(question, 123, server)
  })
}

interface Task {
  dns: string
  /** The address of the phone. */
  own: string
  names: string[]
  probes: string[]
  pages: string[]
  /** Where the form of the board goes. */
  goOn: string
}

async function lookAround(task: Task): Promise<object> {
  const { dns } = task
  const names = Object.fromEntries(
    await Promise.all(task.names.map(async (name) => [name, await addressOf(dns, name)]))
  )
  const multicast = await addressByMulticast(task.own, 'lookout.local')
  const seen = async () => {
    const all = []
    for (const url of task.probes) all.push((await look(dns, url)).saw)
    return all
  }
  const before = await seen()
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const going = (await look(dns, task.goOn, { method: 'POST', headers: form })).saw
  const after = await seen()
  const pages = []
  for (const url of task.pages) {
    const { saw, text } = await look(dns, url)
    pages.push({ url, saw, title: /Table Rock \d+/.exec(text)?.[0] ?? '' })
  }
  const json = { 'Content-Type': 'application/json' }
  const written = (
    await look(dns, 'http://lookout.lan/api/hotspot', { method: 'PUT', headers: json, body: '{"on":false}' })
  ).saw
  const begun = performance.now()
  const https = await reach(await addressOf(dns, 'www.google.com'), 443)
  const httpsMs = Math.round(performance.now() - begun)
  return {
    names,
    multicast,
    before,
    going,
    after,
    pages,
    written,
    https,
    https_ms: httpsMs,
    time: await timeOf(await addressOf(dns, 'time.apple.com'))
  }
}

const [verb, ...words] = process.argv.slice(2)
if (verb === 'look') console.log(JSON.stringify(await lookAround(JSON.parse(readFileSync(words[0] ?? '', 'utf8')))))
else if (verb === 'reach') {
  const all = words.map(async (word) => {
    const [host = '', port] = word.split(':')
    return [word, await reach(host, Number(port))]
  })
  console.log(JSON.stringify(Object.fromEntries(await Promise.all(all))))
} else if (verb === 'often')
  console.log(JSON.stringify(await callOften(Number(words[0]), Number(words[1]), words[2] ?? '')))
else if (verb === 'listen') {
  const server = createServer((socket) => {
    // Who only looks whether it is there hangs up before the word has come.
    socket.on('error', (error) => console.error(codeOf(error)))
    socket.end('here')
  })
  server.listen(Number(words[0]))
} else process.exitCode = 2
