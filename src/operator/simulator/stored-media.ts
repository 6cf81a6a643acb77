import { createHash, randomInt } from 'node:crypto'
import { DAY_MS, later } from '../../core/clock.ts'
import { isAnimatedWebp, SIGNATURE_BYTES, typesOfBytes } from '../media-signatures.ts'
import {
  kindOfMediaType,
  MAX_MEDIA_BYTES,
  MAX_STILL_STICKER_BYTES,
  MEDIA_TYPES,
  type MediaKind,
  plainMediaType,
} from '../media-types.ts'
import { type GraphAnswer, graphError } from './graph-errors.ts'
import type { SimulatedNumber, SimulatorStore } from './store.ts'

const LIFETIME_MS = 30 * DAY_MS

/** A file sent to the simulated operator: its bytes, and its declared types, best first. */
export type GivenFile = { bytes: Buffer; said: (string | undefined)[] }

const newMediaId = (): string =>
  `1${String(randomInt(1e11)).padStart(11, '0')}${String(randomInt(1000)).padStart(3, '0')}`

/**
 * Stores a file for 30 days, with its declared type, or else the type of its bytes (docs/formats.md section
 * 16, media). Also creates files of simulated customers. Returns the id, or the operator's refusal.
 */
export async function keepMedia(
  store: SimulatorStore,
  number: SimulatedNumber,
  file: GivenFile,
): Promise<{ ok: true; id: string; mimeType: string; sha256: string } | { ok: false; answer: GraphAnswer }> {
  const head = file.bytes.subarray(0, SIGNATURE_BYTES)
  const mimeType = [...file.said, ...typesOfBytes(head)]
    .map((type) => plainMediaType(type ?? ''))
    .find((type) => type !== '' && type !== 'application/octet-stream')
  const kind = kindOfMediaType(mimeType ?? '')
  if (mimeType === undefined || kind === undefined) return { ok: false, answer: unknownType(mimeType) }
  const max = maxBytes(kind, head)
  if (file.bytes.length === 0 || file.bytes.length > max)
    return { ok: false, answer: wrongSize(kind, file.bytes, max) }
  const id = newMediaId()
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  await store.keep(number, {
    kind: 'media',
    id,
    value: { mimeType, sha256, sizeBytes: file.bytes.length, kind },
    bytes: file.bytes,
    expiresAt: later(await store.now(number), LIFETIME_MS),
  })
  return { ok: true, id, mimeType, sha256 }
}

const maxBytes = (kind: MediaKind, head: Buffer): number =>
  kind === 'sticker' && !isAnimatedWebp(head) ? MAX_STILL_STICKER_BYTES : MAX_MEDIA_BYTES[kind]

const unknownType = (mimeType: string | undefined): GraphAnswer =>
  graphError(
    100,
    `(#100) Param file must be a file with one of the following types: ${Object.keys(MEDIA_TYPES).join(', ')}. ` +
      `Received file of type '${mimeType ?? 'application/octet-stream'}'.`,
  )

const wrongSize = (kind: MediaKind, bytes: Buffer, max: number): GraphAnswer =>
  graphError(131053, '(#131053) Media upload error', {
    details:
      bytes.length === 0
        ? 'The file is empty.'
        : `A file of type ${kind} takes at most ${max} bytes; this one has ${bytes.length}.`,
  })
