import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { Mesh, Telemetry } from '@meshtastic/protobufs'

/** The node's side of the wire, from the published protobuf definitions: no line of it is shared with the driver. */

export type FromRadioVariant = NonNullable<MessageInitShape<typeof Mesh.FromRadioSchema>['payloadVariant']>
export type ToRadio = ReturnType<typeof parseToRadio>
export type PacketInit = MessageInitShape<typeof Mesh.MeshPacketSchema>

export function fromRadio(payloadVariant: FromRadioVariant): Buffer {
  return frame(toBinary(Mesh.FromRadioSchema, create(Mesh.FromRadioSchema, { payloadVariant })))
}

export function frame(payload: Uint8Array): Buffer {
  const header = Buffer.from([0x94, 0xc3, 0, 0])
  header.writeUInt16BE(payload.length, 2)
  return Buffer.concat([header, payload])
}

export function parseToRadio(payload: Uint8Array) {
  return fromBinary(Mesh.ToRadioSchema, payload)
}

/** Null for bytes that are no ToRadio: the firmware drops them without a word. */
export function toRadioOrNull(payload: Uint8Array): ToRadio | null {
  try {
    return parseToRadio(payload)
  } catch {
    return null
  }
}

export function routing(error: number): Uint8Array {
  return toBinary(
    Mesh.RoutingSchema,
    create(Mesh.RoutingSchema, { variant: { case: 'errorReason', value: error as Mesh.Routing_Error } })
  )
}

/** A place as nodes tell it (port 3): degrees times ten million. */
export function positionPayload({ lat, lon }: { lat: number; lon: number }): Uint8Array {
  const [latitudeI, longitudeI] = [Math.round(lat * 1e7), Math.round(lon * 1e7)]
  return toBinary(Mesh.PositionSchema, create(Mesh.PositionSchema, { latitudeI, longitudeI }))
}

export function deviceTelemetry(values: {
  batteryLevel?: number
  voltage?: number
  channelUtilization?: number
  airUtilTx?: number
  uptimeSeconds?: number
}): Uint8Array {
  return toBinary(
    Telemetry.TelemetrySchema,
    create(Telemetry.TelemetrySchema, { variant: { case: 'deviceMetrics', value: values } })
  )
}

/** Cuts a client's byte stream into ToRadio payloads. Simple on purpose: what is no header is skipped byte by byte. */
export class ClientFrames {
  #buffer = Buffer.alloc(0)

  push(bytes: Uint8Array): Buffer[] {
    this.#buffer = Buffer.concat([this.#buffer, bytes])
    const found: Buffer[] = []
    for (;;) {
      const at = this.#buffer.indexOf(Buffer.from([0x94, 0xc3]))
      if (at === -1) {
        this.#buffer = this.#buffer.subarray(Math.max(0, this.#buffer.length - 1))
        return found
      }
      this.#buffer = this.#buffer.subarray(at)
      if (this.#buffer.length < 4) return found
      const length = this.#buffer.readUInt16BE(2)
      if (length > 512) {
        this.#buffer = this.#buffer.subarray(2)
        continue
      }
      if (this.#buffer.length < 4 + length) return found
      found.push(Buffer.from(this.#buffer.subarray(4, 4 + length)))
      this.#buffer = this.#buffer.subarray(4 + length)
    }
  }
}
