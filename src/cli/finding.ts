/** The outcome of one check of `lookout doctor`. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'missing'
  detail: string
}
