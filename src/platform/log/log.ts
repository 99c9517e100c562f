import { type DestinationStream, type Logger, destination as openDestination, pino } from 'pino'
import type { SettableLogLevel } from './log-levels.ts'
import { isSecretName, REDACTED, redactText } from './secrets.ts'

export type Log = Logger

export { LOG_LEVELS } from './log-levels.ts'

/** `silent` is for tests. */
export type LogLevel = SettableLogLevel | 'silent'

/** String members as they stand in a finished line; quotes inside of strings are escaped there, so this cannot start in one. */
const MEMBER = /"((?:[^"\\]|\\.)*)":"((?:[^"\\]|\\.)*)"/g

/** Works on the finished line, so that children, errors and nested objects of any depth are covered alike. */
function redactLine(line: string): string {
  const hidden = line.replace(MEMBER, (member, name: string, value: string) =>
    value !== '' && isSecretName(name) ? `"${name}":"${REDACTED}"` : member
  )
  return redactText(hidden)
}

/**
 * The log: JSON lines on stderr, because stdout belongs to the ready line and to machine output (contract §12).
 * Secrets are redacted by the name of their field and by shape.
 */
export function createLog(options: { level: LogLevel; name?: string; destination?: DestinationStream }): Log {
  const destination = options.destination ?? openDestination({ fd: 2, sync: false })
  return pino(
    {
      level: options.level,
      base: options.name === undefined ? null : { name: options.name },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactLine }
    },
    destination
  )
}
