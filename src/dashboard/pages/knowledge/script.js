// The state of all documents, followed live: the server draws it, and what differs is changed in place.
import '/static/lib/shell.js'
import { follow } from '/static/lib/follow.js'

follow({ path: location.pathname, parts: ['content', 'as-of'], topics: ['knowledge', 'reset'] })
