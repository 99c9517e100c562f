import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { PushKind } from '../source.ts'
import type { RadioReading } from './nodes.ts'
import type { MeshHealthSettings } from './settings.ts'
import { MeshHealth } from './source.ts'

/** The station's own radios as a source: what it needs of them is given, for feeds know no drivers. */
export function meshHealthKind(radios: () => readonly RadioReading[]): PushKind<MeshHealthSettings> {
  return {
    mode: 'push',
    kind: 'mesh_health',
    about: 'Radios and nodes of your own mesh: lost and back, batteries, a busy channel.',
    async open(settings, { source, clock, memory, log, accept, report }) {
      const watch = new MeshHealth({ source, settings: () => settings, radios, clock, memory, log, accept })
      watch.start()
      report('ready', null)
      return { close: () => watch.stop() }
    },
    read() {
      throw new AppError('bad-input', because('mesh_health_no_file'))
    }
  }
}
