/**
 * The thread that lays PDF documents out. It reads its fonts at the start; after that it opens no file and no
 * address, even if a document names one.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { printablePicture } from '../core/values/printable-picture.ts'
import { allowMissingAnchors } from './mark-anchors.ts'
import type { PdfTask } from './pdf-renderer.ts'
import type { PdfDocument, PdfNode, PdfValue } from './port.ts'
import { DEFAULT_FONT, scriptRuns } from './script-runs.ts'

/** The parts of the library that we use; its own types require browser types. */
type PdfLibrary = {
  /** Files by name, in memory. */
  virtualfs: { writeFileSync(name: string, bytes: Buffer): void }
  setFonts(fonts: Record<string, { normal: string; bold: string }>): void
  setUrlAccessPolicy(mayOpen: (url: string) => boolean): void
  setLocalAccessPolicy(mayOpen: (path: string) => boolean): void
  createPdf(definition: Record<string, unknown>): { getBuffer(): Promise<Buffer> }
}

const require = createRequire(import.meta.url)
const pdfmake = require('pdfmake') as PdfLibrary

/** Font families by package. */
const FAMILIES: Record<string, string> = {
  [DEFAULT_FONT]: 'noto-sans',
  NotoSansDevanagari: 'noto-sans-devanagari',
  NotoSansTamil: 'noto-sans-tamil',
  NotoSansBengali: 'noto-sans-bengali',
  NotoSansTelugu: 'noto-sans-telugu',
  NotoSansKannada: 'noto-sans-kannada',
  NotoSansMalayalam: 'noto-sans-malayalam',
  NotoSansGujarati: 'noto-sans-gujarati',
  NotoSansGurmukhi: 'noto-sans-gurmukhi',
  NotoSansOriya: 'noto-sans-oriya',
}

type Style = '400Regular' | '700Bold'
const readFont = (family: string, style: Style): Buffer =>
  readFileSync(require.resolve(`@expo-google-fonts/${FAMILIES[family]}/${style}/${family}_${style}.ttf`))

/** Adds a style of a family to the files in memory; returns its name there. */
function loadFont(family: string, style: Style): string {
  const name = `${family}_${style}.ttf`
  pdfmake.virtualfs.writeFileSync(name, readFont(family, style))
  return name
}

function loadFonts(): void {
  const fonts: Record<string, { normal: string; bold: string }> = {}
  for (const family of Object.keys(FAMILIES))
    fonts[family] = { normal: loadFont(family, '400Regular'), bold: loadFont(family, '700Bold') }
  pdfmake.setFonts(fonts)
  allowMissingAnchors(readFont(DEFAULT_FONT, '400Regular'))
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => false)
}

/** Sets the fonts of every text by its scripts. */
function withScriptFonts(node: PdfNode | PdfValue): PdfValue {
  if (typeof node === 'string') return { text: scriptRuns(node) }
  if (Array.isArray(node)) return node.map(withScriptFonts)
  if (typeof node !== 'object' || node === null) return node
  const changed: Record<string, PdfValue> = { ...node }
  if (typeof node.text === 'string') changed.text = scriptRuns(node.text)
  for (const field of ['stack', 'columns', 'ul', 'ol'])
    if (Array.isArray(node[field])) changed[field] = (node[field] as PdfValue[]).map(withScriptFonts)
  if (typeof node.table === 'object' && node.table !== null && !Array.isArray(node.table))
    changed.table = { ...node.table, body: ((node.table.body ?? []) as PdfValue[]).map(withScriptFonts) }
  return changed
}

type Placed = { headlineLevel?: number }

/** Returns whether a headline would be at the bottom of a page and its content on the next. */
const needsPageBreak = ({ headlineLevel }: Placed, page: { getFollowingNodesOnPage(): Placed[] }): boolean =>
  headlineLevel !== undefined && page.getFollowingNodesOnPage().length === 0

const layOut = ({ title, author, footer, content, watermark }: PdfDocument): Promise<Buffer> =>
  pdfmake
    .createPdf({
      info: { title, author },
      pageSize: 'A4',
      pageMargins: [36, 36, 36, 48],
      defaultStyle: { font: DEFAULT_FONT, fontSize: 9.5, lineHeight: 1.2 },
      content: withScriptFonts(content) as never,
      pageBreakBefore: needsPageBreak,
      ...(watermark === undefined ? {} : { watermark: { text: watermark, opacity: 0.08, bold: true } }),
      footer: (page: number, pages: number) => ({
        text: scriptRuns(`${footer} · ${page} / ${pages}`),
        alignment: 'center',
        fontSize: 8,
        color: '#555555',
        margin: [36, 12],
      }),
    })
    .getBuffer()

type Picture = { image: PdfValue }
const isPicture = (node: PdfNode | PdfValue): node is Picture =>
  typeof node === 'object' && node !== null && !Array.isArray(node) && 'image' in node

const PICTURE_ADDRESS = /^data:image\/(?:png|jpeg);base64,/

/** Returns the address of a picture that is safe to decode; undefined for any other. */
async function printableAddress(address: PdfValue): Promise<string | undefined> {
  const [start] = (typeof address === 'string' && PICTURE_ADDRESS.exec(address)) || []
  if (start === undefined) return undefined
  const picture = await printablePicture(Buffer.from((address as string).slice(start.length), 'base64'))
  return picture && `${start}${picture.toString('base64')}`
}

type Addresses = Map<PdfValue, string | undefined>

/** Checks pictures first, because the library trusts their headers and crashes on broken data. */
async function readPictures(node: PdfValue, found: Addresses = new Map()): Promise<Addresses> {
  if (isPicture(node) && !found.has(node.image)) found.set(node.image, await printableAddress(node.image))
  if (typeof node === 'object' && node !== null)
    for (const inner of Object.values(node)) await readPictures(inner, found)
  return found
}

function withPictures(node: PdfValue, printable: Addresses): PdfValue {
  if (Array.isArray(node))
    return node
      .filter((child) => !isPicture(child) || printable.get(child.image) !== undefined)
      .map((child) => withPictures(child, printable))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([field, value]) => [
      field,
      field === 'image' ? printable.get(value) : withPictures(value, printable),
    ]),
  )
}

async function layOutWithFallback({ document, isPlain }: PdfTask): Promise<Buffer> {
  const layOutWith = (printable: Addresses) =>
    layOut({ ...document, content: withPictures(document.content, printable) as PdfNode[] })
  if (isPlain) return layOutWith(new Map())
  const printable = await readPictures(document.content)
  return layOutWith(printable).catch(() => layOutWith(new Map()))
}

loadFonts()
parentPort!.on('message', (task: PdfTask) => {
  layOutWithFallback(task).then(
    (bytes) => parentPort!.postMessage({ bytes }),
    (error: unknown) =>
      parentPort!.postMessage({ error: error instanceof Error ? error.message : String(error) }),
  )
})
