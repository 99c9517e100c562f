import { because, type Reason, type ReasonCode } from '../../../model/reason.ts'

/** CONNACK and DISCONNECT codes of MQTT 5 §2.4, and the return codes of MQTT 3.1.1 §3.2.2.3. */
const REFUSED = {
  2: 'broker_refuses_id',
  3: 'broker_unavailable',
  4: 'broker_refuses_login',
  5: 'broker_refuses_user',
  133: 'broker_refuses_id',
  134: 'broker_refuses_login',
  135: 'broker_refuses_user',
  136: 'broker_unavailable',
  137: 'broker_busy',
  138: 'broker_banned_us',
  139: 'broker_shuts_down',
  141: 'broker_heard_nothing',
  142: 'broker_other_client',
  151: 'broker_quota',
  152: 'broker_told_to_end'
} as const satisfies Record<number, ReasonCode>

/** The reason why a broker does not want us, and what to do. */
export function refusedReason(where: string, code: number): Reason {
  const known = Object.entries(REFUSED).find(([number]) => Number(number) === code)?.[1]
  return known === undefined ? because('broker_ended_code', { where, number: code }) : because(known, { where })
}

/** True when the broker does not know MQTT 5: it answers in the words of the version before. */
export function refusesVersion(code: number): boolean {
  return code === 1 || code === 132
}
