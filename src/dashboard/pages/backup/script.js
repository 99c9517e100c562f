// The page of backups: one is uploaded in pieces that survive a lost connection. Everything else works without this.
import '/static/lib/shell.js'
import { mountUploader } from '/static/knowledge/uploader.js'

// The station makes the page that says what the file holds.
mountUploader({ path: '/api/backup/uploads', accept: '.tar', onArrival: () => location.reload() })
