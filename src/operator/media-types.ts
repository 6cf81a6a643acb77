/** The files that the network carries: their kinds, types, and sizes (docs/formats.md section 5). */

export const MEDIA_KINDS = ['image', 'video', 'audio', 'document', 'sticker'] as const
/** The message type that a file is sent as. */
export type MediaKind = (typeof MEDIA_KINDS)[number]

/** Returns whether messages of this type carry a file. */
export const isMediaKind = (type: string): type is MediaKind =>
  (MEDIA_KINDS as readonly string[]).includes(type)

const KIB = 1024
const MIB = 1024 * KIB

/** Maximum bytes of a file of each kind; a still sticker may be smaller than an animated one. */
export const MAX_MEDIA_BYTES: Record<MediaKind, number> = {
  image: 5 * MIB,
  video: 16 * MIB,
  audio: 16 * MIB,
  document: 100 * MIB,
  sticker: 500 * KIB,
}
export const MAX_STILL_STICKER_BYTES = 100 * KIB

const office = 'application/vnd.openxmlformats-officedocument'

/** The media types that the network accepts, with the kind that each is sent as. */
export const MEDIA_TYPES: Record<string, MediaKind> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'sticker',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'audio',
  'application/pdf': 'document',
  'text/plain': 'document',
  'application/msword': 'document',
  'application/vnd.ms-excel': 'document',
  'application/vnd.ms-powerpoint': 'document',
  [`${office}.wordprocessingml.document`]: 'document',
  [`${office}.spreadsheetml.sheet`]: 'document',
  [`${office}.presentationml.presentation`]: 'document',
}

const OTHER_NAMES: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'video/3gp': 'video/3gpp',
  'audio/mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/x-aac': 'audio/aac',
}

/** Normalizes a media type: `Audio/OGG; codecs=opus` is `audio/ogg`, and `image/jpg` is `image/jpeg`. */
export function plainMediaType(text: string): string {
  const bareType = (text.split(';', 1)[0] ?? '').trim().toLowerCase()
  return Object.hasOwn(OTHER_NAMES, bareType) ? OTHER_NAMES[bareType]! : bareType
}

/** Returns the kind for a type from `plainMediaType`; undefined if the network does not accept it. */
export const kindOfMediaType = (type: string): MediaKind | undefined =>
  Object.hasOwn(MEDIA_TYPES, type) ? MEDIA_TYPES[type] : undefined

/** The type of a message of the phone app's history with a file that is reported separately. */
export const PAST_FILE_TYPE = 'media_placeholder'
