import { existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { because, type Reason } from '../model/reason.ts'
import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { writeFileAtomic } from '../platform/files/atomic-file.ts'
import { dataFolderOf } from '../settings/environment.ts'
import { MOST_SETUP_BYTES, readSetupText, type SetupLine, type SetupText } from '../settings/first-boot/setup-lines.ts'
import { readSetupValues, type SetupValues } from '../settings/first-boot/setup-values.ts'
import { ConfigStore } from '../settings/store.ts'
import { findGazetteer, Gazetteer } from '../warning/atlas/gazetteer.ts'
import { PlaceIndex } from '../warning/atlas/place-index.ts'
import { findCountyAtlas } from '../warning/atlas/zone-files.ts'
import { listSerialDevices } from '../warning/radios/link/devices.ts'
import { addressForPhones, claimPicture } from './claim-picture.ts'
import { applyParts } from './setup/apply.ts'
import { setupParts } from './setup/parts.ts'
import { readTaken, type Taken, writeTaken } from './setup/taken.ts'
import { applyWifi, type WifiOutcome } from './setup/wifi.ts'
import type { VerbContext } from './verb.ts'

const HELP = `usage: lookout first-boot FILE ANSWERS [--data DIR]
       lookout first-boot --show CLAIM

Takes what lookout-setup.txt asks for into the settings: name, country, language, place, radius km, areas, wifi name, wifi passphrase,
meshtastic, meshcore, profile. Run before the station starts (lookout-first-boot.service); run again it takes what has changed in
the file since, and leaves alone what was set on the page. Nothing that it cannot use stops it: a sentence says what to do.
  FILE      the text file
  ANSWERS   a folder for what becomes of it: report.txt, join.txt (how to join the Wi-Fi while nobody has claimed the station), and
            what root does on the boot partition (lookout-claim): hide (bytes of the pass phrase), profile
  --show    prints the claim code and the address of the file CLAIM, with a QR code: for the console

exit codes: 0 done, also when parts were not taken · 1 failed · 2 usage · 4 FILE cannot be read
`

/** Countries whose report is German when no language is named. */
const GERMAN = new Set(['DE', 'AT', 'CH', 'LI'])

/** `lookout first-boot`. @throws AppError `usage`, `missing`, `no-space`, `unavailable`. */
export async function firstBoot(
  args: string[],
  context: Pick<VerbContext, 'env' | 'out' | 'err' | 'language'>
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { data: { type: 'string' }, show: { type: 'string' }, help: { type: 'boolean', short: 'h' } }
  })
  if (values.help) {
    context.out(HELP)
    return 0
  }
  if (values.show !== undefined && positionals.length === 0) return show(values.show, context)
  const [file, answers, ...more] = positionals
  if (file === undefined || answers === undefined || more.length > 0 || values.show !== undefined)
    throw new AppError('usage', because('first_boot_names_files'))
  const dataFolder = dataFolderOf({ argv: { data: values.data }, env: context.env })
  const text = readSetupText(await beginOf(file))
  const { values: asked, notes } = readSetupValues(text.lines)
  const outcome = await applyAll({ asked, lines: text.lines, dataFolder, err: context.err })
  await writeAnswers(answers, {
    language: asked.language ?? (GERMAN.has(outcome.country) ? 'de' : context.language),
    text,
    notes: [...text.notes, ...notes, ...outcome.notes],
    wifi: outcome.wifi,
    profile: asked.profile,
    env: context.env
  })
  return 0
}

/** One byte more than may be there is enough to know that it is too large. */
async function beginOf(path: string): Promise<Uint8Array> {
  try {
    const handle = await open(path)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_SETUP_BYTES + 1), 0, MOST_SETUP_BYTES + 1, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new AppError('missing', because('cannot_read_file', { file: path, said: errorText(error) }), { cause: error })
  }
}

interface ToApply {
  asked: SetupValues
  lines: readonly SetupLine[]
  dataFolder: string
  err: (text: string) => void
}

interface Outcome {
  notes: Reason[]
  wifi: WifiOutcome
  country: string
}

