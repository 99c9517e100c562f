import type { Server } from 'node:https'
import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import type { CertificateFacts, KeyPair } from '../../platform/tls/certificate.ts'
import type { KeyPairs } from '../../platform/tls/key-pairs.ts'

/** Names and addresses of a machine change when a cable is put in; a certificate from files, when its owner renews it. */
const LOOK_MS = 60_000

/** HTTPS as it is now. */
export type HttpsState =
  | { state: 'off' }
  /** Its certificate is being made. */
  | { state: 'starting' }
  /** `problem`: why a newer certificate is not to be had. */
  | { state: 'on'; port: number; certificate: CertificateFacts; problem: Reason | null }
  /** Nobody answers by HTTPS; it is tried again each minute. */
  | { state: 'failed'; reason: Reason }

export interface HttpsPortOptions {
  host: string
  /** 0 = any free one. */
  port: number
  pairs: KeyPairs
  clock: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** A server of https with this pair. */
export type MakeServer = (pair: Pick<KeyPair, 'key' | 'certificate'>) => Server

/**
 * The port of https beside the one of http, which goes on whatever becomes of this one: a certificate that is not to be had and a
 * port that is taken are told, and tried again.
 */
export class HttpsPort {
  readonly #options: HttpsPortOptions
  readonly #ending = new AbortController()
  #make: MakeServer | null = null
  #server: Server | null = null
  #pair: KeyPair | null = null
  #state: HttpsState = { state: 'starting' }
  #said = ''
  #looking: Promise<void> = Promise.resolve()
  #cancel = (): void => undefined

  constructor(options: HttpsPortOptions) {
    this.#options = options
  }

  get state(): HttpsState {
    return this.#state
  }

  /** Begins to look for a certificate; nobody waits for it. */
  open(make: MakeServer): void {
    this.#make = make
    void this.look()
  }

  /** Looks whether the certificate is still the right one, and again a minute later. Resolves when it has looked. */
  look(): Promise<void> {
    this.#cancel()
    this.#looking = this.#looking.then(() => this.#look())
    return this.#looking
  }

  /** Takes no further connection; answers the server that is to be ended, if there is one. */
  async close(): Promise<Server | null> {
    this.#ending.abort()
    this.#cancel()
    await this.#looking
    this.#cancel()
    return this.#server
  }

  async #look(): Promise<void> {
    const { signal } = this.#ending
    if (signal.aborted) return
    try {
      const { pair, problem } = await this.#options.pairs.current(signal)
      if (signal.aborted) return
      await this.#use(pair)
      this.#tell({ state: 'on', port: portOf(this.#server), certificate: pair.facts, problem })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof AppError) && errorCode(error) === '') throw error
      this.#tell({ state: 'failed', reason: reasonOf(error) })
    }
    // Two may have been asked for at once.
    this.#cancel()
    this.#cancel = this.#options.clock.after(LOOK_MS, () => void this.look())
  }

  async #use(pair: KeyPair): Promise<void> {
    if (pair === this.#pair) return
    if (this.#server !== null) this.#server.setSecureContext({ key: pair.key, cert: pair.certificate })
    else this.#server = await this.#listening(pair)
    this.#pair = pair
  }

  #listening(pair: KeyPair): Promise<Server | null> {
    const server = this.#make?.(pair) ?? null
    if (server === null) return Promise.resolve(null)
    const { host, port } = this.#options
    return new Promise((resolve, reject) => {
      server.once('error', (cause: Error) => {
        const said = cause.message
        reject(new AppError('unavailable', because('cannot_listen', { host, port: String(port), said }), { cause }))
      })
      server.listen(port, host, () => resolve(server))
    })
  }

  /** The log tells each change once: whoever reads it can hold a browser's fingerprint against it. */
  #tell(state: HttpsState): void {
    const before = this.#said
    this.#state = state
    const { log } = this.#options
    if (state.state === 'failed') {
      this.#said = sentenceOf(state.reason)
      if (this.#said !== before) log.error(`no HTTPS: ${this.#said}`)
    } else if (state.state === 'on') {
      const { port, certificate, problem } = state
      this.#said = `${port} ${certificate.fingerprint} ${problem === null ? '' : sentenceOf(problem)}`
      if (this.#said === before) return
      const until = new Date(certificate.validTo).toISOString()
      log.info(
        { port, until, names: certificate.names },
        `HTTPS with the certificate SHA-256 ${certificate.fingerprint}`
      )
      if (problem !== null) log.warn(`the certificate of HTTPS could not be renewed: ${sentenceOf(problem)}`)
    }
  }
}

function portOf(server: Server | null): number {
  const address = server?.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
