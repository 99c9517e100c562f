const MIB = 1024 * 1024

/** Bounds of the parsers of untrusted documents; far above what real books need, low enough for a board with 512 MB. */
export const ZIP_LIMITS = {
  /** A photo book has a few thousand members. */
  entries: 20_000,
  /** All members unpacked. */
  unpackedBytes: 1024 * MIB,
  /** One text member (XHTML, XML), which is held in memory. */
  textBytes: 32 * MIB,
  /** One picture. */
  pictureBytes: 16 * MIB,
  /** Unpacked to packed, looked at from `ratioFrom` bytes on: plain text reaches 20, markup 100, bombs 1000. */
  ratio: 300,
  ratioFrom: 4 * MIB
} as const

export const BOOK_LIMITS = {
  /** Characters of text of one book; the longest novels have 10 million. */
  textLength: 60_000_000,
  pages: 20_000,
  outlineEntries: 2000,
  /** Pictures of one book together, as they are stored. */
  pictureBytes: 256 * MIB,
  picturePixels: 25_000_000
} as const

/** Bounds of the child processes that convert. */
export const CHILD_LIMITS = {
  /** LibreOffice and calibre on a slow board, large manuals. */
  officeMs: 600_000,
  officeMemoryBytes: 1536 * MIB,
  ownMs: 600_000,
  ownMemoryBytes: 384 * MIB,
  toolMs: 120_000,
  toolMemoryBytes: 256 * MIB,
  outputBytes: 64 * 1024,
  textBytes: 64 * MIB,
  folderBytes: 2048 * MIB
} as const
