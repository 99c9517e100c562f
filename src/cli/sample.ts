import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomic } from '../platform/files/atomic-file.ts'

/** A small station that can be edited: every section an operator changes first, with working values. */
const SAMPLE = {
  station: {
    name: 'Sample station',
    contact: '',
    timezone: 'America/Boise',
    anchors: [{ name: 'Hailey', lat: 43.52, lon: -114.31 }]
  },
  coverage: {
    enabled: true,
    region_tagging: true,
    areas: [
      { name: 'North', bbox: [-115.2, 43.8, -113.8, 44.6] },
      { name: 'Valley', circle: { lat: 43.52, lon: -114.31, radius_km: 25 } },
      { name: 'Counties', codes: ['IDC013', 'IDC025'] }
    ]
  },
  notifications: {
    enabled: true,
    region_routes: {
      enabled: true,
      cells: {
        weather: {
          North: { mt: 1, mc: 'north', min_severity: 'priority', enabled: true },
          Valley: { mt: 2, mc: 'valley', min_severity: 'priority', enabled: true }
        },
        fire: { North: { mt: 1, mc: 'north', min_severity: 'routine', enabled: true } }
      }
    }
  }
}

/** Makes the folder with a sample configuration when it is missing. False: it was there, and nothing was touched. */
export async function makeSampleFolder(folder: string): Promise<boolean> {
  try {
    await access(folder)
    return false
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  await mkdir(folder, { recursive: true })
  await writeFileAtomic(join(folder, 'config.json'), `${JSON.stringify(SAMPLE, null, 2)}\n`)
  return true
}
