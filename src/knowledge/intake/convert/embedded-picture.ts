/** A picture as it goes into a PDF. */
export interface Picture {
  /** PNG or JPEG that can be embedded as it stands. */
  bytes: Buffer
  width: number
  height: number
}
