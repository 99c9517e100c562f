import {
  checkForDecay,
  degreesToRadians,
  ecfToLookAngles,
  eciToEcf,
  gstime,
  json2satrec,
  radiansToDegrees,
  sgp4
} from 'satellite.js'
import type { Elements } from './mean-elements.ts'

/** Degrees and metres above the ellipsoid (WGS 84). */
export interface Place {
  lat: number
  lon: number
  elevation_m: number
}

/** The place of a satellite in the sky: degrees above the horizon, degrees from north over east, kilometres. */
export interface Look {
  elevation: number
  azimuth: number
  range: number
}

export interface Track {
  /** Null where SGP4 gives up: the satellite is down, or the elements lead nowhere. `at` is epoch milliseconds. */
  look(at: number): Look | null
  /** More than the satellite ever moves against the ground, km/s. */
  speed: number
  /** Seconds between two looks while it is up: about 20 in a low orbit, up to 300 in a high one. */
  step: number
}

/** Gravitation of the earth, km³/s² (WGS 72, as SGP4 has it), and its turn, radians/s. */
const MU = 398_600.8
const TURN = 7.292115e-5
const DAY_MS = 86_400_000
const UNIX_JULIAN_DAY = 2_440_587.5

/** The path of a satellite over an observer: SGP4 (Vallado 2006), no refraction. */
export function trackOf(elements: Elements, { lat, lon, elevation_m }: Place): Track {
  const satellite = json2satrec({
    OBJECT_NAME: elements.name,
    OBJECT_ID: '',
    NORAD_CAT_ID: elements.number,
    EPOCH: new Date(elements.epoch).toISOString(),
    MEAN_MOTION: elements.meanMotion,
    ECCENTRICITY: elements.eccentricity,
    INCLINATION: elements.inclination,
    RA_OF_ASC_NODE: elements.node,
    ARG_OF_PERICENTER: elements.perigee,
    MEAN_ANOMALY: elements.anomaly,
    BSTAR: elements.bstar,
    ELEMENT_SET_NO: 0,
    MEAN_MOTION_DOT: 0,
    MEAN_MOTION_DDOT: 0
  })
  const height = elevation_m / 1000
  const observer = { latitude: degreesToRadians(lat), longitude: degreesToRadians(wrapped(lon)), height }
  return {
    ...paceOf(elements),
    look(at) {
      const state = sgp4(satellite, (at - elements.epoch) / 60_000)
      if (state === null || checkForDecay(satellite)) return null
      const ground = eciToEcf(state.position, gstime(at / DAY_MS + UNIX_JULIAN_DAY))
      const { elevation, azimuth, rangeSat } = ecfToLookAngles(observer, ground)
      if (!Number.isFinite(elevation)) return null
      return {
        elevation: radiansToDegrees(elevation),
        azimuth: (radiansToDegrees(azimuth) + 360) % 360,
        range: rangeSat
      }
    }
  }
}

function wrapped(lon: number): number {
  return ((((lon + 180) % 360) + 360) % 360) - 180
}

/** From the two-body orbit: speed at perigee and of the ground below apogee, with 5 % for all that disturbs it. */
function paceOf({ meanMotion, eccentricity }: Elements): Pick<Track, 'speed' | 'step'> {
  const axis = Math.cbrt(MU / ((meanMotion * 2 * Math.PI) / 86_400) ** 2)
  const perigee = axis * (1 - eccentricity)
  const fastest = Math.sqrt((MU * (1 + eccentricity)) / perigee)
  const speed = 1.05 * (fastest + TURN * axis * (1 + eccentricity))
  return { speed, step: Math.min(300, Math.max(10, perigee / fastest / 44)) }
}
