/** Only printable ASCII, and no backslash: browsers read one as a slash. */
const PLAIN = /^\/[\x21-\x5b\x5d-\x7e]*$/

/**
 * The page to go to after signing in: a path of this station, whatever was asked for. Anything that could lead
 * elsewhere (`//host`, `/\host`, an address, control characters) is the overview.
 */
export function backPath(asked: string | undefined): string {
  if (asked === undefined || asked.length > 1000 || !PLAIN.test(asked) || asked.startsWith('//')) return '/'
  const { origin, pathname, search, hash } = new URL(asked, 'http://station.invalid')
  // Dots can leave a path that begins with two slashes.
  if (origin !== 'http://station.invalid' || pathname.startsWith('//')) return '/'
  return `${pathname}${search}${hash}`
}
