import t from 'tap'
import { fireSize, heightOf, spaced } from '../../src/model/units.ts'

const size = (area: { acres?: number; hectares?: number }, units: 'metric' | 'imperial') => {
  const measured = fireSize({ acres: area.acres ?? null, hectares: area.hectares ?? null }, units)
  return measured === null ? null : spaced(measured)
}

t.test('a fire has its size in the unit of the station, whichever its source surveys in', async (t) => {
  t.equal(size({ acres: 1943.2 }, 'metric'), '786 ha')
  t.equal(size({ acres: 1943.2 }, 'imperial'), '1943 ac')
  t.equal(size({ hectares: 695 }, 'metric'), '695 ha')
  t.equal(size({ hectares: 695 }, 'imperial'), '1717 ac')
  t.equal(size({ acres: 5, hectares: 2 }, 'metric'), '2 ha', 'a source that says both is not converted')
  t.equal(size({ acres: 5, hectares: 2 }, 'imperial'), '5 ac')
  t.equal(size({}, 'metric'), null)
})

t.test('a large one is square kilometres, and one that is very small is not none', async (t) => {
  t.equal(size({ hectares: 9999 }, 'metric'), '9999 ha')
  t.equal(size({ hectares: 10_000 }, 'metric'), '100 km²')
  t.equal(size({ acres: 963_309 }, 'metric'), '3898 km²')
  t.equal(size({ acres: 963_309 }, 'imperial'), '963309 ac', 'who measures in acres does so at all sizes')
  t.equal(size({ acres: 0.1 }, 'metric'), '<0.1 ha')
  t.equal(size({ acres: 0.1 }, 'imperial'), '0.1 ac')
  t.equal(size({ hectares: 0 }, 'metric'), '0 ha')
})

t.test('a height is metres or feet', async (t) => {
  t.equal(spaced(heightOf(3, 'metric')), '3 m')
  t.equal(spaced(heightOf(0.5, 'metric')), '0.5 m')
  t.equal(spaced(heightOf(3, 'imperial')), '10 ft')
})
