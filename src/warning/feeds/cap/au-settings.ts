import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { capEntries } from './settings.ts'

/** States and territories of Australia whose services publish CAP-AU. */
export const AU_STATES = ['nsw', 'qld', 'tas', 'wa'] as const

/** Settings of the warnings of an Australian state. */
export const capAuSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('cap_au'),
    state: v.pipe(
      v.optional(v.picklist(['', ...AU_STATES], `a state is one of ${AU_STATES.join(', ')}`), ''),
      v.description('nsw: Rural Fire Service. qld: Queensland Fire Department. tas: TasALERT. wa: DFES.')
    ),
    url: v.pipe(
      v.optional(v.union([v.literal(''), httpUrlSchema]), ''),
      v.description('Another address than that of the state.')
    ),
    min_severity: capEntries.min_severity
  }),
  v.title('Warnings of the Australian states (CAP-AU)'),
  v.description(
    'Fires and other incidents by the levels of the Australian Warning System. Emergency Warning is immediate, Watch and Act critical, Advice priority.'
  )
)

export type CapAuSettings = v.InferOutput<typeof capAuSourceSchema>
