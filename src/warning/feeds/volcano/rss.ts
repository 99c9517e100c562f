import { because } from '../../../model/reason.ts'
import { feedSteps } from '../georss/items.ts'
import { pointIn } from '../georss/shape.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { childText, withoutComments, xmlSteps } from '../reading/xml.ts'
import { colourOf, levelOf, type Notice, type Notices } from './notice.ts'

/** Its root stands in so many characters. */
const HEAD = 20_000

/** The feed of the USGS for all of its volcanoes: RSS, with level and colour as elements of their own. */
export function isVolcanoFeed(text: string): boolean {
  return /^\s*<(?:rss|feed)\b/.test(withoutComments(text.slice(0, HEAD)))
}

/** `HVO Kilauea WATCH …`: the observatory, the volcano, and whatever follows its level. */
const TITLE =
  /^(?:([A-Z]{3,4})\s+)?(.+?)(?:[\s,:(-]+(?:NORMAL|ADVISORY|WATCH|WARNING|GREEN|YELLOW|ORANGE|RED|UNASSIGNED)\b.*)?$/i

/** The notices of the feed. It holds the newest of each volcano, and what it no longer lists is not over. */
export function* noticesOfRss(text: string, feed: string): Generator<void, Notices> {
  const { items, skipped } = yield* feedSteps(yield* xmlSteps(text, feed), feed)
  const notices: Notice[] = []
  yield* eachInTurn(items, ({ id, title, text: summary, sent, element }) => {
    const child = (name: string): string =>
      element.children.find((one) => one.name.toLowerCase() === name)?.text.trim() ?? ''
    const colour = colourOf(child('colorcode') || child('colourcode'))
    const level = levelOf(child('alertlevel'), colour)
    const [, observatory = '', named = ''] =
      TITLE.exec(title.slice(0, 1000).replace(/(?<!\s)\s*\([^)]{0,300}\)/g, '')) ?? []
    const name = clip(oneLine(named), 80)
    if (level === null || name === '')
      skipped.push({ id, reason: level === null ? because('no_alert_level') : because('no_volcano') })
    else
      notices.push({
        id: childText(element, 'vnum') || name.toLowerCase(),
        name,
        level,
        colour,
        product: `Volcano ${level.charAt(0).toUpperCase()}${level.slice(1)}`,
        area: '',
        ...(pointIn(element) ?? { lat: null, lon: null }),
        time: sent,
        number: id,
        ash: null,
        summary: oneLine(summary).slice(0, 5000),
        attribution: observatory === '' ? 'USGS' : `USGS ${observatory.toUpperCase()}`
      })
  })
  return { notices, skipped, complete: false }
}
