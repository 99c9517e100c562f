import type { LookoutEvent } from '../../../model/event.ts'
import { formatTime } from '../../../model/time.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { shortName } from './names.ts'
import type { ObservedPass } from './predict.ts'

/**
 * The announcement of a pass. Its region is the observer's from the start, which tagging keeps (contract §3); it has no
 * position, so that no coverage gate judges it by one. `now`, its time of sending, is that of working it out.
 */
export function passEvent(pass: ObservedPass, { source, now }: { source: string; now: number }): LookoutEvent {
  const { satellite, observer } = pass
  const id = `${satellite.number}-${formatTime(pass.rise).slice(0, 16)}-${observer.name}`
  const name = shortName(satellite.name)
  return feedEvent(
    {
      id,
      category: 'sat_pass',
      severity: 'routine',
      title: `${name} passes over ${observer.name}, ${Math.round(pass.maxElevation)}° high`,
      onset: formatTime(pass.rise),
      expires: formatTime(pass.set),
      sent_at: formatTime(now),
      thread_id: `satpass:${id}`,
      region: observer.name,
      regions: [observer.name],
      data: { event_name: 'Satellite pass', ...passFacts(pass), material: id }
    },
    { source, receivedAt: now }
  )
}

/** The facts of a pass in messages and tables: RFC 3339 times in UTC, degrees, kilometres. */
export interface PassFacts {
  [key: string]: string | number
  satellite: string
  satellite_name: string
  catalogue_number: number
  observer: string
  rise_time: string
  rise_azimuth: number
  max_time: string
  max_elevation: number
  max_azimuth: number
  range_km: number
  set_time: string
  set_azimuth: number
  elements_epoch: string
}

export function passFacts(pass: ObservedPass): PassFacts {
  const { satellite, observer } = pass
  return {
    satellite: shortName(satellite.name),
    satellite_name: satellite.name,
    catalogue_number: satellite.number,
    observer: observer.name,
    rise_time: formatTime(pass.rise),
    rise_azimuth: tenth(pass.riseAzimuth),
    max_time: formatTime(pass.max),
    max_elevation: tenth(pass.maxElevation),
    max_azimuth: tenth(pass.maxAzimuth),
    range_km: Math.round(pass.range),
    set_time: formatTime(pass.set),
    set_azimuth: tenth(pass.setAzimuth),
    elements_epoch: formatTime(satellite.epoch)
  }
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}
