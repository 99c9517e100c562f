import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DAMAGES, filesIn, spoil } from './disk-spoil.ts'

/** One way in which a disk fails. */
export interface Fault {
  name: string
  /** Done to the folder before the start, or while the station runs; answers what it was. */
  when: 'stopped' | 'running'
  /** True when rows of lookout.db may be lost with it. */
  losesRows: boolean
  begin: (data: string) => string
  end: (data: string) => void
}

interface Disk {
  random: () => number
  /** The folder of which every round begins with a copy. */
  template: string
  /** The file that the shim reads; null where none can be built. */
  faultFile: string | null
  mounts: boolean
}

/** Every fault of one draw: which file is hit, and how, is drawn anew each time. */
export function drawFaults(disk: Disk): Fault[] {
  return [...damages(disk), ...shimmed(disk), pulled(), ...(disk.mounts ? mounts(disk) : [])]
}

/** Half of them hit the ledger; the others any file there is. */
function damages({ random, template }: Disk): Fault[] {
  return DAMAGES.flatMap((damage) =>
    (['stopped', 'running'] as const).map((when): Fault => {
      const ledger = random() < 0.5
      const pick = random()
      const files = filesIn(template).map((path) => relative(template, path))
      const name = ledger ? 'lookout.db' : (files[Math.floor(pick * files.length)] ?? 'lookout.db')
      return {
        name: `${damage} of ${name}`,
        when,
        losesRows: name.startsWith('lookout.db'),
        begin: (data) => (existsSync(join(data, name)) ? spoil(join(data, name), damage, random) : 'it is not there'),
        end: () => undefined
      }
    })
  )
}

function shimmed({ faultFile }: Disk): Fault[] {
  if (faultFile === null) return []
  return ['EIO', 'ENOSPC', 'EROFS', 'EIO:sync', 'EIO:write', 'ENOSPC:write'].map((error) => ({
    name: `disk ${error}`,
    when: 'running',
    losesRows: false,
    begin: () => {
      writeFileSync(faultFile, error)
      return error
    },
    end: () => undefined
  }))
}

function pulled(): Fault {
  return {
    name: 'folder pulled',
    when: 'running',
    losesRows: false,
    begin: (data) => {
      renameSync(data, `${data}-pulled`)
      return 'renamed'
    },
    end: (data) => {
      if (!existsSync(`${data}-pulled`)) return
      // The folder that was made in its place meanwhile lies under the mount.
      rmSync(data, { recursive: true, force: true })
      renameSync(`${data}-pulled`, data)
    }
  }
}

/** Of a mount that is in use nobody takes the right to write; a card that does so is what the shim is for. */
function mounts({ random }: Disk): Fault[] {
  const remount = (data: string, mode: 'ro' | 'rw'): void => void execFileSync('mount', ['-o', `remount,${mode}`, data])
  const full = (['stopped', 'running'] as const).map(
    (when): Fault => ({
      name: 'mount full',
      when,
      losesRows: false,
      begin: (data) => {
        const { bavail, bsize } = statfsSync(data)
        const left = Math.floor(random() * 3) * bsize
        writeFileSync(join(data, 'ballast'), Buffer.alloc(bavail * bsize - left))
        return `${left} bytes are free`
      },
      end: (data) => rmSync(join(data, 'ballast'), { force: true })
    })
  )
  return [
    ...full,
    {
      name: 'mount read-only',
      when: 'stopped',
      losesRows: false,
      begin: (data) => {
        remount(data, 'ro')
        return 'remounted'
      },
      end: (data) => remount(data, 'rw')
    }
  ]
}
