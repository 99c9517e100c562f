import { SEVERITIES, type Severity } from './vocabulary.ts'

export { SEVERITIES, type Severity }

/** 0 for `routine` … 3 for `immediate`. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity)
}

export function isAtLeast(severity: Severity, floor: Severity): boolean {
  return severityRank(severity) >= severityRank(floor)
}

export function highestSeverity(severities: Iterable<Severity>): Severity {
  let highest: Severity = 'routine'
  for (const severity of severities) if (severityRank(severity) > severityRank(highest)) highest = severity
  return highest
}
