import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { reasonOf } from '../../platform/errors.ts'
import { backoff } from '../../platform/net/backoff.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Window } from '../catalogue/contents.ts'
import type { Document, NewItem, Page } from '../catalogue/document.ts'
import { ProviderError } from '../keys/provider-error.ts'
import type { LanguageModel } from './llm/model.ts'
import { itemsOfAnswer } from './llm-answer.ts'
import { ITEM_JSON_SCHEMA, ITEM_SYSTEM, itemPrompt } from './llm-prompt.ts'
import { type PageRange, windowsOf } from './windows.ts'

const MAX_TRIES = 5
const WAIT = { min: 5000, max: 120_000 }
/** Non-blank characters; windows with fewer hold no knowledge. */
const FEWEST = 50
const MAX_TOKENS = 8192

export interface LlmTools {
  catalogue: Catalogue
  model: LanguageModel
  windowPages: number
  domainOf: (passage: { title: string; text: string }) => string
  clock: Clock
  random: () => number
  signal: AbortSignal
  progress: (text: Reason) => void
}

type Outcome = { items: NewItem[] } | { failed: Reason; isDown: boolean }

/**
 * Has the model write items of every window that is not done yet. What a window gave is stored with its state in one
 * transaction (L9): a crash repeats one window at most, and another run only those that failed. Once the model does not
 * answer at all, the windows left are not tried. Answers every window that failed.
 * @throws the reason of `signal` when it is aborted.
 */
export async function writeLlmItems(
  doc: Document,
  pages: readonly { number: number }[],
  tools: LlmTools
): Promise<Window[]> {
  const { catalogue, model } = tools
  const windows = windowsOf(pages, tools.windowPages)
  const known = new Map(catalogue.windows(doc.id).map((window) => [window.number, window]))
  let down: Reason | null = null
  for (const window of windows) {
    const before = known.get(window.number)
    if (before?.state === 'done' && isSameRange(before, window)) continue
    tools.progress(because('model_window', { window: window.number + 1, count: windows.length }))
    const outcome: Outcome =
      down === null
        ? await askWindow(doc, { ...window, pages: pagesOf(doc, window, tools) }, tools)
        : { failed: because('model_not_asked', { said: down }), isDown: true }
    if ('failed' in outcome && outcome.isDown) down ??= outcome.failed
    const { number, firstPage, lastPage } = window
    const reason = 'failed' in outcome ? outcome.failed : null
    const state = reason === null ? 'done' : 'failed'
    catalogue.transaction(() => {
      catalogue.replaceItems(doc.id, number, 'llm', 'items' in outcome ? outcome.items : [])
      catalogue.setWindow(doc.id, { number, firstPage, lastPage, state, reason, provider: model.name })
    })
  }
  return catalogue.windows(doc.id).filter(({ state }) => state === 'failed')
}

/** Windows of other pages (their size was changed) would overlap the new ones: everything is to be written again. */
export function areWindowsStale(
  known: readonly PageRange[],
  pages: readonly { number: number }[],
  windowPages: number
): boolean {
  const windows = windowsOf(pages, windowPages)
  return known.some((one) => {
    const now = windows[one.number]
    return now === undefined || !isSameRange(one, now)
  })
}

function isSameRange(one: PageRange, other: PageRange): boolean {
  return one.firstPage === other.firstPage && one.lastPage === other.lastPage
}

function pagesOf(doc: Document, { firstPage, lastPage }: PageRange, { catalogue }: LlmTools): Page[] {
  return catalogue.pages(doc.id, { from: firstPage, to: lastPage })
}

async function askWindow(doc: Document, window: PageRange & { pages: Page[] }, tools: LlmTools): Promise<Outcome> {
  const text = window.pages.map((page) => page.text).join('')
  if (text.replace(/\s/g, '').length < FEWEST) return { items: [] }
  const request = {
    system: ITEM_SYSTEM,
    prompt: itemPrompt(doc.title, window.pages),
    schema: ITEM_JSON_SCHEMA,
    maxTokens: MAX_TOKENS,
    signal: tools.signal
  }
  let failed = because('it_failed')
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    tools.signal.throwIfAborted()
    try {
      const items = itemsOfAnswer(await tools.model.complete(request), window, tools.domainOf)
      if (items !== null) return { items }
      failed = because('model_no_json')
    } catch (error) {
      tools.signal.throwIfAborted()
      failed = reasonOf(error)
      if (isHopeless(error)) return { failed, isDown: isKey(error) }
      if (attempt + 1 === MAX_TRIES) return { failed, isDown: true }
      await wait(waitFor(error, attempt, tools), tools)
    }
  }
  return { failed, isDown: false }
}

/** Asking the same again is of no use. What is no failure of a provider is a bug, of the job, not of the window. */
function isHopeless(error: unknown): boolean {
  if (!(error instanceof ProviderError)) throw error
  return error.kind === 'permanent' || error.kind === 'no-key'
}

function isKey(error: unknown): boolean {
  return error instanceof ProviderError && error.kind === 'no-key'
}

function waitFor(error: unknown, attempt: number, { clock, random }: LlmTools): number {
  const usual = backoff(attempt, { ...WAIT, random })
  const retryAt = error instanceof ProviderError ? error.retryAt : null
  return retryAt === null ? usual : Math.min(WAIT.max, Math.max(usual, retryAt - clock.now()))
}

function wait(ms: number, { clock, signal }: LlmTools): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal.reason)
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
