// The fate that the event would have: messages with their texts, the cells, every step.
import { t } from '../lib/i18n.js'
import { outcomeNames, stageNames } from '../shared/words.js'
import { html } from '../vendor/ui.js'
import { changeWords, channelWord, pathWords, reasonWord, STATE_LOOKS, stateWords } from './words.js'

/** @typedef {import('../../src/warning/routing/said-trace.ts').SaidExplanation} Explanation */
/** @typedef {import('../../src/warning/routing/explain.ts').ExplainedMessage} ExplainedMessage */

/** @param {{ answer: Explanation }} props */
export function Result({ answer }) {
  const now = answer.messages.filter(({ stands_in_for }) => stands_in_for === undefined)
  return html`<div class="trial-result">
    <p class="trial-headline" role="status"><strong>${headline(answer, now)}</strong>
      ${answer.event.regions.length === 0 ? html` ${t('It touches no region.')}` : html` ${t('It touches {regions}.', { regions: answer.event.regions.join(', ') })}`}</p>
    ${answer.messages.length === 0 ? null : html`<ul class="messages">${answer.messages.map((message) => html`<${Message} message=${message} />`)}</ul>`}
    <${Cells} answer=${answer} />
    <details><summary>${t('Why, step by step')}</summary><${Steps} answer=${answer} /></details>
  </div>`
}

/** "Sent" is said only of what a radio would take now; the rest is counted by what would become of it. @param {Explanation} answer @param {ExplainedMessage[]} messages */
function headline({ reason, outcome }, messages) {
  /** @param {ExplainedMessage['state']} wanted */
  const count = (wanted) => messages.filter(({ state }) => state === wanted).length
  const [planned, held, failed] = [count('planned'), count('held'), count('failed')]
  const said = [
    ...(planned === 1 ? [t('1 message would be sent.')] : []),
    ...(planned > 1 ? [t('{count} messages would be sent.', { count: planned })] : []),
    ...(held > 0 ? [t('{count} would wait.', { count: held })] : []),
    ...(failed > 0 ? [t('{count} would fail.', { count: failed })] : [])
  ]
  if (said.length > 0) return said.join(' ')
  return `${t('Nothing would be sent')}: ${reasonWord(reason === '' ? outcome : reason)}.`
}

/** @param {{ message: ExplainedMessage }} props */
function Message({ message }) {
  const {
    transport,
    channel,
    regions,
    path,
    text,
    bytes,
    airtime_seconds,
    merges_into,
    stands_in_for,
    state,
    blocked
  } = message
  const facts = [
    pathWords()[path] ?? path,
    regions.join(', '),
    state === 'planned' ? '' : `${state === 'held' ? t('would wait') : t('would fail')}: ${reasonWord(blocked ?? '')}`,
    merges_into === null ? '' : t('joins message {id}', { id: merges_into }),
    stands_in_for === undefined
      ? ''
      : t('only if {channels} does not get through', { channels: stands_in_for.map(channelWord).join(', ') })
  ]
  return html`<li><p class="facts"><strong>${channelWord(`${transport}:${channel}`)}</strong>${' '}
      ${facts.filter((fact) => fact !== '').map((fact) => html`<span>${fact}</span> `)}</p>
    ${
      text === null
        ? html`<p class="quiet">${t('Its text is made when it is sent.')}</p>`
        : html`<p><q class="said">${text}</q> <small class="bytes">${t('{count} bytes', { count: bytes ?? 0 })} · ${t('{seconds} s on the air', { seconds: (airtime_seconds ?? 0).toFixed(2) })}</small></p>`
    }</li>`
}

/** @param {{ answer: Explanation }} props */
function Cells({ answer }) {
  const touched = answer.cells.filter(({ reason }) => reason !== 'not_touched')
  const others = answer.cells.length - touched.length
  const rest =
    others === 0
      ? null
      : html`<p class="quiet">${t('Cells of this family whose region is not touched: {count}', { count: others })}</p>`
  if (touched.length === 0) return rest
  return html`<table class="trial-cells"><caption>${t('The cells it touches')}</caption>
    <thead><tr><th scope="col">${t('Region')}</th><th scope="col">${t('What happens')}</th><th scope="col">${t('What would have to change')}</th></tr></thead>
    <tbody>${touched.map(
      (cell) => html`<tr key=${cell.region}><th scope="row">${cell.region}</th>
        <td><${State} state=${cell.state} reason=${cell.reason} />${
          cell.channels.length < 2
            ? null
            : html`<ul>${cell.channels.map(
                (channel) =>
                  html`<li>${channelWord(channel.channel)}: <${State} state=${channel.state} reason=${channel.reason} /></li>`
              )}</ul>`
        }</td>
        <td>${cell.wanted.length > 0 ? changeWords(cell.wanted) : channelChanges(cell)}</td></tr>`
    )}</tbody></table>${rest}`
}

/** A cell that sends may have a channel that does not. @param {Explanation['cells'][number]} cell */
function channelChanges({ channels }) {
  const wanting = channels.filter(({ wanted }) => wanted.length > 0)
  if (wanting.length === 0) return t('nothing')
  return wanting.map(({ channel, wanted }) => `${channelWord(channel)}: ${changeWords(wanted)}`).join(' ')
}

/** @param {{ state: import('./words.js').CellState, reason: string }} props */
function State({ state, reason }) {
  return html`<span class=${`state ${STATE_LOOKS[state]}`}>${stateWords()[state]}</span> <span class="why">${reasonWord(reason)}</span>`
}

/** @param {{ answer: Explanation }} props */
function Steps({ answer }) {
  const stages = [...new Set(answer.trace.map(({ stage }) => stage))]
  return html`<ol class="trial-steps">${stages.map(
    (stage) =>
      html`<li><h3>${stageNames(t)[stage] ?? stage}</h3><ul>${answer.trace
        .filter((step) => step.stage === stage)
        .map(
          ({ outcome, detail }) => html`<li><strong>${outcomeNames(t)[outcome] ?? outcome}</strong> ${detail}</li>`
        )}</ul></li>`
  )}</ol>`
}
