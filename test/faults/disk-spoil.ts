import { closeSync, ftruncateSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The ways to spoil a file: bits turn, pages go, ends are cut, as cards do it. */
export const DAMAGES = ['bits', 'page', 'zeros', 'cut', 'empty', 'garbage', 'gone'] as const
export type Damage = (typeof DAMAGES)[number]

const PAGE = 4096

/** Files below the folder that hold something; logs of databases too. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && statSync(join(entry.parentPath, entry.name)).size > 0)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Answers what was done, for people. */
export function spoil(path: string, damage: Damage, random: () => number): string {
  if (damage === 'gone') {
    rmSync(path)
    return 'removed'
  }
  const size = statSync(path).size
  const file = openSync(path, 'r+')
  try {
    return changed(file, size, damage, random)
  } finally {
    closeSync(file)
  }
}

function changed(file: number, size: number, damage: Exclude<Damage, 'gone'>, random: () => number): string {
  const within = (limit: number): number => Math.floor(random() * Math.max(1, limit))
  const garbage = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, () => within(256)))
  switch (damage) {
    case 'bits': {
      const places = Array.from({ length: 1 + within(16) }, () => within(size))
      for (const at of places) {
        const byte = Buffer.alloc(1)
        readSync(file, byte, 0, 1, at)
        writeSync(file, Buffer.from([(byte[0] ?? 0) ^ (1 << within(8))]), 0, 1, at)
      }
      return `bits at ${places.join(', ')}`
    }
    case 'page':
    case 'zeros': {
      const page = within(Math.ceil(size / PAGE))
      const bytes = Math.min(PAGE, size - page * PAGE)
      writeSync(file, damage === 'zeros' ? Buffer.alloc(bytes) : garbage(bytes), 0, bytes, page * PAGE)
      return `${damage === 'zeros' ? 'zeros' : 'garbage'} in page ${page + 1}`
    }
    case 'cut':
    case 'empty': {
      const left = damage === 'empty' ? 0 : within(size)
      ftruncateSync(file, left)
      return `cut to ${left} of ${size} bytes`
    }
    case 'garbage':
      writeSync(file, garbage(size), 0, size, 0)
      return 'garbage all over'
  }
}
