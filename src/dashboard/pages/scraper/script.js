// Archiving jobs: submitted, cancelled and tried again without leaving the page, and followed while they run.

import '/static/lib/shell.js'
import { follow } from '/static/lib/follow.js'
import { stayOnPage } from '/static/library/forms.js'
import { watchMoving } from '/static/library/moving.js'

const PARTS = ['content', 'as-of']

stayOnPage(PARTS)
watchMoving('content')
follow({ path: location.pathname + location.search, parts: PARTS, topics: ['knowledge', 'reset'] })
