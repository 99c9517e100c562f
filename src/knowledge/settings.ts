import * as v from 'valibot'
import { forEverybody } from '../platform/config/for-everybody.ts'
import { looseObject } from '../platform/config/object.ts'

const address = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^\s/?#]+[^\s?#]*$/i, 'an address begins with http:// or https:// and has no ? or #')
)
const language = v.pipe(v.string(), v.trim(), v.regex(/^[a-z]{2,3}$/, 'a language is its ISO 639 code, such as en'))

const llmSchema = looseObject({
  provider: v.pipe(
    v.optional(v.picklist(['none', 'openai', 'gemini'], 'a provider is none, openai or gemini'), 'none'),
    v.title('Language model'),
    v.description(
      'Who writes knowledge items and answers: none (passages of the text itself, offline), any OpenAI-compatible server, or Gemini. Keys: page Keys.'
    )
  ),
  url: v.pipe(
    v.optional(v.union([v.literal(''), address]), ''),
    v.title('Address of the model'),
    v.description('Base address, such as http://127.0.0.1:11434/v1; empty = the public one of the provider.')
  ),
  model: v.pipe(
    v.optional(v.string(), ''),
    v.title('Model'),
    v.description('Name of the model; empty = a small, cheap one of the provider.'),
    forEverybody()
  ),
  window_pages: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)), 5),
    v.title('Pages read at once'),
    v.description('Pages of a document that are given to the model together.')
  )
})

const embeddingSchema = looseObject({
  provider: v.pipe(
    v.optional(
      v.picklist(['hash', 'static', 'openai', 'ollama', 'tei'], 'a provider is hash, static, openai, ollama or tei'),
      'hash'
    ),
    v.title('Embedding'),
    v.description(
      'Who makes the vectors: hash (built in, no semantic model), static (token embeddings of a folder in models/ of the data folder), an OpenAI-compatible server, Ollama, or text-embeddings-inference. A change embeds everything again, in the background.'
    )
  ),
  url: v.pipe(
    v.optional(v.union([v.literal(''), address]), ''),
    v.title('Address of the embedding server'),
    v.description('Base address, such as http://127.0.0.1:11434; not used by hash and static.')
  ),
  model: v.pipe(
    v.optional(v.string(), ''),
    v.title('Embedding model'),
    v.description(
      'Name of the model; of static its folder in models/: the page Models of meaning brings and chooses one. Not used by hash and tei.'
    ),
    forEverybody()
  )
})

/** From an uploaded file to a cited answer (contract §8). */
export const knowledgeSchema = looseObject({
  language_filter: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Language filter'),
    v.description('True: documents in other languages are skipped, with the reason.')
  ),
  allowed_languages: v.pipe(
    v.optional(v.pipe(v.array(language), v.minLength(1, 'name at least one language, or switch the filter off')), [
      'en'
    ]),
    v.title('Languages'),
    v.description('ISO 639-1 codes of the languages that are read; 639-3 is accepted.'),
    forEverybody()
  ),
  ocr: v.pipe(
    v.optional(v.boolean(), true),
    v.title('Read scanned pages'),
    v.description('Pages without text are read by tesseract, when it is installed.')
  ),
  ocr_languages: v.pipe(
    v.optional(v.array(v.pipe(v.string(), v.regex(/^[a-zA-Z_]{3,20}$/, 'a tesseract language is like eng'))), ['eng']),
    v.title('Languages of scanned pages'),
    v.description('Names of tesseract language data, such as eng or deu.'),
    forEverybody()
  ),
  video_platform: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)), 'video'),
    v.title('Source of transcripts'),
    v.description(
      'A text whose source is called so is a transcript: in a sidecar file, and of what is added on the page.'
    )
  ),
  bulk_folders: v.pipe(
    v.optional(
      v.pipe(
        v.array(
          v.pipe(
            v.string(),
            v.trim(),
            v.regex(/^\/(?!.*(?:^|\/)\.\.(?:\/|$))[^\0]{1,1000}$/, 'a folder is its whole path, such as /srv/documents')
          )
        ),
        v.maxLength(20)
      ),
      []
    ),
    v.title('Folders to take documents from'),
    v.description(
      'Beside sticks (/media, /run/media, /mnt, and one called LOOKOUT): whole paths of folders of this machine that the operator may take in.'
    )
  ),
  llm: v.pipe(v.optional(llmSchema, {}), v.description('The language model, if there is one.')),
  embedding: v.pipe(v.optional(embeddingSchema, {}), v.description('Who makes vectors of texts.'))
})
export type KnowledgeConfig = v.InferOutput<typeof knowledgeSchema>

/** Limits of uploads. */
export const uploadsSchema = looseObject({
  max_bytes: v.pipe(
    v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1024 * 1024, 'at least 1 MiB (1048576)'))),
    v.title('Largest upload, bytes'),
    v.description('Without it, what the profile says. Archives (.zim) are exempt.')
  ),
  min_free_bytes: v.pipe(
    v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 200 * 1024 * 1024),
    v.title('Space kept free, bytes'),
    v.description('An upload that would leave less than this on the disk is refused.')
  )
})
