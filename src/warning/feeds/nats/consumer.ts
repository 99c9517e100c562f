import type { ConsumerConfig, ConsumerInfo, JetStreamManager } from '@nats-io/jetstream'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { MAX_MESSAGE_BYTES } from '../brokers/message.ts'
import { asBag, textOf } from '../reading/json.ts'
import type { PushTools, SourceMemory } from '../source.ts'
import type { NatsSettings } from './settings.ts'
import { coveringSubject } from './subjects.ts'

/** Error codes of the JetStream API. */
export const STREAM_NOT_FOUND = 10059
const CONSUMER_NOT_FOUND = 10014

const NANOSECONDS_PER_SECOND = 1e9
const HOUR_MS = 3_600_000
/** A consumer that is gone begins anew where it was, but never further back. */
const MAX_RESUME_MS = 24 * HOUR_MS
/** So many messages may wait for their acknowledgement, those that could not be stored among them. */
const MAX_WAITING = 100
/** A stream that is made here keeps messages for a week, and none longer than are read. */
const KEEP_DAYS = 7

/** The code a JetStream server gave, 0 when it gave none. */
export function apiCode(error: unknown): number {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : 0
}

/**
 * Sees to it that the durable consumer is there, and as the settings want it. One that is gone is made anew at the time of
 * the last acknowledged message; what comes twice then is dropped by its identity. Throws what the server says, and
 * AppError `conflict` for a consumer of that name that works otherwise.
 */
export async function ensureConsumer(
  manager: JetStreamManager,
  settings: NatsSettings,
  { tools, serverVersion }: { tools: PushTools; serverVersion: string }
): Promise<ConsumerInfo> {
  const { stream, durable } = settings
  const wanted = wantedConfig(settings, serverVersion)
  const place = new ResumePlace(settings, tools.memory)
  const present = await presentConsumer(manager, stream, durable)
  if (present !== null) {
    refuseOtherKind(present, durable)
    place.note(Date.parse(present.created))
    return isAs(present.config, wanted) ? present : await manager.consumers.update(stream, durable, wanted)
  }
  const start = startOf(settings, place.read(), tools.clock.now())
  const made = await manager.consumers.add(stream, {
    ...wanted,
    ...start,
    durable_name: durable,
    ack_policy: 'explicit'
  })
  place.note(Date.parse(made.created))
  return made
}

/** Makes the stream the settings name, for their subjects. */
export async function makeStream(manager: JetStreamManager, { stream, subjects }: NatsSettings): Promise<void> {
  await manager.streams.add({
    name: stream,
    subjects: [...subjects],
    max_age: KEEP_DAYS * 24 * 3600 * NANOSECONDS_PER_SECOND,
    max_msg_size: MAX_MESSAGE_BYTES
  })
}

/**
 * The place where a consumer that is gone begins anew: the time of the last acknowledged message, over restarts too.
 */
export class ResumePlace {
  readonly #key: string
  readonly #memory: SourceMemory

  constructor({ stream, durable }: NatsSettings, memory: SourceMemory) {
    this.#key = `nats:resume:${stream}:${durable}`
    this.#memory = memory
  }

  /** Epoch milliseconds, or null when there was never a consumer. */
  read(): number | null {
    const at = Date.parse(textOf(asBag(this.#memory.get(this.#key))?.['at']))
    return Number.isNaN(at) ? null : at
  }

  /** Only ever moves on. */
  note(at: number): void {
    if (Number.isFinite(at) && at > (this.read() ?? Number.NEGATIVE_INFINITY)) {
      this.#memory.set(this.#key, { at: new Date(at).toISOString() })
    }
  }
}

async function presentConsumer(manager: JetStreamManager, stream: string, name: string): Promise<ConsumerInfo | null> {
  try {
    return await manager.consumers.info(stream, name)
  } catch (error) {
    if (apiCode(error) === CONSUMER_NOT_FOUND) return null
    throw error
  }
}

function refuseOtherKind({ config }: ConsumerInfo, durable: string): void {
  if (config.ack_policy === 'explicit' && config.deliver_subject === undefined) return
  throw new AppError('conflict', because('nats_other_consumer', { durable }))
}

function wantedConfig(settings: NatsSettings, serverVersion: string): Partial<ConsumerConfig> {
  const { subjects, ack_wait_seconds: ackWait, max_deliver } = settings
  const [only = '>'] = subjects
  const isList = subjects.length > 1 && takesLists(serverVersion)
  const cover = subjects.length > 1 ? coveringSubject(subjects) : only
  return {
    ...(isList ? { filter_subjects: [...subjects] } : cover === '>' ? {} : { filter_subject: cover }),
    ack_wait: Math.round(ackWait * NANOSECONDS_PER_SECOND),
    max_deliver,
    max_ack_pending: MAX_WAITING
  }
}

/** Several filters for one consumer came with server 2.10. */
function takesLists(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 2 || (major === 2 && minor >= 10)
}

function isAs(config: ConsumerConfig, wanted: Partial<ConsumerConfig>): boolean {
  return (
    config.filter_subject === wanted.filter_subject &&
    JSON.stringify(config.filter_subjects) === JSON.stringify(wanted.filter_subjects) &&
    config.ack_wait === wanted.ack_wait &&
    config.max_deliver === wanted.max_deliver
  )
}

function startOf({ deliver }: NatsSettings, resume: number | null, now: number): Partial<ConsumerConfig> {
  if (resume !== null) return since(Math.max(resume, now - MAX_RESUME_MS))
  if (deliver === 'last_hour') return since(now - HOUR_MS)
  return { deliver_policy: deliver }
}

function since(time: number): Partial<ConsumerConfig> {
  return { deliver_policy: 'by_start_time', opt_start_time: new Date(time).toISOString() }
}
