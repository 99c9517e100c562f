const YOUTUBE = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/i
/** Paths by which PeerTube, on whatever host, calls its videos. */
const PEERTUBE = /^\/(?:w(?:\/p)?|videos\/(?:watch|embed))\/[\w-]+/

/**
 * The address of a moment in a recording: `t` for YouTube, `start` for PeerTube (its documentation of URL parameters), else
 * a media fragment (`#t=90`, W3C Media Fragments 4.2.1), which players of plain files understand.
 */
export function timedAddress(address: string, seconds: number): string {
  const at = Math.max(0, Math.floor(seconds))
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  if (YOUTUBE.test(url.hostname)) url.searchParams.set('t', String(at))
  else if (PEERTUBE.test(url.pathname)) url.searchParams.set('start', `${at}s`)
  else url.hash = `t=${at}`
  return url.href
}
