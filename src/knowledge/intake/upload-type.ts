/** The types that may be uploaded (contract §8). */
export const UPLOAD_TYPES = ['.pdf', '.txt', '.epub', '.doc', '.docx', '.mobi'] as const
export type UploadType = (typeof UPLOAD_TYPES)[number]
/** Further types that the intake folders take. */
export const TRANSCRIPT_TYPES = ['.vtt', '.srt'] as const
export type IntakeType = UploadType | (typeof TRANSCRIPT_TYPES)[number]

/** A file to look at, piece by piece; a piece beyond the end is empty or short. */
export interface Bytes {
  size: number
  read(from: number, length: number): Promise<Buffer>
}
