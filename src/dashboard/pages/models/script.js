// Models of meaning: both files of one are uploaded under its name, and the list follows what becomes of them.
import '/static/lib/shell.js'
import { mountUploader } from '/static/knowledge/uploader.js'
import { follow, reloadSoon } from '/static/lib/follow.js'
import { watchMoving } from '/static/library/moving.js'

const name = /** @type {HTMLInputElement | null} */ (document.getElementById('name'))

mountUploader({
  get path() {
    return `/api/knowledge/models/${encodeURIComponent(name?.value.trim() ?? '')}/uploads`
  },
  accept: '.safetensors,.json',
  // A browser says by itself, at the field, what is wrong with the name.
  ready: () => name === null || name.reportValidity(),
  onArrival: reloadSoon
})

watchMoving('content')
follow({ path: location.pathname, parts: ['content', 'as-of'], topics: ['knowledge', 'config', 'reset'] })
