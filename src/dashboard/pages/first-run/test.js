// The end of the first steps: one text on each channel of the matrix, and what becomes of it, live.
import { get, send } from '/static/lib/api.js'
import { t } from '/static/lib/i18n.js'
import { onLive } from '/static/lib/live.js'
import { when } from '/static/lib/time.js'
import { html, useEffect, useSignal } from '/static/vendor/ui.js'
import { Drill } from './drill.js'
import { Failure } from './parts.js'
import { Route } from './route.js'
import { busy, canWrite, doc, during, goTo, load, mode, radios } from './state.js'

/** @import { Signal } from '/static/vendor/ui.js' */
/** @typedef {{ id: number, state: string, reason: string | null, text: string | null, at: string }} Told */
/** @typedef {{ network: 'mt' | 'mc', channel: number | string }} Target */

/** Every channel of the matrix once. @returns {Target[]} */
function targets() {
  /** @type {Map<string, Target>} */
  const found = new Map()
  for (const { mt, mc } of doc.value.matrix.columns) {
    if (mt !== null) found.set(`mt ${mt}`, { network: 'mt', channel: mt })
    if (mc !== null) found.set(`mc ${mc}`, { network: 'mc', channel: mc })
  }
  return [...found.values()]
}

/** The radio for it, and why it cannot send at present; an empty text when it can. @param {Target} target */
function radioFor({ network, channel }) {
  const radio = radios.value.find((one) => one.network === network)
  const wanted = doc.value.radios.find((one) => one.network === network)
  /** @param {string} why */
  const not = (why) => ({ radio: null, why })
  if (mode === 'preview') return not(t('This is a preview: nothing is sent. Run lookout start for that.'))
  if (wanted !== undefined && (radio === undefined || radio.link !== wanted.link))
    return not(t('The radio you chose is being connected.'))
  if (radio === undefined) return not(t('There is no radio for this network.'))
  const known = radio.channels.find(({ id }) => id === channel)
  if (radio.state !== 'ready')
    return not(t('The radio is not ready: {reason}', { reason: radio.reason ?? radio.state }))
  if (known === undefined) return not(t('The radio does not have this channel.'))
  if (!known.enabled) return not(t('The channel is disabled on the radio.'))
  return { radio, why: '' }
}

export function TestStep() {
  const told = useSignal(/** @type {Told[]} */ ([]))
  /** A message is told of before the answer to its order may have come. */
  const early = useSignal(/** @type {Map<number, Told>} */ (new Map()))
  useEffect(() => {
    void during(load)
    return onLive(['delivery', 'radio', 'config', 'reset'], (data, topic) => {
      if (topic !== 'delivery') return void refresh(told)
      const news = toldOf(data)
      early.value.set(news.id, news)
      told.value = told.value.map((one) => (one.id === news.id ? news : one))
    })
  }, [])

  const list = targets()
  return html`<${Drill} />
    <${Route} />
    <h3>${t('One channel by itself')}</h3>
    ${
      list.length === 0
        ? html`<p>${t('There is no channel to test yet: choose one in the matrix.')} <button type="button" onClick=${() => goTo('matrix')}>${t('To the matrix')}</button></p>`
        : html`<p>${t('One short text per channel: TEST, the name of the station and the time. On a real radio it goes on the air.')}</p>
            <ul class="targets">${list.map((target) => html`<${Target} key=${`${target.network} ${target.channel}`} target=${target} told=${told} early=${early} />`)}</ul>`
    }
    <${Failure} />
    <div role="log" aria-label=${t('What becomes of it')}>
      ${told.value.map((one) => html`<${Told} key=${one.id} told=${one} />`)}
    </div>
    <p class="buttons"><a class="button primary" href="/">${t('To the overview')}</a>
      <button type="button" onClick=${() => goTo('matrix')}>${t('Back')}</button></p>`
}

/** @param {Signal<Told[]>} told */
async function refresh(told) {
  try {
    await load()
    for (const { id } of told.value) {
      const { body } = await get(`/api/deliveries?cursor=${id + 1}&limit=1`)
      const [found] = body.deliveries
      if (found?.id === id) told.value = told.value.map((one) => (one.id === id ? toldOf(found) : one))
    }
  } catch (error) {
    // The live line says already that the station does not answer; the next message brings what was missed.
    if (!(error instanceof Error)) throw error
  }
}

/** @param {any} delivery @returns {Told} */
function toldOf({ id, state, reason, text, sent_at, created_at }) {
  return { id, state, reason, text, at: sent_at ?? created_at }
}

/** @param {{ target: Target, told: Signal<Told[]>, early: Signal<Map<number, Told>> }} props */
function Target({ target, told, early }) {
  const { radio, why } = radioFor(target)
  const name =
    target.network === 'mt'
      ? t('Meshtastic, channel {index}', { index: target.channel })
      : t('MeshCore, {name}', { name: target.channel })
  const run = () =>
    during(async () => {
      if (radio === null) return
      const { body } = await send(`/api/radios/${encodeURIComponent(radio.id)}/test`, { channel: target.channel })
      const fresh = { id: body.delivery, state: 'queued', reason: null, text: body.text, at: new Date().toISOString() }
      told.value = [early.value.get(body.delivery) ?? fresh, ...told.value]
    })
  return html`<li>
    <span><strong>${name}</strong>${radio?.simulated ? ` (${t('simulated')})` : ''}</span>
    <button type="button" class="primary" disabled=${!canWrite || radio === null || busy.value} onClick=${run}
      aria-label=${`${t('Send a test')}: ${name}`}>${t('Send a test')}</button>
    ${why !== '' && html`<small>${why}</small>`}
  </li>`
}

/** @type {Record<string, string>} */
const STATES = {
  queued: t('Waits for its turn'),
  transmitting: t('Is being sent'),
  sent: t('Sent'),
  heard: t('Sent, and heard by another node'),
  delivered: t('Delivered'),
  unconfirmed: t('Sent; no other node was heard repeating it'),
  held: t('Held'),
  expired: t('Too old by now: not sent'),
  failed: t('Failed'),
  suppressed: t('Not sent'),
  merged: t('Joined with another message'),
  sent_unknown: t('It may or may not have been heard')
}

/** @param {{ told: Told }} props */
function Told({ told: { state, reason, text, at } }) {
  const good = ['sent', 'heard', 'delivered'].includes(state)
  const bad = ['failed', 'expired', 'held'].includes(state)
  return html`<p class=${`told ${good ? 'good' : bad ? 'bad' : ''}`}>
    <strong>${STATES[state] ?? state}${reason ? ` (${reason})` : ''}</strong> <time datetime=${at}>${when(Date.parse(at))}</time><br />
    <span class="text">${text ?? ''}</span>
  </p>`
}
