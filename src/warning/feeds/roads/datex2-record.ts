import { saysHazard } from '../../../model/closure.ts'
import type { Geometry } from '../../../model/geojson.ts'
import { looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { attributeOf, childrenOf, childText, childTexts, type Element } from '../reading/xml.ts'
import { placeOf, textDeep } from './datex2-place.ts'
import type { RoadKind } from './report.ts'

/** One situation record: a cause, an effect or a measure of a situation. Versions 2 and 3 differ little in what is read here. */
export interface Datex2Record {
  kind: RoadKind
  work: boolean
  /** An accident, an obstacle, weather: not work and not a measure taken because of something else. */
  cause: boolean
  hazard: boolean
  version: number
  /** Epoch milliseconds. */
  versionTime: number | null
  start: number | null
  end: number | null
  /** The source ends it, or has put it aside. */
  over: boolean
  comment: string
  /** The event in a few words made of its type, for sources that write no comment. */
  words: string
  road: string
  places: string[]
  geometry: Geometry | null
}

export interface Datex2Options {
  language: string
  lonLat: boolean
}

const CLOSURES = new Set(['roadClosed', 'carriagewayClosures', 'roadClosure', 'carriagewayClosed'])
const WORK_TYPES = /(?:Works|^Roadworks|^MaintenanceVehicles)$/
const MEASURE_TYPES = /(?:Management|Instruction|Instructions|Usage)$/
const HAZARD_TYPES = /^(?:EnvironmentalObstruction|InfrastructureDamageObstruction)$/
/** A value says more than the type of its record: `vehicleOnFire`, `earlierAccident`, `bridge`. */
const VALUE = /Type$|^obstructionType|^causeType|TypeOfWorks$|^abnormalTrafficType/

export function readRecord(record: Element, options: Datex2Options): Datex2Record {
  const type = attributeOf(record, 'type').replace(/^.*:/, '')
  const values = valuesOf(record)
  const closed = values.some((value) => CLOSURES.has(value))
  const work = WORK_TYPES.test(type) || values.includes('roadMaintenance') || values.includes('roadworks')
  const comment = commentOf(record, options.language)
  const validity = record.children.find(({ name }) => name === 'validity')
  const specification = validity?.children.find(({ name }) => name === 'validityTimeSpecification')
  const time = (name: string): number | null =>
    specification === undefined ? null : looseTime(childText(specification, name))
  return {
    kind: kindOf(type, closed, work),
    work,
    cause: !work && !MEASURE_TYPES.test(type),
    hazard: HAZARD_TYPES.test(type) || saysHazard([comment, ...values.map(spelled)].join(' ')),
    version: Number(/^\d+/.exec(attributeOf(record, 'version'))?.[0] ?? 0),
    versionTime:
      looseTime(childText(record, 'situationRecordVersionTime')) ??
      looseTime(childText(record, 'situationRecordCreationTime')),
    start: time('overallStartTime'),
    end: time('overallEndTime'),
    over: isOver(record, validity),
    comment,
    words: [...new Set(values.map(spelled))].slice(0, 3).join(', ') || spelled(type),
    road: textDeep(record, 'roadName') || textDeep(record, 'roadNumber'),
    places: placesOf(record),
    geometry: placeOf(record, options.lonLat)
  }
}

function kindOf(type: string, closed: boolean, work: boolean): RoadKind {
  if (closed) return 'closure'
  if (work) return 'work'
  return type === 'AbnormalTraffic' ? 'congestion' : 'incident'
}

function isOver(record: Element, validity: Element | undefined): boolean {
  const life = record.children
    .filter(({ name }) => name === 'management')
    .flatMap((management) => childrenOf(management, 'lifeCycleManagement'))
  const said = life.some((element) => ['end', 'cancel'].some((name) => childText(element, name) === 'true'))
  return said || (validity !== undefined && childText(validity, 'validityStatus') === 'suspended')
}

/** Enumerated values of the record itself and, in the Spanish form, of its cause. */
function valuesOf(record: Element): string[] {
  const inside = record.children.filter(({ name }) => /^(?:cause|detailedCauseType|subjects)$/.test(name))
  const deeper = inside.flatMap(({ children }) => children.filter(({ name }) => name === 'detailedCauseType'))
  return [record, ...inside, ...deeper]
    .flatMap(({ children }) => children)
    .filter(({ name, children }) => VALUE.test(name) && children.length === 0)
    .map(({ text }) => text.trim())
    .filter((text) => /^[A-Za-z]\w{2,60}$/.test(text) && text !== 'other')
}

/** `vehicleOnFire` → `vehicle on fire`. */
function spelled(value: string): string {
  return value.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function commentOf(record: Element, language: string): string {
  const values = childrenOf(record, 'generalPublicComment')
    .flatMap((element) => childrenOf(element, 'comment'))
    .flatMap((element) => childrenOf(element, 'values'))
    .flatMap((element) => childrenOf(element, 'value'))
  const wanted = values.find((value) => attributeOf(value, 'lang').toLowerCase().startsWith(language.toLowerCase()))
  // Blank lines part what is a sentence of its own, with or without a stop.
  return (wanted ?? values[0])?.text.trim() ?? ''
}

/** Names of the ends of a stretch, where the record spells them out. */
function placesOf(record: Element): string[] {
  const names: string[] = []
  const visit = (element: Element): void => {
    if (/^(?:alertCLocationName|locationName|name|descriptor)$/.test(element.name))
      for (const list of [element, ...childrenOf(element, 'values')])
        for (const text of childTexts(list, 'value')) names.push(text)
    for (const child of element.children) visit(child)
  }
  for (const child of record.children) if (/^(?:groupOfLocations|locationReference)$/.test(child.name)) visit(child)
  return [...new Set(names.map(oneLine))].filter((name) => name !== '' && name.length <= 80).slice(0, 4)
}
