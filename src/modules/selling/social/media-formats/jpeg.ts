/** Reads the headers of a JPEG without decoding it, so that even huge dimensions cost nothing. */
import { exifOrientation } from './exif-orientation.ts'
import type { FileReader } from './file-reader.ts'

/** A photo as viewers show it: rotated by its orientation. */
export type JpegFacts = { width: number; height: number; components: number }

/** Segments, and fill bytes, that may come before the frame header; cameras write some dozens. */
const MAX_SEGMENTS = 1_000
const MAX_FILL_BYTES = 1_000

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP1 = 0xe1
/**
 * Baseline, extended and progressive frames, which all viewers can read. Lossless and arithmetic ones are not
 * supported.
 */
const FRAMES = [0xc0, 0xc1, 0xc2]
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]

const hasLength = (marker: number): boolean => marker !== 0x01 && !(marker >= 0xd0 && marker <= 0xd7)
/** Orientations from 5 on are rotated by 90 degrees. */
const isTurned = (orientation: number): boolean => orientation >= 5 && orientation <= 8

/** Reads up to the frame header; returns undefined if the bytes are not a JPEG that can be published. */
export async function readJpeg(file: FileReader): Promise<JpegFacts | undefined> {
  if ((await nextMarker(file)) !== SOI) return undefined
  let orientation = 1
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const marker = await nextMarker(file)
    if (marker === undefined || [SOI, EOI, SOS, ...OTHER_FRAMES].includes(marker)) return undefined
    if (!hasLength(marker)) continue
    const length = (await file.take(2))?.readUInt16BE(0)
    if (length === undefined || length < 2) return undefined
    if (FRAMES.includes(marker)) return frameOf(await file.take(length - 2), orientation)
    if (marker === APP1) {
      const segmentBytes = await file.take(length - 2)
      if (!segmentBytes) return undefined
      orientation = exifOrientation(segmentBytes) ?? orientation
    } else if (!(await file.skip(length - 2))) return undefined
  }
  return undefined
}

/** Returns the next marker, after any fill bytes. */
async function nextMarker(file: FileReader): Promise<number | undefined> {
  if ((await file.take(1))?.[0] !== 0xff) return undefined
  for (let filling = 0; filling < MAX_FILL_BYTES; filling++) {
    const marker = (await file.take(1))?.[0]
    if (marker !== 0xff) return marker === 0 ? undefined : marker
  }
  return undefined
}

/** Frame header: precision (1 byte), height (2), width (2), components (1). */
function frameOf(header: Buffer | undefined, orientation: number): JpegFacts | undefined {
  if (!header || header.length < 6) return undefined
  const height = header.readUInt16BE(1)
  const width = header.readUInt16BE(3)
  const components = header[5] as number
  if (height === 0 || width === 0 || components === 0) return undefined
  return isTurned(orientation) ? { width: height, height: width, components } : { width, height, components }
}
