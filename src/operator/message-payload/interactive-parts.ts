/** The parts around the action of an interactive message. */
import { z } from 'zod'
import { component } from '../../core/component.ts'
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
}).meta(component('TextHeader', 'A heading.'))
export const ImageHeader = object({ type: exactly('image'), image: MediaSource }).meta(
  component('ImageHeader', 'An image above the body.'),
)
export const VideoHeader = object({ type: exactly('video'), video: MediaSource }).meta(
  component('VideoHeader', 'A video above the body.'),
)
const DocumentHeader = object({ type: exactly('document'), document: NamedMediaSource }).meta(
  component('DocumentHeader', 'A document above the body.'),
)

export const Header = z
  .discriminatedUnion(
    'type',
    [TextHeader, ImageHeader, VideoHeader, DocumentHeader],
    kinds(['text', 'image', 'video', 'document']),
  )
  .meta(component('MessageHeader', 'The header of an interactive message.'))

export const LABEL_MAX = 20
/** The label of a button. */
export const label = words(LABEL_MAX)
