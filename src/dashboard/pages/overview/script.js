// The server draws the overview; nothing but this file is loaded before it is painted. What follows the live stream comes
// afterwards.

/** A browser that does not tell of its painting, or a tab nobody looks at, waits no longer than this. */
const LONGEST_MS = 1500

const painted = new Promise((resolve) => {
  if (document.visibilityState === 'hidden') resolve(undefined)
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
  setTimeout(resolve, LONGEST_MS)
})

painted
  .then(() =>
    Promise.all([import('/static/lib/follow.js'), import('/static/map/underlay.js'), import('/static/lib/shell.js')])
  )
  .then(([{ follow }, { drawUnderlay }]) => {
    follow()
    drawUnderlay()
  })
  .catch(() => {
    const place = document.getElementById('connection')
    if (place !== null) place.textContent = place.dataset['lost'] ?? ''
  })
