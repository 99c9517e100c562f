import { highestSeverity, type Severity } from './severity.ts'

/**
 * Below this no message with the code falls, whatever severity and urgency its sender gave: offices file a police order
 * to stay inside as Moderate, and quiet hours would hold it until morning. Codes of SAME (CFR 47 §11.31(e), NWS Instruction
 * 10-1712) and of CAP-CP 0.4. Codes that are not here weigh what their message says; docs/severity.md has all of them.
 */
export const CODE_FLOORS: ReadonlyMap<string, Severity> = new Map([
  ...floors('immediate', 'TOR', 'TSW', 'EWW', 'EVI', 'SPW', 'NUW', 'RHW', 'HMW', 'CHW', 'DBW', 'CAE', 'EAN', 'AMBER'),
  ...floors('critical', 'CDW', 'CEM', 'LEW', 'EVA', 'TOE', 'FRW', 'WFW', 'IFW', 'BHW', 'EQW', 'VOW', 'AVW', 'TSA'),
  ...floors('critical', 'LSW', 'DBA', 'TOA', 'CIVILEMERG', 'TERRORISM', '911SERVICE')
])

/** The same by name, for senders without codes. The whole name: `Evacuation order lifted` and a drill are something else. */
const NAME_FLOORS: readonly (readonly [Severity, RegExp])[] = [
  [
    'immediate',
    whole(
      'tornado (?:warning|emergency)',
      'flash flood emergency',
      'tsunami warning',
      'extreme wind warning',
      'evacuation (?:order|immediate|immediately|now|emergency)(?: immediate)?',
      '(?:immediate|mandatory) evacuation(?: order)?',
      'evacuate (?:now|immediately)',
      'shelter(?:ing)? ?in ?place(?: (?:warning|order|emergency|immediate|immediately|now))?',
      'nuclear power plant (?:warning|emergency)',
      'radiological hazard warning',
      '(?:hazardous materials?|hazmat|chemical hazard) (?:warning|emergency)',
      'dam break warning',
      'child abduction emergency',
      'amber alert',
      'national emergency message',
      'emergency action notification'
    )
  ],
  [
    'critical',
    whole(
      'civil danger(?: warning)?',
      'civil emergency(?: message)?',
      'law enforcement (?:warning|emergency)',
      'active shooter(?: (?:warning|alert))?',
      'evacuation (?:watch|warning|alert|advisory)',
      '9 ?1 ?1 (?:telephone |phone |service )?outage(?: emergency)?',
      '(?:wild ?|bush |industrial )?fire warning',
      'biological hazard warning',
      'earthquake (?:early )?warning',
      'volcano warning',
      'avalanche warning',
      'tsunami (?:watch|advisory)',
      'landslide warning',
      'dam watch',
      // The highest of Australia's three levels, and danger to life in Britain.
      '(?:(?:bush ?|grass ?)?fire |flood |storm |cyclone )?emergency warning',
      'severe flood warning'
    )
  ]
]

function floors(severity: Severity, ...codes: string[]): [string, Severity][] {
  return codes.map((code) => [code, severity])
}

function whole(...names: string[]): RegExp {
  return new RegExp(`^(?:${names.join('|')})$`)
}

/** The least level of a message by its codes and its event name: `Shelter-in-Place WARNING` is the name too. */
export function floorOf(event: string, codes: readonly string[] = []): Severity {
  const name = event
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  const byCode = codes.flatMap((code) => CODE_FLOORS.get(code.toUpperCase()) ?? [])
  const byName = NAME_FLOORS.flatMap(([severity, pattern]) => (pattern.test(name) ? [severity] : []))
  return highestSeverity([...byCode, ...byName])
}
