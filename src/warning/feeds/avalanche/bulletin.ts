import type { LookoutEvent } from '../../../model/event.ts'
import type { Geometry } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import type { SkippedItem } from '../feed.ts'
import { callToAction } from '../polling/calls.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { asBag, textOf } from '../reading/json.ts'
import { looseNumber, pointIn, remember } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import type { ReadTools } from '../source.ts'

/** The view of a forecast centre on one zone until its next bulletin. */
export interface DangerBulletin {
  zone: string
  name: string
  /** 1-5 of the North American Public Avalanche Danger Scale; null when only a product is given. */
  danger: number | null
  /** `warning` and `watch` are products of their own, beside the danger. */
  product: 'warning' | 'watch' | null
  /** Epoch milliseconds. */
  start: number
  end: number
  /** The newest time of the bulletin, which each source names differently. */
  sent: number
  advice: string
  detail: string
  attribution: string
  geometry: Geometry | null
}

/** The bulletin that was told last in a zone, so that the next one continues its thread. */
interface Told {
  id: string
  thread: string
  lifecycle: 'new' | 'update' | 'cancel'
  end: number
  danger: number | null
  product: DangerBulletin['product']
}

const WORDS = ['low', 'moderate', 'considerable', 'high', 'extreme']

/**
 * The meaning of a bulletin after the one before. A bulletin that follows one still in force goes on with its thread;
 * one that falls below the least danger ends it.
 */
export function readBulletin(bulletin: DangerBulletin, least: number, tools: ReadTools): LookoutEvent | SkippedItem {
  const { zone, danger, product, end } = bulletin
  if (end <= tools.receivedAt) return { id: zone, reason: because('item_over_since', { since: formatTime(end) }) }
  const id = `${zone}:${formatTime(bulletin.start)}`
  const before = goingOn(bulletin, id, recall(zone, tools))
  const isTold = product !== null || (danger !== null && danger >= least)
  if (!isTold && before === null) {
    const reason = danger === null ? because('danger_unknown', { least }) : because('danger_below', { danger, least })
    return { id: zone, reason }
  }
  const thread = before?.thread ?? `${tools.source}:${id}`
  const lifecycle = isTold ? standing(id, before) : 'cancel'
  // An end uses the name under which it was told.
  const named = !isTold && before !== null ? { danger: before.danger, product: before.product } : {}
  const event = toEvent({ ...bulletin, ...named }, { id, thread, lifecycle, tools })
  remember(tools.memory, key(zone), { id, thread, lifecycle, end, danger, product })
  return event
}

/** The bulletin before, when this one is the same or follows while it was still in force. */
function goingOn({ start }: DangerBulletin, id: string, before: Told | null): Told | null {
  if (before === null || before.lifecycle === 'cancel') return null
  return before.id === id || before.end > start ? before : null
}

function standing(id: string, before: Told | null): 'new' | 'update' {
  return before === null || (before.id === id && before.lifecycle === 'new') ? 'new' : 'update'
}

function key(zone: string): string {
  return `zone:${zone}`
}

function recall(zone: string, tools: ReadTools): Told | null {
  const bag = asBag(tools.memory.get(key(zone)))
  const end = looseNumber(bag?.['end'])
  const thread = textOf(bag?.['thread'])
  if (bag === null || end === null || thread === '') return null
  const lifecycle = (['update', 'cancel'] as const).find((word) => word === bag['lifecycle']) ?? 'new'
  const product = (['warning', 'watch'] as const).find((word) => word === bag['product']) ?? null
  return { id: textOf(bag['id']), thread, lifecycle, end, danger: looseNumber(bag['danger']), product }
}

interface Standing {
  id: string
  thread: string
  lifecycle: Told['lifecycle']
  tools: ReadTools
}

function toEvent(bulletin: DangerBulletin, { id, thread, lifecycle, tools }: Standing): LookoutEvent {
  const { danger, product, end } = bulletin
  const state = [danger ?? '', product ?? '', formatTime(end)].join('|')
  const over = lifecycle === 'cancel'
  const point = pointIn(bulletin.geometry)
  return feedEvent(
    {
      id,
      revision: over ? `${state}|over` : state,
      category: categoryOf(bulletin),
      severity: dangerLevel(bulletin),
      title: titleOf(bulletin),
      summary: clip(oneLine(bulletin.detail), 500),
      geometry: bulletin.geometry,
      lat: point?.lat ?? null,
      lon: point?.lon ?? null,
      onset: formatTime(bulletin.start),
      expires: formatTime(end),
      sent_at: formatTime(bulletin.sent),
      thread_id: thread,
      lifecycle,
      data: {
        event_name: productName(product) ?? 'Avalanche danger',
        places: [bulletin.name],
        ...(over ? {} : words(bulletin)),
        attribution: clip(bulletin.attribution, 60),
        ...(danger === null ? {} : { danger_level: danger }),
        material: over ? 'over' : state,
        zone: bulletin.zone
      }
    },
    tools
  )
}

function titleOf({ danger, product, name }: DangerBulletin): string {
  const word = danger === null ? '' : ` ${WORDS[danger - 1] ?? ''} (${danger})`
  return clip(`${productName(product) ?? 'Avalanche danger'}${word}: ${name}`, 500)
}

function words({ detail, advice }: DangerBulletin): { detail?: string; instruction?: string } {
  const instruction = callToAction(clip(advice, 1000))
  return {
    ...(detail === '' ? {} : { detail: clip(oneLine(detail), 300) }),
    ...(instruction === '' ? {} : { instruction })
  }
}

function productName(product: DangerBulletin['product']): string | null {
  if (product === null) return null
  return product === 'warning' ? 'Avalanche Warning' : 'Avalanche Watch'
}

function categoryOf({ danger, product }: DangerBulletin): string {
  if (product === 'warning' || (danger ?? 0) >= 4) return 'avalanche_warning'
  if (product === 'watch') return 'avalanche_watch'
  return danger === 3 ? 'avalanche_considerable' : 'avalanche_advisory'
}

/** Extreme immediate, high critical, considerable priority, else routine; a warning is critical at least. */
function dangerLevel({ danger, product }: DangerBulletin): Severity {
  if (danger === 5) return 'immediate'
  if (danger === 4 || product === 'warning') return 'critical'
  return danger === 3 || product === 'watch' ? 'priority' : 'routine'
}
