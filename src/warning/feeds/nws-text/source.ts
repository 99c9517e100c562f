import { resolve } from 'node:path'
import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { listenTcp } from '../polling/tcp-stream.ts'
import type { PushKind, PushTools, ReadTools, SourceReading } from '../source.ts'
import { watchFolder } from './folder.ts'
import { parseNwsText } from './parse.ts'
import type { NwsTextSettings } from './settings.ts'
import { ProductSplitter } from './splitter.ts'
import { rememberedYears } from './years.ts'

/** A product that does not say that it ends is read this long after its last byte. Seconds. */
const FLUSH_SECONDS = 5

/** NWS text products without the internet: a folder that a receiver fills, or a receiver that sends over TCP. */
export const nwsTextSource: PushKind<NwsTextSettings> = {
  mode: 'push',
  kind: 'nws_text',
  about: 'Text products of the National Weather Service from a folder, or from a receiver over TCP.',
  missing: ({ input, folder, host }) => {
    if (input === 'folder') return folder === '' ? because('needs_receiver_folder') : null
    return host === '' ? because('needs_receiver_host') : null
  },
  async open(settings, tools) {
    if (settings.input === 'tcp') return openTcp(settings, tools)
    const folder = resolve(tools.dataFolder, settings.folder)
    const take = (name: string, bytes: Uint8Array, known: boolean) => accept(bytes, settings, tools, { known, name })
    return watchFolder({ folder, everySeconds: settings.scan_seconds, take }, tools)
  },
  read: (body, settings, tools) => readText(body, settings, tools)
}

function openTcp(settings: NwsTextSettings, tools: PushTools): { close(): Promise<void> } {
  return listenTcp(
    {
      host: settings.host,
      port: settings.port,
      silenceSeconds: settings.silence_seconds,
      flushSeconds: FLUSH_SECONDS,
      splitter: () => new ProductSplitter(),
      take: (message) => accept(message, settings, tools, { known: false, name: `${settings.host}:${settings.port}` })
    },
    tools
  )
}

/** Products are ASCII; a stray byte of a receiver must not spoil the rest, so every byte is a character. */
function readText(
  body: Uint8Array,
  settings: NwsTextSettings,
  { source, receivedAt, memory }: Pick<ReadTools, 'source' | 'receivedAt' | 'memory'>
): SourceReading {
  const text = new TextDecoder('latin1').decode(body)
  const feed = parseNwsText(text, { source, receivedAt, years: rememberedYears(memory) })
  const isWanted = (event: LookoutEvent): boolean => settings.state_watches || !isStateWatch(event)
  const left = feed.events
    .filter((event) => !isWanted(event))
    .map(({ id }) => ({ id, reason: because('watch_by_states') }))
  const skipped = [...feed.skipped, ...left]
  return { ...feed, events: feed.events.filter(isWanted), skipped, items: feed.events.length + feed.skipped.length }
}

/** SEL names whole states; offices name the counties of the same watch. */
function isStateWatch({ zones, data }: LookoutEvent): boolean {
  return data.vtec?.key.startsWith('KWNS.') === true && zones.every((zone) => zone.endsWith('000'))
}

async function accept(
  bytes: Uint8Array,
  settings: NwsTextSettings,
  tools: PushTools,
  { known, name }: { known: boolean; name: string }
): Promise<void> {
  const { source, memory, clock } = tools
  try {
    const { events } = readText(bytes, settings, { source, memory, receivedAt: clock.now() })
    if (events.length > 0) await tools.accept(events, { known })
    tools.counted({ bytes: bytes.byteLength })
  } catch (error) {
    if (!(error instanceof AppError)) tools.log.error({ err: error, from: name }, 'a text product was not taken')
    const why = error instanceof AppError ? error.reason : because('could_not_be_stored')
    tools.counted({ bytes: bytes.byteLength, refused: because('file_said', { file: name, why }) })
  }
}
