/** The longest name a file system takes, in bytes. */
const MAX_NAME_BYTES = 255
const MAX_TITLE = 300
const MAX_CATEGORY = 100

/** A name for people: no folders, no control or direction characters, at most 255 bytes. It is never used as a path. */
export function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const clean = cutBytes(plain(last), MAX_NAME_BYTES)
  return /^\.*$/.test(clean) ? 'unnamed' : clean
}

export const cleanTitle = (title: string): string => [...plain(title)].slice(0, MAX_TITLE).join('').trim()

export const cleanCategory = (category: string): string => [...plain(category)].slice(0, MAX_CATEGORY).join('').trim()

function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Cut in the middle of the name, so that its ending stays. */
function cutBytes(name: string, most: number): string {
  if (Buffer.byteLength(name) <= most) return name
  const ending = /\.[a-z0-9]{1,8}$/i.exec(name)?.[0] ?? ''
  let stem = ''
  for (const char of name.slice(0, name.length - ending.length)) {
    if (Buffer.byteLength(stem) + Buffer.byteLength(char) + Buffer.byteLength(ending) > most) break
    stem += char
  }
  return stem + ending
}
