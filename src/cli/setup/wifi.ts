import { randomInt } from 'node:crypto'
import { because, type Reason } from '../../model/reason.ts'
import { OWN_CHOICE, type SetupValues } from '../../settings/first-boot/setup-values.ts'
import { type HotspotWish, readHotspotWish, writeHotspotWish } from '../../settings/hotspot-wish.ts'
import type { Taken } from './taken.ts'

const KEY = 'wifi'
const USUAL_CHANNEL = 6
/** No letter that looks like a digit or another letter; typed on a phone without changing case. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 31 signs: 12 of them are 59 bits, and each guess costs PBKDF2 of WPA2. */
const PASSPHRASE_GROUPS = 3
const GROUP = 4

interface WifiAsked {
  values: SetupValues
  country: string
  dataFolder: string
  taken: Taken
}

export interface WifiOutcome {
  notes: Reason[]
  /** The pass phrase of the file is in use, and need not stand there any longer. */
  isTaken: boolean
  /** For whoever holds the card: how to join it; null where there is none. */
  join: Reason | null
}

/**
 * The Wi-Fi that the file asks for, as a wish for root (docs/decisions/0037). A name or pass phrase that it leaves out is made here, so that no
 * two cards have the same. One that was set on the page stays. @throws AppError `no-space`, `unavailable`.
 */
export async function applyWifi({ values, country, dataFolder, taken }: WifiAsked): Promise<WifiOutcome> {
  const [ssid, passphrase] = [values['wifi name'], values['wifi passphrase']]
  const before = readHotspotWish(dataFolder)
  const none = { notes: [], isTaken: false, join: null }
  if (ssid === undefined && passphrase === undefined) return none
  if (before !== null && isAsAsked(before, values))
    return { notes: [], isTaken: passphrase !== undefined, join: joinOf(before, taken) }
  if (before !== null && !isOurs(before, taken))
    return {
      ...none,
      notes: [because('setup_kept', { key: passphrase === undefined ? 'wifi name' : 'wifi passphrase' })]
    }
  const wish = wishOf(values, country, before)
  const made = await writeHotspotWish(dataFolder, wish)
  const isOwn = passphrase === undefined && (before === null || taken[KEY]?.asked === OWN_CHOICE)
  taken[KEY] = { asked: isOwn ? OWN_CHOICE : '', made }
  return {
    notes: [because('setup_taken', { key: 'wifi name', value: wish.ssid })],
    isTaken: passphrase !== undefined,
    join: joinOf({ ...wish, asked: made }, taken)
  }
}

function wishOf(values: SetupValues, country: string, before: HotspotWish | null): Omit<HotspotWish, 'asked'> {
  const { 'wifi name': ssid = OWN_CHOICE, 'wifi passphrase': passphrase } = values
  return {
    on: true,
    ssid: ssid === OWN_CHOICE ? (before?.ssid ?? `Lookout-${letters(GROUP).toUpperCase()}`) : ssid,
    passphrase: passphrase ?? before?.passphrase ?? ownPassphrase(),
    country,
    channel: before?.channel ?? USUAL_CHANNEL
  }
}

function isAsAsked(wish: HotspotWish, values: SetupValues): boolean {
  const [ssid = OWN_CHOICE, passphrase] = [values['wifi name'], values['wifi passphrase']]
  if (wish.ssid === '') return false
  return (ssid === OWN_CHOICE || ssid === wish.ssid) && (passphrase === undefined || passphrase === wish.passphrase)
}

const isOurs = (wish: HotspotWish, taken: Taken): boolean => taken[KEY]?.made === wish.asked

/** A pass phrase that somebody wrote into the file is known to them, and is not written onto the card again. */
function joinOf(wish: HotspotWish, taken: Taken): Reason {
  const { ssid, passphrase } = wish
  const isOwn = isOurs(wish, taken) && taken[KEY]?.asked === OWN_CHOICE
  return because('setup_wifi_is', { ssid, passphrase: isOwn ? passphrase : '…' })
}

function ownPassphrase(): string {
  return Array.from({ length: PASSPHRASE_GROUPS }, () => letters(GROUP)).join('-')
}

function letters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}
