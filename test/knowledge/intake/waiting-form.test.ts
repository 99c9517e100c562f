import t from 'tap'
import { systemReaders } from '../../../src/knowledge/intake/readers.ts'
import { needsProgram } from '../../helpers/convert-tools.ts'
import { samplePdf } from '../../helpers/documents.ts'
import { inWords } from '../../helpers/in-words.ts'
import { intakeSetup } from './setup.ts'

const WAIT = [
  'Please wait...',
  'If this message is not eventually replaced with the proper contents of the document, your PDF',
  'viewer may not be able to display this type of document.',
  'You can upgrade to the latest version of Adobe Reader for Windows, Mac, or Linux by visiting',
  'http://www.adobe.com/go/reader_download.'
]
const WARTEN = [
  'Bitte warten...',
  'Wenn diese Meldung nicht durch den Inhalt des Dokuments ersetzt wird, kann Ihr PDF-Viewer diesen',
  'Dokumenttyp nicht anzeigen. Aktualisieren Sie auf die neueste Version von Adobe Reader.'
]
const XDP = '<?xml version="1.0"?><xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template/></xdp:xdp>'

/** A form as LiveCycle writes it: one page of text, and the real form as XML beside it. */
function formPdf(lines: readonly string[]): Buffer {
  const text = `BT /F1 11 Tf 14 TL 60 720 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 6 0 R >> /NeedsRendering true >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${XDP.length} >>\nstream\n${XDP}\nendstream`
  ]
  let body = '%PDF-1.7\n'
  const places = objects.map((object, at) => {
    const place = body.length
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  )
}

t.test(
  'a form of which only "Please wait" can be read is refused at the door, and its sender hears what to do',
  async (t) => {
    if (!needsProgram(t, 'pdfinfo', 'pdftotext')) return
    const s = await intakeSetup(t, { readers: systemReaders })
    for (const [name, lines] of [
      ['form.pdf', WAIT],
      ['Formular.pdf', WARTEN]
    ] as const) {
      const hash = await s.arriveBytes(name, formPdf(lines))
      await s.work()
      const record = inWords(s.uploads.get(hash))
      t.match(record, { state: 'rejected', reason: /form that only Adobe Reader can show.*ordinary one/ }, name)
      t.equal(s.catalogue.byHash(hash), null)
      t.same(await s.tree('rejected').then((files) => files.filter((file) => file.includes(hash)).length), 2)
    }
  }
)

t.test('a document that speaks of such forms is taken', async (t) => {
  if (!needsProgram(t, 'pdfinfo', 'pdftotext')) return
  const s = await intakeSetup(t, { readers: systemReaders })
  const about = `Some forms show nothing but this. ${WAIT.join(' ')} Ask the office for a printed one. `.repeat(8)
  const long = await s.arriveBytes('About forms.pdf', await samplePdf([about]))
  const two = await s.arriveBytes('Two pages.pdf', await samplePdf([WAIT.join(' '), 'The form itself follows.']))
  const usual = await s.arriveBytes('Usual form.pdf', formPdf(['Application for a radio licence', 'Name:']))
  await s.work()
  for (const hash of [long, two, usual]) t.match(s.catalogue.byHash(hash), { status: 'queued' })
})
