import { create, toBinary } from '@bufbuild/protobuf'
import { Mesh } from '@meshtastic/protobufs'
import t from 'tap'
import { bench } from './bench.ts'

const POSITION = 3
const fix = (latitudeI: number, longitudeI: number): Uint8Array =>
  toBinary(Mesh.PositionSchema, create(Mesh.PositionSchema, { latitudeI, longitudeI }))

t.test('the place a node told last is kept with when it was heard; one without a fix tells none', async (t) => {
  const b = await bench(t)
  b.node.incoming({ from: 77, text: '', port: POSITION, payload: Buffer.from(fix(-436_150_000, 1_162_023_000)) })
  b.node.incoming({ from: 78, text: '', port: POSITION, payload: Buffer.from(fix(0, 0)) })
  b.node.incoming({ from: 79, text: '', port: POSITION, payload: Buffer.from(fix(950_000_000, 0)) })
  await b.wait(1000)
  const of = (id: string) => b.radio.details().nodes.find((node) => node.id === id)?.position
  const told = of('!0000004d')
  t.match(told, { lat: -43.615, lon: 116.2023 })
  t.ok(Math.abs((told?.at ?? 0) - b.clock.now()) < 5000)
  t.equal(of('!0000004e'), null)
  t.equal(of('!0000004f'), null, 'no such latitude')
  b.node.incoming({ from: 77, text: 'hello' })
  await b.wait(1000)
  t.match(of('!0000004d'), { lat: -43.615 }, 'another packet of it forgets nothing')
})
