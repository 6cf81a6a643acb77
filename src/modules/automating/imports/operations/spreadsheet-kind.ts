/**
 * Recognizes files of spreadsheet programs by their first bytes. They are rejected with instructions, because
 * only text can be read.
 */
import type { TextSource } from './csv/text-lines.ts'

const HEAD_BYTES = 64 * 1024

const IN_EXCEL = 'Save it as CSV: File → Save as → CSV UTF-8.'
const REFUSALS = {
  xlsx: `This is an Excel workbook (.xlsx). ${IN_EXCEL}`,
  xls: `This is an Excel workbook (.xls), or one with a password. ${IN_EXCEL}`,
  html: `This is a web page or XML that spreadsheets open as .xls. Open it in one. ${IN_EXCEL}`,
  ods: `This is an OpenDocument spreadsheet (.ods). ${IN_EXCEL} LibreOffice calls it "Text CSV" with the character set UTF-8.`,
  numbers: 'This is a Numbers spreadsheet (.numbers). Save it as CSV: File → Export to → CSV.',
  zip: `This is a spreadsheet or a ZIP archive. ${IN_EXCEL}`,
}
type Kind = keyof typeof REFUSALS

const ZIP = Buffer.from('PK\x03\x04')
/** Compound files: Excel workbooks until 2007, and workbooks with a password. */
const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Excel 2 to 8 workbooks without a compound file: their first record, by version. */
const BARE_WORKBOOKS = ['09000400', '09020600', '09040600', '09080800', '09081000'].map((hex) =>
  Buffer.from(hex, 'hex'),
)
const MARKUP = /^\s*<(?:html|head|meta|style|table|!doctype html|\?xml)\b/i

const startsWith = (head: Buffer, start: Buffer): boolean => head.subarray(0, start.length).equals(start)

/** Returns the kind of a ZIP archive. It contains the name of each file uncompressed, before the file. */
function kindOfArchive(names: string): Kind {
  if (names.includes('application/vnd.oasis.opendocument.spreadsheet')) return 'ods'
  if (/Index(?:\/[\w/-]+\.iwa|\.zip)|buildVersionHistory\.plist/.test(names)) return 'numbers'
  return /xl\/|\[Content_Types\]\.xml/.test(names) ? 'xlsx' : 'zip'
}

function kindOf(head: Buffer): Kind | undefined {
  if (startsWith(head, ZIP)) return kindOfArchive(head.toString('latin1'))
  if ([COMPOUND, ...BARE_WORKBOOKS].some((start) => startsWith(head, start))) return 'xls'
  // Without byte order marks and the zero bytes of UTF-16.
  const text = head
    .subarray(0, 1_000)
    .toString('latin1')
    .replace(/^[ÿþï»¿]+|\0/g, '')
  return MARKUP.test(text) ? 'html' : undefined
}

/** Throws an error for people if the file is from a spreadsheet program. */
export async function refuseSpreadsheet({ stream }: TextSource): Promise<void> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream() as AsyncIterable<Buffer>) {
    pieces.push(Buffer.from(piece))
    length += piece.length
    if (length >= HEAD_BYTES) break
  }
  const kind = kindOf(Buffer.concat(pieces).subarray(0, HEAD_BYTES))
  if (kind !== undefined) throw new Error(REFUSALS[kind])
}
