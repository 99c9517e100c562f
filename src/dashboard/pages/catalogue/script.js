// The list of documents follows what becomes of them.
import { follow } from '/static/lib/follow.js'

follow({ path: location.pathname + location.search, parts: ['content', 'as-of'], topics: ['knowledge', 'reset'] })
