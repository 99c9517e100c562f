// The state of the coverage page: the document, its past, what is chosen, and what is being drawn.
import { computed, signal } from '/static/vendor/ui.js'

/** @typedef {import('../../../warning/coverage/settings.ts').AreaPart} AreaPart */
/** As `GET /api/coverage` serves it. @typedef {import('../../../warning/coverage/settings.ts').CoverageConfig} Coverage */
/** `key` tells areas apart while their names and places change. Unknown keys are carried along. @typedef {{ name: string | null, parts: AreaPart[], key: number }} Area */
/** @typedef {{ enabled: boolean, region_tagging: boolean, excluded_sources: string[], zones_online: boolean, areas: Area[] }} Draft */
/** @typedef {import('./shapes.js').Tool} Tool */
/** @typedef {import('./shapes.js').Place} Place */
/** @typedef {ReturnType<typeof createEditor>} Editor */
/** @typedef {{ area: number, part: number | null }} Choice `area` is a key, `part` a position */

const MAX_HISTORY = 100

/** @param {Coverage} coverage @param {string} revision */
export function createEditor(coverage, revision) {
  let nextKey = 1
  /** @param {Coverage} document @returns {Draft} */
  const draftOf = (document) => ({ ...document, areas: document.areas.map((area) => ({ ...area, key: nextKey++ })) })
  const base = signal({ draft: draftOf(coverage), revision })
  const draft = signal(base.value.draft)
  /** @type {import('/static/vendor/ui.js').Signal<Draft[]>} */
  const past = signal([])
  /** @type {import('/static/vendor/ui.js').Signal<Draft[]>} */
  const future = signal([])
  /** @type {import('/static/vendor/ui.js').Signal<Choice | null>} */
  const chosen = signal(null)
  /** @type {import('/static/vendor/ui.js').Signal<{ tool: Tool, area: number, places: Place[] } | null>} */
  const drawing = signal(null)
  /** The corner of the chosen part that was touched last. @type {import('/static/vendor/ui.js').Signal<number | null>} */
  const corner = signal(null)
  /** Edits with the same mark are one step of the past. @type {string | null} */
  let mark = null

  /** @param {Draft} next @param {string | null} [together] */
  const change = (next, together = null) => {
    if (together === null || together !== mark) past.value = [...past.value.slice(1 - MAX_HISTORY), draft.value]
    mark = together
    future.value = []
    draft.value = next
  }
  /** @param {number} key @param {(area: Area) => Area} edit @param {string | null} [together] */
  const changeArea = (key, edit, together = null) =>
    change({ ...draft.value, areas: draft.value.areas.map((area) => (area.key === key ? edit(area) : area)) }, together)
  /** @param {import('/static/vendor/ui.js').Signal<Draft[]>} from @param {import('/static/vendor/ui.js').Signal<Draft[]>} to */
  const step = (from, to) => {
    const next = from.value.at(-1)
    if (next === undefined) return
    to.value = [...to.value, draft.value]
    from.value = from.value.slice(0, -1)
    mark = null
    draft.value = next
    keepChoice()
  }
  const keepChoice = () => {
    const area = draft.value.areas.find(({ key }) => key === chosen.value?.area)
    if (area === undefined) chosen.value = null
    else if ((chosen.value?.part ?? 0) >= area.parts.length) chosen.value = { area: area.key, part: null }
  }

  return {
    base,
    draft,
    chosen,
    drawing,
    corner,
    /** Set by the map: where it stands, and how to move it. @type {{ bounds: () => number[], fit: (bounds: number[]) => void }} */
    map: { bounds: () => [-117, 43, -115, 45], fit: () => undefined },
    canUndo: computed(() => past.value.length > 0),
    canRedo: computed(() => future.value.length > 0),
    dirty: computed(() => JSON.stringify(wire(draft.value)) !== JSON.stringify(wire(base.value.draft))),
    area: computed(() => draft.value.areas.find(({ key }) => key === chosen.value?.area) ?? null),
    part: computed(() => {
      const area = draft.value.areas.find(({ key }) => key === chosen.value?.area)
      return area?.parts[chosen.value?.part ?? -1] ?? null
    }),
    change,
    changeArea,
    undo: () => step(past, future),
    redo: () => step(future, past),
    /** The next edit begins a step of its own. */
    endStep: () => {
      mark = null
    },
    /** Takes a document as the saved one; `keep` leaves what is edited. @param {Coverage} document @param {string} at @param {boolean} [keep] */
    load: (document, at, keep = false) => {
      if (keep) base.value = { draft: draftOf(document), revision: at }
      else {
        const fresh = draftOf(document)
        base.value = { draft: fresh, revision: at }
        past.value = []
        future.value = []
        draft.value = fresh
        keepChoice()
      }
    },
    /** Takes the edits as saved: keys stay, so that the choice does. @param {string} at */
    saved: (at) => {
      base.value = { draft: draft.value, revision: at }
      mark = null
    },
    /** @param {AreaPart[]} parts @returns {Area} */
    newArea: (parts) => {
      const area = { name: null, parts, key: nextKey++ }
      change({ ...draft.value, areas: [...draft.value.areas, area] })
      return area
    },
    /** @param {number} key @param {-1 | 1} by */
    move: (key, by) => {
      const areas = [...draft.value.areas]
      const from = areas.findIndex((area) => area.key === key)
      const [area] = areas.splice(from, 1)
      if (area === undefined || from + by < 0 || from + by > areas.length) return
      areas.splice(from + by, 0, area)
      change({ ...draft.value, areas })
    },
    /** @param {number} key */
    remove: (key) => {
      change({ ...draft.value, areas: draft.value.areas.filter((area) => area.key !== key) })
      keepChoice()
    },
    /** @param {number} key @param {number} part */
    removePart: (key, part) => {
      changeArea(key, (area) => ({ ...area, parts: area.parts.filter((_, index) => index !== part) }))
      chosen.value = { area: key, part: null }
    },
    /** @param {number} key @param {number} index @param {AreaPart} part @param {string | null} [together] */
    setPart: (key, index, part, together = null) =>
      changeArea(
        key,
        (area) => ({ ...area, parts: area.parts.map((old, at) => (at === index ? part : old)) }),
        together
      ),
    /** @param {number} key @param {AreaPart} part */
    addPart: (key, part) => {
      changeArea(key, (area) => ({ ...area, parts: [...area.parts, part] }))
      const area = draft.value.areas.find((one) => one.key === key)
      chosen.value = { area: key, part: (area?.parts.length ?? 1) - 1 }
    }
  }
}

