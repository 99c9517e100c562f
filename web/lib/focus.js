// Where the focus goes when what has it goes away.
import { useEffect } from '../vendor/ui.js'

/** A button that goes with what it did takes the focus along: whoever has no mouse goes on from the page, not from its beginning. @param {boolean} due */
export function useKeptFocus(due) {
  useEffect(() => {
    if (!due && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
  }, [due])
}
