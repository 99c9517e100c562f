import * as v from 'valibot'
import { forEverybody } from '../../../platform/config/for-everybody.ts'
import { looseObject } from '../../../platform/config/object.ts'
import { commonEntries } from '../common-settings.ts'

const percent = v.pipe(
  v.number('a percentage is a number'),
  v.minValue(0, 'a percentage is 0 to 100'),
  v.maxValue(100, 'a percentage is 0 to 100')
)

function duration(unit: string, least: number, most: number) {
  return v.pipe(
    v.number(`${unit} are a number`),
    v.minValue(least, `at least ${least} ${unit}`),
    v.maxValue(most, `at most ${most} ${unit}`)
  )
}

const regionNames = v.optional(v.array(v.pipe(v.string(), v.trim(), v.nonEmpty('a region has a name'))), [])
const silentMinutes = duration('minutes', 10, 43_200)

/** One node somebody depends on. */
export const watchedNodeSchema = v.pipe(
  looseObject({
    node: v.pipe(
      v.string('a node is its id or its name'),
      v.trim(),
      v.nonEmpty('a node is its id or its name'),
      v.maxLength(64, 'an id or a name has at most 64 characters'),
      v.description(
        'Meshtastic: !a1b2c3d4. MeshCore: the public key or its first 12 digits. On both: the name, in any case.'
      )
    ),
    critical: v.pipe(
      v.optional(v.boolean(), false),
      v.description('True: its silence is immediate (critical_node_down), not priority (infra_offline).')
    ),
    silent_minutes: v.pipe(
      v.exactOptional(silentMinutes),
      v.description('Takes the place of node_silent_minutes for this node.')
    ),
    regions: v.pipe(
      regionNames,
      v.description('Regions its events are for; empty = those of the source.'),
      forEverybody()
    )
  }),
  v.title('Watched node')
)

/** Settings of the mesh health source: what the station's own radios tell about themselves and their neighbours. */
export const meshHealthSourceSchema = v.pipe(
  looseObject({
    ...commonEntries('mesh_health'),
    regions: v.pipe(
      regionNames,
      v.description(
        'Regions its events are for, so that cells match; empty = none: the policy of mesh_health decides.'
      ),
      forEverybody()
    ),
    nodes: v.pipe(
      v.optional(v.array(watchedNodeSchema), []),
      v.description('Nodes whose silence and battery are told. No other node is: people come and go.')
    ),
    radio_lost_minutes: v.pipe(
      v.optional(duration('minutes', 1, 1440), 5),
      v.description('A radio of this station that is not ready for this long is told as lost. Starts afresh at boot.')
    ),
    node_silent_minutes: v.pipe(
      v.optional(silentMinutes, 120),
      v.description(
        'A watched Meshtastic node not heard for this long is told as silent. Time without a radio does not count.'
      )
    ),
    meshcore_silent_minutes: v.pipe(
      v.optional(silentMinutes, 1500),
      v.description('The same on MeshCore, where a node is heard when it advertises itself: repeaters every 3 to 12 h.')
    ),
    battery_warning_percent: v.pipe(v.optional(percent, 30), v.description('Told as routine below this. 0 = off.')),
    battery_critical_percent: v.pipe(v.optional(percent, 15), v.description('Told as priority below this. 0 = off.')),
    battery_emergency_percent: v.pipe(v.optional(percent, 5), v.description('Told as immediate below this. 0 = off.')),
    battery_hysteresis_percent: v.pipe(
      v.optional(percent, 5),
      v.description('A battery counts as better only so many points above the level it fell below.')
    ),
    utilization_percent: v.pipe(
      v.optional(percent, 40),
      v.description('A channel busier than this, on average over utilization_minutes, is told. 100 = off.')
    ),
    utilization_clear_percent: v.pipe(
      v.optional(percent, 30),
      v.description('It counts as quiet again only at or below this.')
    ),
    utilization_minutes: v.pipe(
      v.optional(duration('minutes', 2, 120), 10),
      v.description('Over how long the use of the channel is averaged.')
    ),
    utilization_sustained_hours: v.pipe(
      v.optional(duration('hours', 0.5, 48), 3),
      v.description('Busy for this long, it is told once more, as priority.')
    )
  }),
  v.forward(
    v.check((settings) => {
      const levels = [
        settings.battery_warning_percent,
        settings.battery_critical_percent,
        settings.battery_emergency_percent
      ].filter((level) => level > 0)
      return levels.every((level, index) => level <= (levels[index - 1] ?? level))
    }, 'the battery levels must fall: warning, then critical, then emergency'),
    ['battery_warning_percent']
  ),
  v.forward(
    v.check(
      (settings) => settings.utilization_clear_percent < settings.utilization_percent,
      'utilization_clear_percent must be below utilization_percent'
    ),
    ['utilization_clear_percent']
  ),
  v.title('Mesh health'),
  v.description('Radios lost and back, watched nodes silent and back, low batteries, busy channels.')
)

export type MeshHealthSettings = v.InferOutput<typeof meshHealthSourceSchema>
export type WatchedNode = v.InferOutput<typeof watchedNodeSchema>
