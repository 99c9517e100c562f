// A window that lies over the page until somebody has decided. Escape is its way out without an order.
import { html, useId, useLayoutEffect, useRef } from '../vendor/ui.js'

/** @import { ComponentChildren } from 'preact' */
/** @typedef {{ current: HTMLDialogElement | null }} DialogRef */

/**
 * @param {object} given
 * @param {unknown} given.title
 * @param {ComponentChildren} [given.children]
 * @param {string} [given.kind] more classes
 * @param {boolean} [given.modal] whatever lies below waits
 * @param {DialogRef} [given.of] whoever places it, or closes it
 * @param {(event: Event) => void} given.onCancel
 * @param {(event: KeyboardEvent) => void} [given.onKeyDown]
 * @param {(event: Event) => void} [given.onClick]
 */
export function Dialog({ title, children, kind = '', modal = true, of, onCancel, ...hands }) {
  const own = useRef(/** @type {HTMLDialogElement | null} */ (null))
  const ref = of ?? own
  const id = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    if (modal) dialog?.showModal()
    else dialog?.show()
    // Taken away while it is open, it would take the focus along: closed, it gives it back.
    return () => {
      if (dialog?.open && (modal || dialog.contains(document.activeElement))) dialog.close()
    }
  }, [modal])
  return html`<dialog ref=${ref} class=${`dialog ${kind}`} aria-labelledby=${id} onCancel=${onCancel} ...${hands}>
    <h2 id=${id}>${title}</h2>${children}
  </dialog>`
}
