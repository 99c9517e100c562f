import { type MatrixWarning, MT_CHANNELS_BEFORE_WARNING } from '../../editing/matrix-warnings.ts'
import { familyNames } from '../frame/family-names.ts'
import type { Reader } from '../frame/reader.ts'

/** A warning about the matrix as the editor says it while somebody edits, in the language of the reader. */
export function matrixWords({ context, t }: Pick<Reader, 'context' | 't'>): (warning: MatrixWarning) => string {
  const labels = familyNames(context.shownConfig().families, t)
  return ({ code, message, family = '', region = '', channels = [] }) => {
    const most = MT_CHANNELS_BEFORE_WARNING
    const values = { count: channels.length, most, channels: channels.join(', ') }
    const words: Readonly<Record<MatrixWarning['code'], string>> = {
      mt_channels_exceeded: t(
        '{count} different MT channels are in use ({channels}), more than {most}: every radio that is to hear them all must have all of them.',
        values
      ),
      orphan_region: t('No coverage area is named “{name}”: its cells are kept, but no event will match them.', {
        name: region
      }),
      orphan_family: t('“{name}” is not a family any more: its cells are kept, but no event will match them.', {
        name: family
      }),
      disabled_cell_falls_through: t(
        '{family}, {region} is off, and the family’s own policy or a rule broadcasts its events: mute it for silence.',
        { family: labels.get(family) ?? family, region }
      ),
      unknown_key: message
    }
    return words[code]
  }
}
