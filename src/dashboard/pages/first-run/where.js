// Other ways to say where: a tap on the map, and the position this device knows.
import { t } from '/static/lib/i18n.js'
import { html, useEffect, useRef, useSignal } from '/static/vendor/ui.js'
import { tell } from './state.js'

/** @typedef {{ lat: number, lon: number }} At */

/** A window round a place that is known: some towns of it. */
const DEGREES_ROUND = 0.6
const POSITION_MS = 20_000

/** @param {{ at: At | null, box: readonly number[] | null, onPoint: (at: At) => Promise<void> }} props */
export function Elsewhere({ at, box, onPoint }) {
  const mapped = useSignal(false)
  const waiting = useSignal(false)
  // Browsers tell a position to no page that came over plain HTTP from another machine.
  const mayAsk = isSecureContext && 'geolocation' in navigator
  const locate = () => {
    waiting.value = true
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        waiting.value = false
        void onPoint({ lat: coords.latitude, lon: coords.longitude })
      },
      ({ code }) => {
        waiting.value = false
        tell(
          new Error(
            code === 1
              ? t('This device does not tell its position: it was refused.')
              : t('This device does not know its position at present. Take a town or the map.')
          )
        )
      },
      { timeout: POSITION_MS, maximumAge: 600_000 }
    )
  }
  return html`<p class="buttons">
      <button type="button" aria-expanded=${mapped.value} onClick=${() => (mapped.value = !mapped.value)}>${mapped.value ? t('Close the map') : t('Point at it on the map')}</button>
      ${mayAsk && html`<button type="button" disabled=${waiting.value} onClick=${locate}>${waiting.value ? t('Asking the device …') : t('Where this device is')}</button>`}
    </p>
    ${!mayAsk && html`<p class="quiet">${t('Browsers tell where a device is only to pages over HTTPS or on the device itself: this page is neither.')}</p>`}
    ${mapped.value && html`<${PointMap} at=${at} box=${box} onPoint=${onPoint} />`}`
}

/** @param {{ at: At | null, box: readonly number[] | null, onPoint: (at: At) => Promise<void> }} props */
function PointMap({ at, box, onPoint }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null))
  const map = useRef(/** @type {ReturnType<typeof import('/static/lib/map.js').renderMap> | null} */ (null))
  const point = useRef(onPoint)
  point.current = onPoint
  useEffect(() => {
    let over = false
    const draw = async () => {
      const { renderMap } = await import('/static/lib/map.js')
      if (over || place.current === null) return
      const bounds =
        at === null
          ? box
          : [at.lon - DEGREES_ROUND, at.lat - DEGREES_ROUND, at.lon + DEGREES_ROUND, at.lat + DEGREES_ROUND]
      map.current = renderMap(place.current, { label: t('Map for pointing at the place'), bounds })
      map.current.setDrawing(true)
      map.current.on('tap', (/** @type {At} */ tapped) => void point.current(tapped))
      show(map.current, at)
    }
    draw().catch(tell)
    return () => {
      over = true
      map.current?.destroy()
    }
  }, [])
  useEffect(() => {
    if (map.current !== null) show(map.current, at)
  }, [at?.lat, at?.lon])
  return html`<div class="point-map" ref=${place}></div>
    <p class="quiet">${t('Move the map and tap the place; with the keyboard, Enter takes the middle.')}</p>`
}

/** @param {NonNullable<ReturnType<typeof import('/static/lib/map.js').renderMap>>} map @param {At | null} at */
function show(map, at) {
  map.setLayers(at === null ? [] : [{ kind: 'area', name: t('The place'), passive: true, ...at }])
}
