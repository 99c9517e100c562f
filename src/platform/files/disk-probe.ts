import { randomBytes } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { storageFaultOf } from '../database/storage-fault.ts'

const PROBE_BYTES = 4096
/** Less is no room: what could not be stored would fill it. */
const ROOM_BYTES = 1024 * 1024

/** True when the disk of a folder takes a file and has room. Away from the thread of the radios: a dying disk answers in seconds. */
export async function diskAnswers(folder: string): Promise<boolean> {
  const path = join(folder, `.probe-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize < ROOM_BYTES) return false
    const file = await open(path, 'wx', 0o600)
    try {
      await file.appendFile(Buffer.alloc(PROBE_BYTES))
      await file.sync()
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
    return true
  } catch (error) {
    if (storageFaultOf(error) === null) throw error
    return false
  }
}
