import { arch, totalmem } from 'node:os'
import { because, type Reason } from '../../model/reason.ts'
import { reasonOf } from '../../platform/errors.ts'
import { findProgram } from '../../platform/process/programs.ts'
import { clientFault, type EngineClient, engineClient } from './engine-client.ts'

/** A board sold with 2 GB shows a little less of it. Bytes. */
const LEAST_MEMORY = 1_700_000_000
const ANSWER_MS = 10_000
/** Asking costs a process of another program: an answer is good for so long. */
const KEEP_MS = 30_000
const CLIENTS = ['docker', 'podman'] as const

/** The container engine of this machine. */
export interface ContainerReport {
  usable: boolean
  /** `docker 24.0.5`; null when none answers. */
  engine: string | null
  image: string
  imagePresent: boolean
  /** The parts that keep it from being used, in sentences; empty when usable. */
  missing: Reason[]
}

/** The archiver of this program. */
export interface BuiltInReport {
  usable: boolean
  missing: Reason[]
}

/** The means by which sites are archived here (contract §9: by capability, never by the user). */
export interface EngineReport {
  chosen: 'container' | 'built-in' | null
  /** For people; says what the chosen one cannot do. */
  label: Reason
  container: ContainerReport
  builtIn: BuiltInReport
}

export interface Machine {
  /** 64-bit ARM and x86 are what the image is made for. */
  arch: string
  memoryBytes: number
}

export interface EngineOptions {
  image: () => string
  now: () => number
  /** The folders in which programs are looked for; by default the PATH. */
  path?: string
  machine?: Machine
}

/** Finds out what archives can be made with here. The answer is remembered for half a minute. */
export class Engines {
  readonly #options: EngineOptions
  #known: { at: number; image: string; found: Promise<{ report: EngineReport; client: EngineClient | null }> } | null =
    null

  constructor(options: EngineOptions) {
    this.#options = options
  }

  /** Never rejects. */
  async report(): Promise<EngineReport> {
    return (await this.#look()).report
  }

  /** The client of the engine that has the image; null when containers cannot be used. */
  async client(): Promise<EngineClient | null> {
    return (await this.#look()).client
  }

  /** Every engine that is installed, whether it answers or not: containers may be left in each. */
  installed(): EngineClient[] {
    return CLIENTS.flatMap((name) => engineClient(name, this.#options.path) ?? [])
  }

  /** Something was installed: the next question is asked anew. */
  forget(): void {
    this.#known = null
  }

  #look(): Promise<{ report: EngineReport; client: EngineClient | null }> {
    const { now, image: imageOf } = this.#options
    const image = imageOf()
    if (this.#known !== null && this.#known.image === image && now() - this.#known.at < KEEP_MS)
      return this.#known.found
    const found = this.#find(image)
    this.#known = { at: now(), image, found }
    return found
  }

  async #find(image: string): Promise<{ report: EngineReport; client: EngineClient | null }> {
    const { path, machine = { arch: arch(), memoryBytes: totalmem() } } = this.#options
    const { container, client } = await lookForContainer(this.installed(), image, machine)
    const zimwriterfs = findProgram('zimwriterfs', path) !== null
    const builtIn: BuiltInReport = {
      usable: zimwriterfs,
      missing: zimwriterfs ? [] : [because('zimwriterfs_missing')]
    }
    const chosen = container.usable ? 'container' : builtIn.usable ? 'built-in' : null
    return {
      report: { chosen, label: LABELS[chosen ?? 'none'], container, builtIn },
      client: container.usable ? client : null
    }
  }
}

const LABELS = {
  container: because('engine_container'),
  'built-in': because('engine_static'),
  none: because('engine_none')
} as const

/** One sentence: what would have to be there. */
export function whatIsMissing({ container, builtIn }: EngineReport): Reason {
  return because('cannot_archive_here', {
    built_in: builtIn.missing,
    container: container.missing
  })
}

async function lookForContainer(
  clients: readonly EngineClient[],
  image: string,
  machine: Machine
): Promise<{ container: ContainerReport; client: EngineClient | null }> {
  const bars: Reason[] = []
  if (machine.arch !== 'x64' && machine.arch !== 'arm64') bars.push(because('needs_64_bit'))
  if (machine.memoryBytes < LEAST_MEMORY) bars.push(because('needs_2_gb'))
  const looks = await Promise.all(clients.map((client) => lookAt(client, image)))
  const best = looks.find(({ present }) => present) ?? looks.find(({ version }) => version !== null)
  if (clients.length === 0) bars.push(because('no_docker_podman'))
  else if (best === undefined) bars.push(...looks.flatMap(({ fault }) => fault ?? []))
  else if (!best.present) bars.push(because('image_not_loaded', { image }))
  const container: ContainerReport = {
    usable: bars.length === 0,
    engine: best === undefined ? null : `${best.client.name} ${best.version}`,
    image,
    imagePresent: best?.present ?? false,
    missing: bars
  }
  return { container, client: best?.client ?? null }
}

interface Look {
  client: EngineClient
  version: string | null
  present: boolean
  fault: Reason | null
}

async function lookAt(client: EngineClient, image: string): Promise<Look> {
  const none = { client, version: null, present: false }
  try {
    const format = client.name === 'docker' ? '{{.ServerVersion}}' : '{{.Version.Version}}'
    const answer = await client.call(['info', '--format', format], { timeMs: ANSWER_MS })
    const version = answer.stdout.trim()
    // The docker client says what is wrong and ends with 0 now and then: without a version there is no engine.
    if (answer.code !== 0 || !/^\d/.test(version))
      return { ...none, fault: because('engine_installed_silent', { engine: client.name, said: clientFault(answer) }) }
    return { client, version, present: (await imageId(client, image)) !== null, fault: null }
  } catch (error) {
    return { ...none, fault: reasonOf(error) }
  }
}

/** The id of a local image, or null. Nothing is downloaded. */
export async function imageId(client: EngineClient, image: string): Promise<string | null> {
  if (image.trim() === '' || image.startsWith('-')) return null
  const { code, stdout } = await client.call(['image', 'inspect', '--format', '{{.Id}}', image], {
    timeMs: ANSWER_MS
  })
  const id = stdout.trim()
  return code === 0 && id !== '' ? id : null
}
