/**
 * Libraries of the dashboard, one module per line: what it exports, from which packages.
 * @type {Record<string, { code: string[], packages: string[] }>}
 */
export const MODULES = {
  'ui.js': {
    code: [
      "export { Fragment, h, render } from 'preact'",
      "export { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'",
      "export { html } from 'htm/preact'",
      "export { batch, computed, effect, Signal, signal, untracked, useComputed, useSignal, useSignalEffect } from '@preact/signals'"
    ],
    packages: ['preact', 'htm', '@preact/signals', '@preact/signals-core']
  },
  'topojson.js': { code: ["export { feature, mesh } from 'topojson-client'"], packages: ['topojson-client'] },
  'pmtiles.js': { code: ["export { PMTiles } from 'pmtiles'"], packages: ['pmtiles'] }
}
