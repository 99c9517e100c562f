import t from 'tap'
import { notesOn, pageOfSetting, settingNotes } from '../../src/dashboard/pages/frame/setting-notes.ts'
import { SETTING_WARNING_CODES } from '../../src/settings/warnings.ts'
import { FROM_AFAR, station } from './harness.ts'

/** Every warning about a setting that is no shape, at a place of its own. */
const ODD = {
  covrage: {},
  http: { prot: 1 },
  radios: [{ id: 'roof', network: 'mt', link: 'simulated', cable: 1 }],
  sources: [{ kind: 'usgs', name: 'quakes', flor: 3, overrides: { Earthquake: { family: 'fir' } } }],
  coverage: { areas: [{ name: 'North', codes: ['ID'], colour: 1 }] },
  notifications: {
    toggles: { fire: { regions: ['Nort'], destinations: ['ops'] } },
    escalation: { fire: { steps: [{ after_seconds: 60, type: 'dm' }] } },
    region_routes: {
      enabled: true,
      cells: {
        fire: { North: { enabled: true, mute: true, mt: 1, fallback: true }, South: { mt: 1 } },
        mesh_health: { North: { mt: 1 } }
      }
    }
  }
}
const OFF = { notifications: { region_routes: { cells: { fire: { North: { mt: 1 } } } } } }
const IMPORTED = {
  notifications: { region_routes: { mt_enabled: true, cells: { fire: { North: { mt: 1 } } } } }
}
const SHUT = {
  notifications: { region_routes: { enabled: true, mt_enabled: false, cells: { fire: { North: { mt: 1 } } } } }
}
const UNREADABLE = { station: { language: 'ja' }, messages: { channels: { 'mt:1': { ascii: true } } } }
const READER = { language: 'en', isGuest: false } as const

t.test('every warning of check-config about a setting has a page, and is shown on it', async (t) => {
  const seen = new Set<string>()
  for (const config of [ODD, OFF, IMPORTED, SHUT, UNREADABLE]) {
    const { context, ask } = await station(t, { config })
    for (const note of settingNotes(context, READER)) {
      seen.add(note.code)
      const page = pageOfSetting(note.path)
      const { status, text } = await ask(page)
      t.equal(status, 200, page)
      t.equal(note.link.split('#')[0], page, 'the link leads to that page')
      if (notesOn(page, [note]).length > 0) t.match(text, `<code>${note.path}</code></a>: `, `${note.path} on ${page}`)
      else t.match(text, /coverage area is named|not a family any more/, `${page} says ${note.code} in its own words`)
    }
  }
  const missing = SETTING_WARNING_CODES.filter((code) => !seen.has(code))
  t.same(missing, ['repeated_key'], 'which only the text of the file shows')
})

t.test('a note leads to the field: of a form by its pointer, else to the card', async (t) => {
  const { context } = await station(t, { config: ODD })
  const links = Object.fromEntries(settingNotes(context, READER).map(({ path, link }) => [path, link]))
  t.match(links, {
    '/covrage': '/settings',
    '/http/prot': '/settings/http',
    '/radios/0/cable': '/radios#radio-roof',
    '/sources/0/flor': '/sources#source-quakes',
    '/coverage/areas/0/colour': '/coverage',
    '/notifications/toggles/fire/regions/0': '/settings/notifications#set/notifications/toggles/fire/regions/0'
  })
})

t.test('the index of all settings and the overview have what their lists do not say yet', async (t) => {
  const { ask } = await station(t, { config: ODD })
  for (const page of ['/settings', '/']) {
    const { text } = await ask(page)
    t.match(text, '<code>/covrage</code>', page)
    t.match(text, 'did you mean &quot;coverage&quot;?', page)
  }
  t.notMatch((await ask('/')).text, /<code>[^<]*\/cells\/fire\/South/, 'notes on the matrix have it')
  t.notMatch((await ask('/settings/http')).text, '/covrage', 'a page has its own')
})

t.test('notes are told in the language of the reader, and to nobody who may not change the settings', async (t) => {
  const { ask } = await station(t, { config: ODD, context: {} })
  const german = await ask({ path: '/settings', headers: { cookie: 'lang=de' } })
  t.match(german.text, 'unbekannter Schlüssel „covrage“')
  for (const path of ['/settings', '/', '/coverage', '/sources'])
    t.notMatch((await ask({ path, headers: FROM_AFAR })).text, /covrage|colour|flor\b/, path)
})

t.test('a saved change is answered with its warnings in the language of whoever saves', async (t) => {
  const { ask } = await station(t, { config: {} })
  const { body } = await ask({
    method: 'POST',
    path: '/api/settings',
    headers: { cookie: 'lang=de' },
    body: { set: { '/http/prot': 1 } }
  })
  t.match(body.warnings, [{ path: '/http/prot', code: 'unknown_key', message: /war „port“ gemeint/ }])
})
