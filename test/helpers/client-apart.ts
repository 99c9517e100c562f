import { Worker } from 'node:worker_threads'
import type { Test } from 'tap'

/** A client in a thread of its own, whose work is not counted. */
export function clientApart(t: Test, port: number): (path: string, posted?: unknown) => Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads')
     const { request } = require('node:http')
     parentPort.on('message', ({ path, body, port }) => {
       const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
       const req = request({ port, path, method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (res) => {
         res.resume().on('end', () => parentPort.postMessage(res.statusCode))
       })
       req.on('error', () => parentPort.postMessage(0))
       req.end(body)
     })`,
    { eval: true }
  )
  t.teardown(() => worker.terminate())
  return (path: string, posted?: unknown): Promise<number> =>
    new Promise((resolve) => {
      worker.once('message', resolve)
      worker.postMessage({ path, body: posted === undefined ? undefined : JSON.stringify(posted), port })
    })
}
