/** The parts around the action of an interactive message. */
import { z } from 'zod'
import { exactly, kinds, object, words } from './fields.ts'
import { MediaSource, NamedMediaSource } from './media.ts'

const HEADER_MAX = 60
const FOOTER_MAX = 60

export const body = (max: number) => object({ text: words(max) })
/** The body of most interactive messages. */
export const Body = body(1024)
export const Footer = object({ text: words(FOOTER_MAX) })

export const TextHeader = object({
  type: exactly('text'),
  text: words(HEADER_MAX),
  sub_text: words(HEADER_MAX).optional(),
})
export const ImageHeader = object({ type: exactly('image'), image: MediaSource })
export const VideoHeader = object({ type: exactly('video'), video: MediaSource })
const DocumentHeader = object({ type: exactly('document'), document: NamedMediaSource })

export const Header = z.discriminatedUnion(
  'type',
  [TextHeader, ImageHeader, VideoHeader, DocumentHeader],
  kinds(['text', 'image', 'video', 'document']),
)

export const LABEL_MAX = 20
/** The label of a button. */
export const label = words(LABEL_MAX)
