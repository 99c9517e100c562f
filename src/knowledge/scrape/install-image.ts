import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import { imageId } from './engine.ts'
import { clientFault, type EngineClient } from './engine-client.ts'

/** An image of gigabytes on a memory card takes its time. */
const LOAD_MS = 60 * 60_000
const ASK_MS = 30_000

export interface InstalledImage {
  engine: EngineClient['name']
  image: string
  id: string
}

/**
 * Loads the archiver's image from a file that `docker save` or `podman save` made, without the Internet, into the first engine
 * that answers. A file that holds another image leaves nothing behind. @throws AppError `missing` (no file, no engine),
 * `bad-input` (no image in the file, or another one), `unavailable`.
 */
export async function installImage(
  file: string,
  { image, clients }: { image: string; clients: readonly EngineClient[] }
): Promise<InstalledImage> {
  const path = resolve(file)
  await checkFile(path)
  const client = await firstThatAnswers(clients)
  const before = await imagesOf(client)
  const answer = await client.call(['load', '--input', path], { timeMs: LOAD_MS })
  if (answer.code !== 0)
    throw new AppError('bad-input', because('engine_not_loaded', { engine: client.name, said: clientFault(answer) }))
  const id = await imageId(client, image)
  if (id !== null) return { engine: client.name, image, id }
  const loaded = [...answer.stdout.matchAll(/^Loaded image(?:\(s\)| ID)?:\s*(\S+)/gm)].map(([, name = '']) => name)
  const foreign = loaded.filter((name) => !before.has(name.replace(/^localhost\//, '')) && !before.has(name))
  if (foreign.length > 0) await client.call(['rmi', ...foreign], { timeMs: ASK_MS })
  const held = loaded.length === 0 ? because('no_image_named') : because('note', { text: loaded.join(', ') })
  throw new AppError('bad-input', because('image_is_other', { held, image }))
}

async function checkFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error
    throw new AppError('missing', because('no_such_file', { file: path }))
  }
  throw new AppError('bad-input', because('is_not_a_file', { file: path }))
}

async function firstThatAnswers(clients: readonly EngineClient[]): Promise<EngineClient> {
  const faults: Reason[] = []
  for (const client of clients) {
    const answer = await client.call(['images', '--quiet'], { timeMs: ASK_MS })
    if (answer.code === 0) return client
    faults.push(because('engine_does_not_answer', { engine: client.name, said: clientFault(answer) }))
  }
  throw new AppError(
    'missing',
    faults.length === 0 ? because('install_docker_podman') : because('all_of', { causes: faults })
  )
}

async function imagesOf(client: EngineClient): Promise<ReadonlySet<string>> {
  const { stdout } = await client.call(['images', '--format', '{{.Repository}}:{{.Tag}}'], { timeMs: ASK_MS })
  return new Set(stdout.split('\n').map((line) => line.trim()))
}
