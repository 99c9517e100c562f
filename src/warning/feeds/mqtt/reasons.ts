/** CONNACK and DISCONNECT codes of MQTT 5 §2.4, and the return codes of MQTT 3.1.1 §3.2.2.3. */
const REFUSED: Record<number, string> = {
  2: 'does not accept this client_id. Set another one.',
  3: 'is not available now. It is tried again.',
  4: 'refuses user name or password. Set username and password of this source.',
  5: 'does not let this user in. Check username and password, and what the broker allows this user and this client_id.',
  133: 'does not accept this client_id. Set another one.',
  134: 'refuses user name or password. Set username and password of this source.',
  135: 'does not let this user in. Check username and password, and what the broker allows this user and this client_id.',
  136: 'is not available now. It is tried again.',
  137: 'is busy. It is tried again.',
  138: 'has banned this client. Ask its owner.',
  139: 'shuts down. It is tried again.',
  141: 'heard nothing from us for too long. It is tried again.',
  142: 'gave the session to another client with the same client_id. Give every station a client_id of its own.',
  151: 'says that a quota is used up. Ask its owner.',
  152: 'was told to end the connection. Ask its owner.'
}

/** The reason why a broker does not want us, and what to do. */
export function refusedReason(where: string, code: number): string {
  const known = REFUSED[code]
  return known === undefined ? `${where} ended the connection with code ${code}.` : `${where} ${known}`
}

/** True when the broker does not know MQTT 5: it answers in the words of the version before. */
export function refusesVersion(code: number): boolean {
  return code === 1 || code === 132
}
