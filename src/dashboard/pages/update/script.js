// The page of updates: a bundle is uploaded in pieces that survive a lost connection. Everything else works without this.
import '/static/lib/shell.js'
import { mountUploader } from '/static/knowledge/uploader.js'

// The station makes the page that says how it was judged.
mountUploader({ path: '/api/update/uploads', accept: '.xz', onArrival: () => location.reload() })
