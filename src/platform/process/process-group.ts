import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { findProgram } from './programs.ts'

/** Between the station (0) and what the kernel takes in any case (1000): oom_score_adj of proc(5). */
export const FIRST_TO_GO = '800'

/** Every process of the group, and of the session its leader made; empty where the system does not tell (no /proc). */
export function groupMembers(leader: number): number[] {
  const members: number[] = []
  for (const name of entries('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const stat = readText(`/proc/${pid}/stat`)
    // proc(5): pid (name) state ppid pgrp session; the name may hold spaces and brackets itself.
    const [state, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === undefined) continue
    if (Number(group) === leader || Number(session) === leader) members.push(pid)
  }
  return members
}

/** Resident memory of one process in bytes; null when it is gone or the system does not tell. */
export function residentBytes(pid: number): number | null {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`))
  return match === null ? null : Number(match[1]) * 1024
}

/** Memory of one process that no file holds, what was moved to swap included; null when it is gone or the system does not tell. */
export function anonymousBytes(pid: number): number | null {
  const status = readText(`/proc/${pid}/status`)
  const kib = (name: string): number | null => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
    return match === null ? null : Number(match[1])
  }
  const resident = kib('RssAnon')
  return resident === null ? null : (resident + (kib('VmSwap') ?? 0)) * 1024
}

/** How often the kernel ended a process because memory ran out, since the machine started; null where it does not tell. */
export function oomKills(): number | null {
  const match = /^oom_kill (\d+)$/m.exec(readText('/proc/vmstat'))
  return match === null ? null : Number(match[1])
}

/** Resident memory of these processes in bytes; pages that several of them share count for each. Null: unknown. */
export function bytesOf(pids: readonly number[]): number | null {
  let sum: number | null = null
  for (const pid of pids) {
    const bytes = residentBytes(pid)
    if (bytes !== null) sum = (sum ?? 0) + bytes
  }
  return sum
}

/** Sends the signal to the whole group; SIGKILL also reaches those who left it for a group of their own. Never throws. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal)
  if (signal === 'SIGKILL') for (const pid of groupMembers(leader)) send(pid, signal)
}

/**
 * Sends the signal to the program, one of `pids`, that stands behind processes of these names, which confine it and would die of the
 * signal themselves. False when the system does not tell who that is, or it is gone.
 */
export function signalBehind(wrappers: readonly string[], pids: readonly number[], signal: NodeJS.Signals): boolean {
  const children = new Map(pids.map((pid) => [parentOf(pid), pid]))
  let last = pids.find((pid) => !pids.includes(parentOf(pid)))
  while (last !== undefined && wrappers.includes(readText(`/proc/${last}/comm`).trim())) last = children.get(last)
  return last !== undefined && send(last, signal)
}

function parentOf(pid: number): number {
  const stat = readText(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** False when it is gone already, which is most often what was wanted. */
function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}

/**
 * Makes the kernel take this process, and what it starts from now on, before the station when memory runs out (proc(5), oom_score_adj).
 */
export function offerToOomKiller(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_GO)
  } catch {
    // Not Linux, or gone already.
  }
}

/** The path of `sh`; null where there is none. */
export function shell(): string | null {
  return findProgram('/bin/sh') ?? findProgram('sh')
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
