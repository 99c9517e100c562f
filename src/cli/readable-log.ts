import type { DestinationStream } from 'pino'
import { jsonOr } from '../platform/bytes/json-or.ts'

const HIDDEN = new Set(['level', 'time', 'msg', 'name'])

/** Log lines for a person at a terminal; programs and journals get the JSON itself. */
export function readableLog(write: (text: string) => void): DestinationStream {
  return {
    write: (line) => {
      const record = parse(line)
      if (record === null) {
        write(line)
        return
      }
      const facts = Object.entries(record)
        .filter(([key]) => !HIDDEN.has(key))
        .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      write(
        `${String(record['time']).slice(11, 19)}Z ${String(record['level']).padEnd(5)} ${String(record['msg'])}  ${facts.join(' ')}\n`
      )
    }
  }
}

function parse(line: string): Record<string, unknown> | null {
  const value = jsonOr(null, line)
  return typeof value === 'object' && value !== null ? { ...value } : null
}
