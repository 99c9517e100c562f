import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { looseObject } from '../../platform/config/object.ts'
import { AppError } from '../../platform/errors.ts'
import { hotspotReason } from '../../settings/hotspot-reason.ts'
import { type HotspotWish, SSID, WIFI_PASSPHRASE } from '../../settings/hotspot-wish.ts'
import { operatorForm, seeOther } from '../pages/frame/refusal.ts'
import type { HttpContext } from '../server/context.ts'
import type { HotspotPort } from '../server/hotspot.ts'
import type { Identity } from '../server/identity.ts'
import { jsonSaid } from '../server/reply.ts'
import { form, get, type Handler, put, type Route } from '../server/route.ts'
import { nameOf } from './acks.ts'
import type { Services } from './services.ts'

const PAGE = '/hotspot'
const COUNTRY = /^[A-Z]{2}$/
const CHANNELS = { least: 1, most: 11, usual: 6 }

const bodySchema = looseObject({
  on: v.pipe(v.boolean(), v.description('Whether it is there.')),
  ssid: v.pipe(v.exactOptional(v.string()), v.description('Its name; without it the last one.')),
  passphrase: v.pipe(v.exactOptional(v.string()), v.description('WPA2; without it the last one.')),
  country: v.pipe(
    v.exactOptional(v.string()),
    v.description('ISO 3166, for the rules of radio; empty: as the machine has it.')
  ),
  channel: v.pipe(
    v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(CHANNELS.least), v.maxValue(CHANNELS.most))),
    v.description('1 to 11; 6 unless said.')
  )
})
type Body = v.InferOutput<typeof bodySchema>

const answerSchema = v.strictObject({
  available: v.pipe(v.boolean(), v.description('Something on this machine switches a hotspot.')),
  state: v.picklist(['on', 'off', 'failed']),
  changing: v.pipe(v.boolean(), v.description('The last wish is not fulfilled yet.')),
  reason: v.pipe(v.nullable(v.string()), v.description('Why it failed.')),
  ssid: v.string(),
  device: v.string(),
  address: v.pipe(v.string(), v.description('Of the station there.')),
  wanted: v.nullable(v.strictObject({ on: v.boolean(), ssid: v.string(), country: v.string(), channel: v.number() }))
})

function answerOf(hotspot: HotspotPort | null) {
  const state = hotspot?.state() ?? null
  const wish = hotspot?.wish() ?? null
  return {
    available: state !== null,
    state: state?.state ?? 'off',
    changing: state?.changing ?? false,
    reason: state === null || state.reason === null ? null : hotspotReason(state.reason),
    ssid: state?.ssid ?? '',
    device: state?.device ?? '',
    address: state?.address ?? '',
    wanted: wish === null ? null : { on: wish.on, ssid: wish.ssid, country: wish.country, channel: wish.channel }
  }
}

/** @throws AppError `invalid` for a wish of another form; `unavailable` where nothing switches a hotspot. */
async function ask(context: HttpContext, identity: Identity, body: Body): Promise<void> {
  const { hotspot } = context
  if (hotspot === null || hotspot.state() === null) throw new AppError('unavailable', because('hotspot_not_here'))
  const before = hotspot.wish()
  const wish: Omit<HotspotWish, 'asked'> = {
    on: body.on,
    ssid: body.ssid ?? before?.ssid ?? '',
    passphrase: body.passphrase ?? before?.passphrase ?? '',
    country: body.country ?? before?.country ?? '',
    channel: body.channel ?? before?.channel ?? CHANNELS.usual
  }
  // Switching it off needs neither, but nothing is kept that could not be switched on.
  if (wish.on || wish.ssid !== '') demand(SSID, wish.ssid, 'hotspot_name_form')
  if (wish.on || wish.passphrase !== '') demand(WIFI_PASSPHRASE, wish.passphrase, 'hotspot_passphrase_form')
  if (wish.country !== '') demand(COUNTRY, wish.country, 'hotspot_country_form')
  await hotspot.ask(wish)
  const what = wish.on ? because('audit_hotspot_on', { name: wish.ssid }) : because('audit_hotspot_off')
  context.audit?.add({ by: nameOf(identity), what })
}

function demand(
  form: RegExp,
  text: string,
  code: 'hotspot_name_form' | 'hotspot_passphrase_form' | 'hotspot_country_form'
): void {
  if (!form.test(text)) throw new AppError('invalid', because(code))
}

const fields = looseObject({
  do: v.picklist(['on', 'off']),
  ssid: v.exactOptional(v.string()),
  passphrase: v.exactOptional(v.string()),
  country: v.exactOptional(v.string()),
  channel: v.exactOptional(v.string())
})

/** `POST /hotspot`: the form of the page. An empty pass phrase is the one there is. */
function askByForm({ context }: Services): Handler<unknown, v.InferOutput<typeof fields>> {
  return ({ headers, identity, body }) =>
    operatorForm(context, { headers, identity, back: PAGE }, async () => {
      const { do: wanted, ssid, passphrase, country, channel } = body
      await ask(context, identity, {
        on: wanted === 'on',
        ...(ssid === undefined ? {} : { ssid: ssid.trim() }),
        ...(passphrase === undefined || passphrase === '' ? {} : { passphrase }),
        ...(country === undefined ? {} : { country: country.trim().toUpperCase() }),
        ...(channel === undefined || !/^(?:[1-9]|1[01])$/.test(channel) ? {} : { channel: Number(channel) })
      })
      return seeOther(PAGE)
    })
}

export const hotspotRoutes = (services: Services): Route[] => [
  get('/api/hotspot', {
    access: 'operator',
    summary: 'The Wi-Fi of the station, and how it should be.',
    about:
      '`changing` is true until the last wish is fulfilled or has failed; `reason` says why it failed. The pass phrase is on the page only.',
    answer: answerSchema,
    handle: () => jsonSaid(answerOf(services.context.hotspot))
  }),
  put('/api/hotspot', {
    summary: 'Switches the Wi-Fi of the station.',
    about: 'Takes effect within a minute: `GET /api/hotspot` tells. The audit log has who asked for it.',
    body: bodySchema,
    answer: answerSchema,
    refuses: { 503: 'Nothing on this machine switches a hotspot' },
    handle: async ({ identity, body }) => {
      await ask(services.context, identity, body)
      return jsonSaid(answerOf(services.context.hotspot))
    }
  }),
  form(PAGE, { body: fields, handle: askByForm(services) })
]
