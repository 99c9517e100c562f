// The list of documents follows what becomes of them.
import '/static/lib/shell.js'
import { follow } from '/static/lib/follow.js'

follow({ path: location.pathname + location.search, parts: ['content', 'as-of'], topics: ['knowledge', 'reset'] })
