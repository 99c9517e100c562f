import { get, type Route } from '../server/route.ts'
import type { Services } from './services.ts'

const TYPE = 'application/captive+json'

/** `GET /api/captive-portal`: RFC 8908 §5, under a media type of its own. */
export const captivePortalRoutes = ({ portal }: Services): Route =>
  get('/api/captive-portal', {
    summary: 'Tells a phone on the hotspot whether it is held, and the page that lets it go.',
    about:
      '`{"captive": true, "user-portal-url": "…"}` (RFC 8908). DHCP on the hotspot names this address (RFC 8910); `captive` is false once somebody pressed "Stay connected" on this phone.',
    media: [TYPE],
    handle: ({ from }) => ({
      status: 200,
      headers: { 'Content-Type': TYPE, 'Cache-Control': 'private' },
      body: JSON.stringify({ captive: portal.isHeld(from), 'user-portal-url': portal.board })
    })
  })
