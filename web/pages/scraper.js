// Archiving jobs: submitted, cancelled and tried again without leaving the page, and followed while they run.
import { stayOnPage } from '../library/forms.js'
import { watchMoving } from '../library/moving.js'
import { follow } from '../overview/follow.js'

const PARTS = ['content', 'as-of']

stayOnPage(PARTS)
watchMoving('content')
follow({ path: location.pathname + location.search, parts: PARTS, topics: ['knowledge', 'reset'] })
