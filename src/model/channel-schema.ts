import * as v from 'valibot'
import { SEVERITIES } from './vocabulary.ts'

/** Contract §2 and §4: what a severity and a channel may be. */

export const severitySchema = v.picklist(SEVERITIES, `a severity is one of ${SEVERITIES.join(', ')}`)

export const mtChannelSchema = v.pipe(
  v.number('an MT channel is an integer from 0 to 7'),
  v.integer('an MT channel is an integer from 0 to 7'),
  v.minValue(0, 'an MT channel is an integer from 0 to 7'),
  v.maxValue(7, 'an MT channel is an integer from 0 to 7')
)

/** The channel of a cell: an empty text, as a form sends it, is none. */
export const mcCellChannelSchema = v.pipe(
  v.nullable(
    v.pipe(
      v.string('an MC channel is a name'),
      v.trim(),
      v.maxBytes(31, 'an MC channel name has at most 31 bytes of UTF-8')
    )
  ),
  v.transform((name) => (name === '' ? null : name))
)

export const mcChannelSchema = v.pipe(
  v.string('an MC channel is a name'),
  v.trim(),
  v.nonEmpty('an MC channel name must not be empty (null means none)'),
  v.maxBytes(31, 'an MC channel name has at most 31 bytes of UTF-8')
)
