// A document on its way is followed until it has arrived.
import '/static/lib/shell.js'
import { pageData } from '/static/lib/api.js'
import { follow } from '/static/lib/follow.js'

if (!pageData().settled)
  follow({
    path: location.pathname + location.search,
    parts: ['content', 'review', 'as-of'],
    topics: ['knowledge', 'reset']
  })
