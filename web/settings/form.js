// The state of one form: what stood there, what stands in it now, and how saving went. Two people may edit at once.
import { ApiError, get, send } from '../lib/api.js'
import { t } from '../lib/i18n.js'
import { changeOf, isEqual, overlap, pathOf, placesOf, valueAt, withChange, withValue } from '../shared/values.js'
import { batch, signal } from '../vendor/ui.js'

/**
 * @typedef {import('../shared/values.js').Setting} Setting
 * @typedef {import('../shared/values.js').Change} Change
 * @typedef {{ settings: Record<string, unknown>, revision: string }} Served
 * @typedef {object} FormOptions
 * @property {string} pointer  Where the value stands; ends in `-` for a new entry of a list.
 * @property {Setting} setting
 * @property {unknown} base
 * @property {string} revision
 * @property {Record<string, string[]>} suggestions
 * @property {Record<string, unknown>} [overridden]
 * @property {Record<string, string>} [own]  Parts that have an editor of their own.
 * @property {(served: Served) => void} [onSaved]
 */

export class Form {
  /** @param {FormOptions} options */
  constructor({ pointer, setting, base, revision, suggestions, overridden = {}, own = {}, onSaved = () => undefined }) {
    this.pointer = pointer
    this.setting = setting
    this.suggestions = suggestions
    this.overridden = overridden
    this.own = own
    this.onSaved = onSaved
    this.isNew = pointer.endsWith('/-')
    /** @type {unknown} */
    this.base = this.isNew ? undefined : base
    this.revision = revision
    this.draft = signal(base)
    /** Texts of JSON fields that cannot be read, by pointer. */
    this.unreadable = signal(/** @type {ReadonlyMap<string, string>} */ (new Map()))
    this.state = signal(/** @type {'idle' | 'saving' | 'saved'} */ ('idle'))
    this.problem = signal(
      /** @type {{ status: number, detail: string, errors: { path: string, message: string }[] } | null} */ (null)
    )
    this.conflict = signal(/** @type {{ theirs: unknown, revision: string, places: string[] } | null} */ (null))
    this.restart = signal(/** @type {string[]} */ ([]))
    this.warnings = signal(/** @type {string[]} */ ([]))
    /** Counts up when the form shall be drawn from its beginning: fields forget what was typed. */
    this.version = signal(0)
  }

  /** @param {readonly string[]} path */
  value(path) {
    return valueAt(this.draft.value, path)
  }

  /**
   * @param {readonly string[]} path
   * @param {unknown} next `undefined` = as it is by default
   */
  set(path, next) {
    batch(() => {
      this.draft.value = withValue(this.draft.value, path, next)
      this.state.value = 'idle'
    })
  }

  /**
   * A text that is no value yet: the last one that could be read stands until then.
   * @param {string} pointer
   * @param {string | null} why null for one that can be read again
   */
  setUnreadable(pointer, why) {
    const next = new Map(this.unreadable.peek())
    if (why === null) next.delete(pointer)
    else next.set(pointer, why)
    this.unreadable.value = next
  }

  /** @returns {Change} */
  change() {
    if (this.isNew) return { set: { [this.pointer]: this.draft.value }, remove: [] }
    return changeOf(this.pointer, this.base, this.draft.value)
  }

  /** Something here is lost by going away. */
  get dirty() {
    return this.isNew || this.unreadable.value.size > 0 || !isEqual(this.base, this.draft.value)
  }

  /** @param {string} pointer */
  errorsAt(pointer) {
    return (this.problem.value?.errors ?? []).filter(({ path }) => path === pointer).map(({ message }) => message)
  }

  /** @param {string} pointer */
  hasErrorsBelow(pointer) {
    return (this.problem.value?.errors ?? []).some(({ path }) => path.startsWith(`${pointer}/`))
  }

  discard() {
    batch(() => {
      this.draft.value = this.base
      this.#clear()
      this.version.value++
    })
  }

  async save() {
    const unreadable = [...this.unreadable.value].map(([path, message]) => ({ path, message }))
    if (unreadable.length > 0) {
      this.problem.value = { status: 422, detail: t('Some fields cannot be read.'), errors: unreadable }
      return
    }
    batch(() => {
      this.#clear()
      this.state.value = 'saving'
    })
    try {
      await this.#send()
    } catch (error) {
      this.#refused(error)
    }
  }

  async #send() {
    const change = this.change()
    try {
      this.#saved((await send('/api/settings', change, { revision: this.revision })).body)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error
      await this.#merge(change)
    }
  }

  /**
   * Somebody else saved in between. Other places: both changes stand. The same place: the person decides.
   * @param {Change} mine
   */
  async #merge(mine) {
    const { body } = await get('/api/settings')
    const theirs = valueAt(body.settings, pathOf(this.pointer))
    const theirChange = changeOf(this.pointer, this.base, theirs)
    if (this.isNew || !overlap(mine, theirChange)) {
      this.#saved((await send('/api/settings', mine, { revision: body.revision })).body)
      return
    }
    batch(() => {
      this.state.value = 'idle'
      this.conflict.value = { theirs, revision: body.revision, places: placesOf(theirChange) }
    })
  }

  /** @param {'mine' | 'theirs'} whose */
  settle(whose) {
    const conflict = this.conflict.value
    if (conflict === null) return
    const mine = this.change()
    batch(() => {
      this.base = conflict.theirs
      this.revision = conflict.revision
      this.draft.value = whose === 'theirs' ? conflict.theirs : withChange(conflict.theirs, this.pointer, mine)
      this.#clear()
      this.version.value++
    })
  }

  #clear() {
    this.unreadable.value = new Map()
    this.problem.value = null
    this.conflict.value = null
    this.restart.value = []
    this.warnings.value = []
    this.state.value = 'idle'
  }

  /** @param {Served & { restart: string[], warnings: { path: string, message: string }[] }} body */
  #saved(body) {
    batch(() => {
      this.revision = body.revision
      if (!this.isNew) {
        this.base = valueAt(body.settings, pathOf(this.pointer))
        this.draft.value = this.base
      }
      this.restart.value = body.restart
      this.warnings.value = body.warnings.map(({ path, message }) => `${path}: ${message}`)
      this.state.value = 'saved'
    })
    this.onSaved(body)
  }

  /** @param {unknown} error */
  #refused(error) {
    if (!(error instanceof ApiError)) throw error
    const errors = (error.problem.errors ?? []).map(({ path, message }) => ({ path: this.#own(path), message }))
    batch(() => {
      this.state.value = 'idle'
      this.problem.value = { status: error.status, detail: error.message, errors }
    })
  }

  /**
   * A new entry is refused at the index it would have had.
   * @param {string} path
   */
  #own(path) {
    if (!this.isNew) return path
    const list = this.pointer.slice(0, -2)
    const [index, ...rest] = path.startsWith(`${list}/`) ? path.slice(list.length + 1).split('/') : []
    return index === undefined ? path : [this.pointer, ...rest].join('/')
  }
}
