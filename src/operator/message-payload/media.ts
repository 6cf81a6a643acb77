/** Files: each by the id of an upload or by a link that the operator fetches, never both (docs/formats.md sections 2 and 5). */
import { flag, object, operatorId, webLink, words } from './fields.ts'

/** Longest caption. */
const CAPTION_MAX = 1024
const FILENAME_MAX = 240

type Source = { id?: string | undefined; link?: string | undefined }
const hasOneSource = ({ id, link }: Source): boolean => (id === undefined) !== (link === undefined)
const NEEDS_ONE = 'Must have either id or link.'

const source = { id: operatorId.optional(), link: webLink.optional() }
const caption = words(CAPTION_MAX).optional()
const filename = words(FILENAME_MAX).optional()

/** A file that stands for itself, as in a header. */
export const MediaSource = object(source).refine(hasOneSource, NEEDS_ONE)
/** The same with the name that it is shown under. */
export const NamedMediaSource = object({ ...source, filename }).refine(hasOneSource, NEEDS_ONE)

export const ImagePayload = object({ ...source, caption })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({ id: 'ImagePayload' })
export const VideoPayload = object({ ...source, caption })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({ id: 'VideoPayload' })
/** `voice` makes it a voice note (ogg with opus); audio has no caption. */
export const AudioPayload = object({ ...source, voice: flag.optional() })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({ id: 'AudioPayload' })
export const DocumentPayload = object({ ...source, filename, caption })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({ id: 'DocumentPayload' })
export const StickerPayload = object(source).refine(hasOneSource, NEEDS_ONE).meta({ id: 'StickerPayload' })
