import type * as v from 'valibot'
import type { JsonValue } from '../../platform/config/json.ts'
import type { SourceSettings } from './common-settings.ts'
import type { PushKind, SourceKind } from './source.ts'

/** The settings of one kind: an object whose `kind` is its name, titled for people. */
export type FeedSchema = v.GenericSchema<unknown, SourceSettings> & {
  entries: v.ObjectEntries & { kind: { literal: string } }
}

/**
 * Marks of a recorded body that tell its kind; every mark alone is enough. A kind without marks is never found by
 * content.
 */
export interface FeedMarks {
  /** Any kind of provider publishes in this format: asked after all others. */
  generic?: true
  /** Names of the root element of its XML. */
  roots?: readonly string[]
  /** The head of an RSS or Atom feed. */
  syndication?: (head: string) => boolean
  /** The first 20,000 characters of any text. */
  text?: (head: string) => boolean
  /** A whole JSON value. */
  value?: (value: unknown) => boolean
  /** Keys of the first entry of a JSON list. */
  list?: readonly string[]
  /** Keys of a JSON object. */
  object?: readonly string[]
  /** Keys of the properties of a Feature, or of the first of a collection. */
  feature?: readonly string[]
}

type CountrySettings = Readonly<Record<string, JsonValue>>

/** One of several sources of a kind in a country. `name` is that of the source, `title` who publishes it. */
export interface NamedSettings {
  name: string
  title: string
  settings: CountrySettings
}

/** The offer of a kind in the first steps: it needs no key. Words are English; countries are two letters (ISO 3166). */
export interface FirstSteps {
  title: string
  /** One sentence below it: of what it warns, and what it does not say. */
  hint: string
  /** Countries it tells of; without, the whole world. */
  countries?: readonly string[]
  /** Where it is ticked beforehand, of those; without, wherever it is offered. An empty list: nowhere. */
  ticked?: { in: readonly string[] } | { notIn: readonly string[] }
  /** The weather service or the civil protection of these countries speaks in it: one that has none is told so. */
  national?: true
  /** Settings by country, for a kind that is of no use without. */
  byCountry?: Readonly<Record<string, CountrySettings>>
  /** In the place of `byCountry`, for a kind that has several sources in a country: one is made of each. */
  services?: Readonly<Record<string, readonly NamedSettings[]>>
  /** Its setting that takes states of the United States, and whether it is of no use without one. */
  states?: { setting: string; needed: boolean }
  /** Its provider answers nobody who does not say how to be reached. */
  contact?: true
}

/** A kind of source as the program knows it before one is configured. */
export interface FeedDefinition<Schema extends FeedSchema = FeedSchema> {
  schema: Schema
  /** Its reader, loaded when a source of the kind is configured or a recording is read. Without it the station makes the reader itself. */
  load?: () => Promise<SourceKind<v.InferOutput<Schema>> | PushKind<v.InferOutput<Schema>>>
  /** Its events name places by the codes of the US weather service: outlines of zones are worth fetching. */
  coded?: true
  marks?: FeedMarks
  /** Given where the first steps offer it. */
  firstSteps?: FirstSteps
  /** Titles and descriptions of its settings and words of the first steps in German, where the catalogue of the pages has none. */
  german?: Readonly<Record<string, string>>
}

/** Checks a definition against its own schema and keeps its exact type. */
export function defineFeed<const Schema extends FeedSchema>(
  definition: FeedDefinition<Schema>
): FeedDefinition<Schema> {
  return definition
}
