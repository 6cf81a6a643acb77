/**
 * Files: each by the id of an upload or by a link that the operator fetches, never by both (docs/formats.md
 * sections 2 and 5).
 */
import { booleanOrText, object, operatorId, webLink, words } from './fields.ts'

/** Maximum length of a caption. */
const CAPTION_MAX = 1024
const FILENAME_MAX = 240

type Source = { id?: string | undefined; link?: string | undefined }
const hasOneSource = ({ id, link }: Source): boolean => (id === undefined) !== (link === undefined)
const NEEDS_ONE = 'Must have either id or link.'

const source = { id: operatorId.optional(), link: webLink.optional() }
const caption = words(CAPTION_MAX).optional()
const filename = words(FILENAME_MAX).optional()

/** A file alone, as in a header. */
export const MediaSource = object(source)
  .refine(hasOneSource, NEEDS_ONE)
  .meta({ fields: { id: 'Media id, from `POST /media`.' } })
/** A file with its display name. */
export const NamedMediaSource = object({ ...source, filename })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({ fields: { id: 'Media id, from `POST /media`.' } })

export const ImagePayload = object({ ...source, caption })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({
    id: 'ImagePayload',
    description: 'An image, by `id` or by `link`.',
    fields: { id: 'Media id, from `POST /media`.' },
  })
export const VideoPayload = object({ ...source, caption })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({
    id: 'VideoPayload',
    description: 'A video, by `id` or by `link`.',
    fields: { id: 'Media id, from `POST /media`.' },
  })
/** `voice` makes it a voice note (ogg with opus); audio has no caption. */
export const AudioPayload = object({ ...source, voice: booleanOrText.optional() })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({
    id: 'AudioPayload',
    description: 'An audio file, by `id` or by `link`.',
    fields: { id: 'Media id, from `POST /media`.', voice: 'Whether it is a voice note (ogg with opus).' },
  })
export const DocumentPayload = object({ ...source, filename, caption })
  .refine(hasOneSource, NEEDS_ONE)
  .meta({
    id: 'DocumentPayload',
    description: 'A document, by `id` or by `link`.',
    fields: { id: 'Media id, from `POST /media`.' },
  })
export const StickerPayload = object(source)
  .refine(hasOneSource, NEEDS_ONE)
  .meta({
    id: 'StickerPayload',
    description: 'A sticker, by `id` or by `link`.',
    fields: { id: 'Media id, from `POST /media`.' },
  })
