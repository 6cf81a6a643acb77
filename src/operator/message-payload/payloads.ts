import { ContactsPayload } from './contacts.ts'
import { InteractivePayload } from './interactive.ts'
import { LocationPayload } from './location.ts'
import { AudioPayload, DocumentPayload, ImagePayload, StickerPayload, VideoPayload } from './media.ts'
import { ReactionPayload } from './reaction.ts'
import { TemplatePayload } from './template.ts'
import { TextPayload } from './text.ts'

/** The payload of each type of message, with the operator's limits (docs/formats.md section 2). A type more is a row more. */
export const PAYLOADS = {
  text: TextPayload,
  template: TemplatePayload,
  image: ImagePayload,
  video: VideoPayload,
  audio: AudioPayload,
  document: DocumentPayload,
  interactive: InteractivePayload,
  reaction: ReactionPayload,
  location: LocationPayload,
  sticker: StickerPayload,
  contacts: ContactsPayload,
}

export type MessageType = keyof typeof PAYLOADS
/** Every type of spec 4.2. */
export const MESSAGE_TYPES = Object.keys(PAYLOADS) as [MessageType, ...MessageType[]]