/** The document that is sent: without the keys. Areas without a part are no areas. @param {Draft} draft @returns {Coverage} */
export function wire(draft) {
  const areas = draft.areas.map(({ key: _key, ...area }) => ({ ...area, name: area.name?.trim() || null }))
  return /** @type {Coverage} */ ({ ...draft, areas })
}

/** True when every area has a shape: only then it can be tried and saved. @param {Draft} draft */
export function isComplete({ areas }) {
  return areas.every(
    ({ parts }) => parts.length > 0 && parts.every(({ codes }) => codes === undefined || codes.length > 0)
  )
}

/**
 * Names that changed and are used elsewhere: old → new. An old name that another area still has is not one of them.
 * @param {Draft} before @param {Draft} now @param {Record<string, string[]>} uses
 * @returns {{ from: string, to: string, places: string[] }[]}
 */
export function renamesOf(before, now, uses) {
  const old = new Map(before.areas.map(({ key, name }) => [key, name]))
  const names = new Set(now.areas.map(({ name }) => name))
  const found = now.areas.flatMap(({ key, name }) => {
    const from = old.get(key) ?? null
    if (from === null || name === null || name.trim() === '' || from === name || names.has(from)) return []
    return Object.hasOwn(uses, from) ? [{ from, to: name.trim(), places: uses[from] ?? [] }] : []
  })
  return found.filter(({ from }, index) => found.findIndex((other) => other.from === from) === index)
}
