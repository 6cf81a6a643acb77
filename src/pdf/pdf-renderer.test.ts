/** Tests that PDF documents are laid out in threads, within limits. */
import { afterEach, expect, test } from 'vitest'
import { BROKEN_PNGS, pngOf } from '../../test/support/pictures.ts'
import { createPdfRenderer, PDF_LIMITS, type PdfRenderer } from './pdf-renderer.ts'
import type { PdfDocument } from './port.ts'
import { scriptRuns } from './script-runs.ts'

let renderer: PdfRenderer
const open = (limits: Partial<typeof PDF_LIMITS> = {}) => {
  renderer = createPdfRenderer({ ...PDF_LIMITS, ...limits })
  return renderer
}
afterEach(() => renderer?.close())

const documentWith = (...content: PdfDocument['content']): PdfDocument => ({
  title: 'Tax invoice INV/26-27/0001',
  author: 'Asha Traders',
  footer: 'Asha Traders',
  content,
})
const fontsIn = (bytes: Buffer): string[] =>
  [...bytes.toString('latin1').matchAll(/\/FontName \/\w+\+([\w-]+)/g)].map((match) => match[1]!).sort()

test('a text is split into runs of one script, and characters shared by all scripts use the first font', () => {
  expect(scriptRuns('Asha आशा राव ₹5, ஆஷா!')).toEqual([
    { text: 'Asha ', font: 'NotoSans' },
    { text: 'आशा राव ', font: 'NotoSansDevanagari' },
    { text: '₹5, ', font: 'NotoSans' },
    { text: 'ஆஷா!', font: 'NotoSansTamil' },
  ])
  expect(scriptRuns('')).toEqual([])
})

test('emoji, which no font has, are omitted', () => {
  expect(scriptRuns('Priya 🌸✨👩‍👩‍👧‍👦❤️❤☎🇮🇳1️⃣ Silks™ © 2026 #1')).toEqual([
    { text: 'Priya  Silks™ © 2026 #1', font: 'NotoSans' },
  ])
  expect(scriptRuns('आशा 🌸')).toEqual([{ text: 'आशा ', font: 'NotoSansDevanagari' }])
})

test('only the used parts of fonts are embedded', async () => {
  const { render } = open()
  const plain = await render('asha', documentWith('₹12,34,567.80'))
  expect(plain.subarray(0, 5).toString()).toBe('%PDF-')
  expect(fontsIn(plain)).toEqual(['NotoSans-Regular'])
  const names = await render('asha', documentWith({ table: { body: [['आशा', { text: 'ஆஷா', bold: true }]] } }))
  expect(fontsIn(names)).toEqual(['NotoSans-Regular', 'NotoSansDevanagari-Regular', 'NotoSansTamil-Bold'])
})

test('names in every major script of India are printed in a matching font', async () => {
  const names = {
    Bengali: 'কৃষ্ণ',
    Devanagari: 'श्रीमती',
    Gujarati: 'શ્રીમતી',
    Gurmukhi: 'ਸਿੰਘ',
    Kannada: 'ಶ್ರೀನಿವಾಸ',
    Malayalam: 'ശ്രീകൃഷ്ണൻ',
    Oriya: 'ଶ୍ରୀମତୀ',
    Tamil: 'லட்சுமி',
    Telugu: 'శ్రీనివాస్',
  }
  const { render } = open()
  const regular = await render('asha', documentWith(...Object.values(names)))
  const fonts = Object.keys(names).map((script) => `NotoSans${script}-Regular`)
  expect(fontsIn(regular)).toEqual(['NotoSans-Regular', ...fonts])
  const bold = await render('asha', documentWith(Object.values(names).map((text) => ({ text, bold: true }))))
  expect(fontsIn(bold)).toEqual(['NotoSans-Regular', ...fonts.map((font) => font.replace('Regular', 'Bold'))])
})

test('a mark without an anchor on its letter is still printed', async () => {
  const { render } = open()
  expect(fontsIn(await render('asha', documentWith('௻௼௯ஂ')))).toContain('NotoSansTamil-Regular')
})

test('no file and no address is opened, and an unreadable picture is omitted', async () => {
  const { render } = open()
  for (const image of ['/etc/passwd', 'http://127.0.0.1:1/logo.png', 'data:image/png;base64,iVBORw0KGgo='])
    expect((await render('asha', documentWith('before', { image }, 'after'))).length).toBeGreaterThan(1_000)
})

test.each(BROKEN_PNGS)('a picture is omitted if it is %s', async (_, picture) => {
  const { render } = open()
  const image = `data:image/png;base64,${picture.toString('base64')}`
  const pdf = await render('asha', documentWith('before', { image }, 'after'))
  expect(pdf.toString('latin1')).not.toContain('/Subtype /Image')
})

test('a picture is printed, interlaced or not, up to 4 million pixels', async () => {
  const { render } = open()
  for (const [claims, isPrinted] of [
    [{ width: 40, height: 30 }, true],
    [{ width: 40, height: 30, isInterlaced: true }, true],
    [{ width: 3, height: 2, isInterlaced: true }, true],
    [{ width: 1_000, height: 1_000 }, true],
    [{ width: 20_000, height: 20_000 }, false],
    [{ width: 4_000_000_000, height: 1 }, false],
  ] as const) {
    const image = `data:image/png;base64,${pngOf(claims).toString('base64')}`
    const pdf = await render('asha', documentWith({ image, fit: [100, 100] }))
    expect(pdf.toString('latin1').includes('/Subtype /Image')).toBe(isPrinted)
  }
})

test('one workspace may use half of the threads, and a third of the places', async () => {
  const { render } = open({ waitingOfOne: 2 })
  const order: string[] = []
  const print = (workspaceId: string, name: string) =>
    render(workspaceId, documentWith(name)).then(() => order.push(name))
  const own = ['1', '2', '3'].map((name) => print('asha', name))
  await expect(render('asha', documentWith('4'))).rejects.toMatchObject({ code: 'service_unavailable' })
  await print('ravi', 'of a neighbor')
  expect(order).not.toContain('3')
  await Promise.all(own)
})

test("a document that can't be laid out fails alone, and others continue", async () => {
  const { render } = open({ threads: 1 })
  const broken = render('asha', documentWith({ table: { body: [['one', 'two'], ['one']] } }))
  const sound = render('asha', documentWith('sound'))
  await expect(broken).rejects.toThrow(/PDF layout failed/)
  expect((await sound).length).toBeGreaterThan(1_000)
})

test('documents are rejected if too many wait, they are too large, or they take too long', async () => {
  const { render } = open({ threads: 1, waiting: 1 })
  const [first, second, third] = [
    render('asha', documentWith('1')),
    render('asha', documentWith('2')),
    render('asha', documentWith('3')),
  ]
  await expect(third).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(await Promise.all([first, second])).toHaveLength(2)
  await renderer.close()
  await expect(open({ bytes: 100 }).render('asha', documentWith('1'))).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  await renderer.close()
  await expect(open({ ms: 1 }).render('asha', documentWith('1'))).rejects.toMatchObject({
    code: 'service_unavailable',
  })
})

test('closing ends running work', async () => {
  const { render } = open()
  const under = render('asha', documentWith('1'))
  const ended = expect(under).rejects.toMatchObject({ code: 'service_unavailable' })
  await renderer.close()
  await ended
})
