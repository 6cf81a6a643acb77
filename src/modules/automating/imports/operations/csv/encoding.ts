/**
 * Finds the encoding of a text file: by its byte order mark, or by its bytes. Files come from spreadsheets of
 * all countries and years, and a wrong encoding would store wrong names without an error.
 */
import type { Readable } from 'node:stream'

/** A name known to TextDecoder. */
export type Encoding = string

const MARKS: [bytes: number[], encoding: Encoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]
const LINE_END = 0x0a
/** Bytes of a file that are checked for the zero bytes of UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 64 * 1024
const MIN_ZERO_SHARE = 0.1
const SAME_SIDE_SHARE = 0.9

/** Bytes that are letters on a Mac and, after a letter, very unlikely on Windows. */
const MAC_LETTERS = new Set([
  0x81, 0x83, 0x87, 0x88, 0x89, 0x8b, 0x8d, 0x8e, 0x8f, 0x90, 0x91, 0x98, 0x99, 0x9b, 0x9d, 0x9f,
])
/** Western words have single letters outside ASCII. This many in a row are a word in another alphabet. */
const FOREIGN_RUN = 3
const MAX_FOREIGN_SHARE = 0.3

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

/** Returns the encoding with this name in TextDecoder; undefined if unknown. */
export function knownEncoding(name: string): Encoding | undefined {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

/** Collects evidence of the encoding from the bytes of a file, chunk by chunk. */
export function encodingEvidence() {
  let bytesRead = 0
  let marked: Encoding | undefined
  const zeros = { even: 0, odd: 0 }
  let line = 1
  let firstBadLine: number | undefined
  /** Bytes that the current UTF-8 character still needs. */
  let continuationBytes = 0
  let [characters, faults] = [0, 0]
  let previous = 0
  /** Bytes outside ASCII: the current run, the total, and the total in words of another alphabet. */
  const highBytes = { run: 0, all: 0, foreign: 0 }
  /** Letters outside ASCII after a letter, in the Windows and the Mac encoding. */
  const after = { windows: 0, mac: 0 }
  const fault = () => {
    faults++
    firstBadLine ??= line
  }
  const lookAtByte = (byte: number) => {
    if (continuationBytes > 0) {
      if (byte >= 0x80 && byte <= 0xbf) {
        if (--continuationBytes === 0) characters++
      } else {
        continuationBytes = 0
        fault()
      }
    } else if (byte >= 0xc2 && byte <= 0xf4) continuationBytes = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1
    else if (byte >= 0x80) fault()
    if (byte < 0x80) highBytes.run = 0
    else {
      highBytes.all++
      if (++highBytes.run === FOREIGN_RUN) highBytes.foreign += FOREIGN_RUN
      else if (highBytes.run > FOREIGN_RUN) highBytes.foreign++
    }
    if (byte >= 0x80 && isLetter(previous)) {
      if (MAC_LETTERS.has(byte)) after.mac++
      else if (byte >= 0xc0) after.windows++
    }
    if (byte === LINE_END) line++
    previous = byte
  }
  return {
    look(chunk: Uint8Array) {
      if (bytesRead === 0) marked = MARKS.find(([bytes]) => bytes.every((byte, i) => chunk[i] === byte))?.[1]
      for (const [i, byte] of chunk.entries()) {
        if (byte === 0 && bytesRead + i < SAMPLE_BYTES) zeros[(bytesRead + i) % 2 === 0 ? 'even' : 'odd']++
        lookAtByte(byte)
      }
      bytesRead += chunk.length
    },
    /** Returns the encoding. Throws an error for people if the bytes don't decide it. */
    decide(): Encoding {
      if (marked !== undefined && marked !== 'utf-8') return marked
      const zeroBytes = zeros.even + zeros.odd
      if (zeroBytes >= MIN_ZERO_SHARE * Math.min(bytesRead, SAMPLE_BYTES) && zeroBytes > 0) {
        if (zeros.odd >= SAME_SIDE_SHARE * zeroBytes) return 'utf-16le'
        if (zeros.even >= SAME_SIDE_SHARE * zeroBytes) return 'utf-16be'
      }
      if (faults === 0 && continuationBytes === 0) return 'utf-8'
      if (marked !== undefined || continuationBytes > 0 || characters >= faults)
        throw new Error(
          `The file has a damaged UTF-8 character in line ${firstBadLine ?? line}. Save it again as "CSV UTF-8".`,
        )
      if (highBytes.foreign > MAX_FOREIGN_SHARE * highBytes.all || zeroBytes > 0)
        throw new Error(
          `The file's encoding can't be read (line ${firstBadLine}). Choose its encoding, or save it as "CSV UTF-8".`,
        )
      return after.mac > after.windows ? 'macintosh' : 'windows-1252'
    },
  }
}

/** Reads the file once and returns its encoding. Throws an error for people if its bytes don't decide it. */
export async function encodingOf(bytes: Readable | AsyncIterable<Uint8Array>): Promise<Encoding> {
  const evidence = encodingEvidence()
  for await (const chunk of bytes as AsyncIterable<Uint8Array>) evidence.look(chunk)
  return evidence.decide()
}