/** Nothing says that it was taken before it is stored. A configuration that cannot be opened keeps only its own parts away. */
async function applyAll({ asked, lines, dataFolder, err }: ToApply): Promise<Outcome> {
  const taken = await readTaken(dataFolder)
  const notes: Reason[] = []
  let country = asked.country ?? ''
  try {
    const store = await ConfigStore.open({ folder: dataFolder })
    const set = store.current().station.country
    const { parts, notes: unusable } = await setupParts({ values: asked, lines, country: set }, toolsOf(err))
    notes.push(...(await applyParts(parts, store, taken)), ...unusable)
    country = store.current().station.country
    store.close()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    notes.push(because('setup_not_used', { key: 'config.json', why: error.reason }))
  }
  const wifi = await applyWifi({ values: asked, country, dataFolder, taken })
  await writeTaken(dataFolder, taken satisfies Taken)
  return { notes: [...notes, ...wifi.notes], wifi, country }
}

function toolsOf(err: (text: string) => void) {
  return {
    towns: new Gazetteer({ folder: findGazetteer(import.meta.url) }),
    index: new PlaceIndex({
      atlasFile: findCountyAtlas(import.meta.url),
      packCodes: () => [],
      onProblem: (problem) => err(`lookout first-boot: ${problem}\n`)
    }),
    serialDevices: () => listSerialDevices()
  }
}

interface Answers {
  language: Language
  text: SetupText
  notes: Reason[]
  wifi: WifiOutcome
  profile: SetupValues['profile']
  env: VerbContext['env']
}

/** Files for root, who believes no line of them unread (deploy/systemd/lookout-claim). The report comes last: it is what root waits for. */
async function writeAnswers(folder: string, { language, text, notes, wifi, profile, env }: Answers): Promise<void> {
  const say = (reason: Reason): string => sentenceOf(reason, language)
  const put = (name: string, lines: readonly string[]): Promise<void> =>
    writeFileAtomic(join(folder, name), lines.map((line) => `${line.replace(/\p{Cc}/gu, ' ')}\n`).join(''))
  const told = [...notes]
  const secret = text.lines.find(({ key }) => key === 'wifi passphrase')
  let hide: string[] = []
  if (wifi.isTaken && secret !== undefined) {
    if (secret.bytes === null) told.push(because('setup_passphrase_not_plain'))
    else {
      const { at, length } = secret.bytes
      hide = [`${at} ${length}`, say(because('setup_passphrase_removed')), say(because('setup_passphrase_stays'))]
    }
  }
  await put('hide', hide)
  const isNew = profile !== undefined && env['LOOKOUT_PROFILE'] !== profile
  await put(
    'profile',
    isNew
      ? [
          profile,
          say(because('setup_profile_next_start', { profile })),
          say(because('setup_profile_by_hand', { profile }))
        ]
      : []
  )
  await put('join.txt', wifi.join === null ? [] : [say(wifi.join), say(because('setup_wifi_page'))])
  if (text.lines.length === 0 && told.length === 0) told.push(because('setup_says_nothing'))
  if (told.length === 0) told.push(because('setup_all_taken'))
  await put('report.txt', [
    say(because('setup_head')),
    ...told.map((reason) => `- ${say(reason)}`),
    say(because('setup_next'))
  ])
}

/** A file that changes more often while it is shown is left to the next start of the unit. */
const MOST_SHOWN = 5

/**
 * `--show`: what the station says in its claim file, for people before a screen. While it runs systemd does not see that the file changes, so it
 * looks again before it ends. @throws AppError `missing`.
 */
async function show(file: string, { out }: Pick<VerbContext, 'out'>): Promise<number> {
  let said = await readClaim(file)
  for (let nth = 0; nth < MOST_SHOWN; nth++) {
    const words = await claimWords(said)
    if (words !== null) out(words)
    if (!existsSync(file)) return 0
    const now = await readClaim(file)
    if (now === said) return 0
    said = now
  }
  return 0
}

async function readClaim(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new AppError('missing', because('cannot_read_file', { file, said: errorText(error) }), { cause: error })
  }
}

/** Code, address and QR code; null where the text has neither. */
async function claimWords(said: string): Promise<string | null> {
  const code = /^Claim code: (\S+)$/m.exec(said.replaceAll('\r', ''))?.[1]
  const url = /^Type it in at (\S+)\/sign-in$/m.exec(said.replaceAll('\r', ''))?.[1]
  if (code === undefined || url === undefined) return null
  // The network may have come since it was written.
  const address = addressForPhones(url) ?? url
  return `\r\n${said.trimEnd()}\r\n\r\n${(await claimPicture(address, code)).replaceAll('\n', '\r\n')}\r\n`
}
