/** Reads the video's data from the boxes of an MP4 or MOV. Reads only their headers. */
import type { FileReader } from './file-reader.ts'

/** A video as players show it: rotated by its matrix. */
export type Mp4Facts = { width: number; height: number; durationSeconds: number }

const MAX_BOXES = 10_000
/** The longest box that is read completely; real ones have some hundred bytes. */
const MAX_BOX_BYTES = 4_096
/** Boxes that contain boxes: only their headers are skipped, and the inner boxes follow. */
const CONTAINERS = ['moov', 'trak', 'mdia']

type Track = { width: number; height: number; isVideo: boolean }

/** Reads through the whole file; returns undefined if the bytes are not a video. */
export async function readMp4(file: FileReader): Promise<Mp4Facts | undefined> {
  const tracks: Track[] = []
  let durationSeconds: number | undefined
  for (let boxes = 0; boxes < MAX_BOXES; boxes++) {
    const box = await nextBox(file)
    if (box === 'end') break
    if (box === undefined || (boxes === 0 && box.type !== 'ftyp')) return undefined
    if (CONTAINERS.includes(box.type)) {
      if (box.type === 'trak') tracks.push({ width: 0, height: 0, isVideo: false })
      continue
    }
    if (!['mvhd', 'tkhd', 'hdlr'].includes(box.type)) {
      if (!(await file.skip(box.bytes))) break
      continue
    }
    const body = box.bytes <= MAX_BOX_BYTES ? await file.take(box.bytes) : undefined
    if (!body) return undefined
    const track = tracks.at(-1)
    if (box.type === 'mvhd') durationSeconds = durationOf(body)
    else if (track && box.type === 'tkhd') Object.assign(track, sizeOf(body))
    else if (track && body.toString('latin1', 8, 12) === 'vide') track.isVideo = true
  }
  const video = tracks.find(({ isVideo, width, height }) => isVideo && width > 0 && height > 0)
  if (!video || durationSeconds === undefined) return undefined
  return { width: video.width, height: video.height, durationSeconds }
}

type Box = { type: string; bytes: number }

/** Returns the header of a box: its type and the number of bytes after it; undefined if it is invalid. */
async function nextBox(file: FileReader): Promise<Box | 'end' | undefined> {
  const header = await file.take(8)
  if (!header) return 'end'
  const type = header.toString('latin1', 4, 8)
  const size = header.readUInt32BE(0)
  // The last box may extend to the end of the file.
  if (size === 0) return { type, bytes: Number.MAX_SAFE_INTEGER }
  if (size !== 1) return size < 8 ? undefined : { type, bytes: size - 8 }
  const large = (await file.take(8))?.readBigUInt64BE(0)
  if (large === undefined || large < 16n || large > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return { type, bytes: Number(large) - 16 }
}

/** Version 1 of a header has times of 8 bytes, version 0 of 4. */
const isLong = (body: Buffer): boolean => body[0] === 1

function durationOf(body: Buffer): number | undefined {
  if (body.length < (isLong(body) ? 32 : 20)) return undefined
  const timescale = body.readUInt32BE(isLong(body) ? 20 : 12)
  const duration = isLong(body) ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16)
  return timescale === 0 ? undefined : duration / timescale
}

/** Track header: a matrix with the rotation of the picture, then width and height in 16.16 fixed point. */
function sizeOf(body: Buffer): { width: number; height: number } | undefined {
  const matrixAt = isLong(body) ? 52 : 40
  if (body.length < matrixAt + 44) return undefined
  const isUpright = body.readInt32BE(matrixAt) !== 0
  const width = body.readUInt32BE(matrixAt + 36) >>> 16
  const height = body.readUInt32BE(matrixAt + 40) >>> 16
  return isUpright ? { width, height } : { width: height, height: width }
}
