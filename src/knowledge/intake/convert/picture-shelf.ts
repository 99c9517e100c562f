import { BOOK_LIMITS } from './limits.ts'
import { usablePicture } from './picture.ts'

/** Loads a picture; null: there is none of that name, or it is too large. */
export type PictureLoader = (source: string) => Promise<Buffer | null>

export interface PlacedPicture {
  width: number
  height: number
  /** The image that the PDF library draws. */
  image: PDFKit.Mixins.ImageSrc
}

/** A name longer than this is the picture itself (`data:`). */
const LONGEST_NAME = 1000

/** The pictures of one PDF: each is looked through and stored once, however often it is shown. */
export class PictureShelf {
  readonly #doc: PDFKit.PDFDocument
  readonly #load: PictureLoader
  readonly #known = new Map<string, PlacedPicture>()
  #bytes = 0
  #leftOut = 0

  constructor(doc: PDFKit.PDFDocument, load: PictureLoader) {
    this.#doc = doc
    this.#load = load
  }

  /** The number of pictures that could not be shown. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** The picture, or null when it is damaged, too large, of another format, or one too many. */
  async get(source: string): Promise<PlacedPicture | null> {
    const known = this.#known.get(source)
    if (known !== undefined) return known
    const bytes = await this.#load(source)
    const picture = bytes === null ? null : usablePicture(bytes)
    if (picture === null || this.#bytes + picture.bytes.length > BOOK_LIMITS.pictureBytes) {
      this.#leftOut += 1
      return null
    }
    this.#bytes += picture.bytes.length
    const placed = { width: picture.width, height: picture.height, image: opened(this.#doc, picture.bytes) }
    if (source.length < LONGEST_NAME) this.#known.set(source, placed)
    return placed
  }
}

/** The library's own object for a picture: drawn again, it is not stored again. Its types do not tell of it. */
function opened(doc: PDFKit.PDFDocument, bytes: Buffer): PDFKit.Mixins.ImageSrc {
  return canOpen(doc) ? doc.openImage(bytes) : bytes
}

interface ImageOpener {
  openImage: (bytes: Buffer) => PDFKit.Mixins.ImageSrc
}

function canOpen(doc: PDFKit.PDFDocument): doc is PDFKit.PDFDocument & ImageOpener {
  return 'openImage' in doc && typeof doc.openImage === 'function'
}
