import { expect, test } from 'vitest'
import { attachmentIn, isNotice } from './attachments.ts'

const NAMES = ['IMG-20231231-WA0001.jpg', 'Bill (2).pdf', '00000012-PHOTO.jpg', 'Preisliste für März.pdf']
const has = (filename: string) => NAMES.includes(filename)

test.each([
  ['IMG-20231231-WA0001.jpg (file attached)', 'IMG-20231231-WA0001.jpg', ''],
  ['\u200eIMG-20231231-WA0001.jpg (Datei angehängt)\nBlue ones', 'IMG-20231231-WA0001.jpg', 'Blue ones'],
  ['\u200fIMG-20231231-WA0001.jpg (الملف مرفق)', 'IMG-20231231-WA0001.jpg', ''],
  ['IMG-20231231-WA0001.jpg（文件附件）', 'IMG-20231231-WA0001.jpg', ''],
  ['Bill (2).pdf (file attached)', 'Bill (2).pdf', ''],
  ['Preisliste fu\u0308r März.pdf (Datei angehängt)', 'Preisliste für März.pdf', ''],
  ['\u200e<attached: 00000012-PHOTO.jpg>', '00000012-PHOTO.jpg', ''],
  ['\u200e<pièce jointe\u00a0: 00000012-PHOTO.jpg>', '00000012-PHOTO.jpg', ''],
  ['<添付ファイル：00000012-PHOTO.jpg>', '00000012-PHOTO.jpg', ''],
  ['Blue ones \u200e<attached: 00000012-PHOTO.jpg>', '00000012-PHOTO.jpg', 'Blue ones'],
  ['Two lines\nof words\n\u200e<attached: 00000012-PHOTO.jpg>', '00000012-PHOTO.jpg', 'Two lines\nof words'],
  ['\u200eBill (2).pdf • \u200e3 pages \u200e<attached: Bill (2).pdf>', 'Bill (2).pdf', ''],
])('%j names a file', (text, filename, caption) => {
  expect(attachmentIn(text, has)).toEqual({ filename, caption })
})

test.each([
  '<Media omitted>',
  '\u200eimage omitted',
  'missing.jpg (file attached)',
  '<attached: missing.jpg>',
  'See IMG-20231231-WA0001.jpg',
  '../IMG-20231231-WA0001.jpg (file attached)',
])('%j names none', (text) => {
  expect(attachmentIn(text, has)).toBeUndefined()
})

test.each([
  ['\u200eMessages and calls are end-to-end encrypted.', true],
  ['\u200eAsha Rao changed their phone number. \u200eTap to message the new number.', true],
  ['\u200eDu hast Asha Rao blockiert.', true],
  ['\u200eimage omitted', false],
  ['\u200eMissed voice call, \u200eTap to call back', false],
  ['\u200eInvoice Asha Rao.pdf • \u200e1 page \u200edocument omitted', false],
  ['\u200e<attached: 00000012-Asha Rao.jpg>', false],
  ['Asha Rao will come on Friday', false],
])('%j is a notice of the app: %s', (text, expected) => {
  expect(isNotice(text, 'Asha Rao')).toBe(expected)
})

test('a text of any length is read in a moment', () => {
  for (const text of ['<a:'.repeat(20_000), `${'a.b '.repeat(20_000)}(`, `${'('.repeat(60_000)})`]) {
    const startMs = performance.now()
    expect(attachmentIn(text, has)).toBeUndefined()
    expect(performance.now() - startMs).toBeLessThan(1_000)
  }
})
