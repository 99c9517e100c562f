import type { PartialUploads } from '../../knowledge/intake/partial-uploads.ts'
import type { Reason } from '../../model/reason.ts'

/** A model of static token embeddings that the owner has brought. */
export interface ModelView {
  /** Of its folder. */
  name: string
  /** Of both files. */
  bytes: number
  /** Null while nobody has opened it since it came, and of one that cannot be used. */
  facts: { dims: number; words: number } | null
  /** The reason why it cannot be used; null while it can, or is looked at. */
  refused: Reason | null
  /** The settings name it. */
  inUse: boolean
}

export interface ModelsState {
  models: ModelView[]
  /** Models of which one file has come. */
  halves: { name: string; here: string[]; missing: string[] }[]
  /** The name that the settings have, of a model that is not here; null when it is, or they name none. */
  absent: string | null
  /** Somebody opens one of them now: asked again later, there is more to tell. */
  looking: boolean
}

/** The owner's models of meaning, as pages see them. */
export interface ModelsPort {
  state: () => Promise<ModelsState>
  /** A file by its name, `model.safetensors` or `tokenizer.json`; the title is the name of the model. */
  uploads: PartialUploads
  /** @throws AppError `not-found`; `conflict` for one that cannot be used */
  checkUsable: (name: string) => Promise<void>
  /** Removes a model, or what has come of one. @throws AppError `not-found`; `conflict` while it is in use */
  remove: (name: string) => Promise<void>
}
