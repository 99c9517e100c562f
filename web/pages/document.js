// A document on its way is followed until it has arrived.
import { pageData } from '../lib/api.js'
import { follow } from '../overview/follow.js'

if (!pageData().settled)
  follow({
    path: location.pathname + location.search,
    parts: ['content', 'review', 'as-of'],
    topics: ['knowledge', 'reset']
  })
