import { ContactsPayload } from './contacts.ts'
import { InteractivePayload } from './interactive.ts'
import { LocationPayload } from './location.ts'
import { AudioPayload, DocumentPayload, ImagePayload, StickerPayload, VideoPayload } from './media.ts'
import { ReactionPayload } from './reaction.ts'
import { TemplatePayload } from './template.ts'
import { TextPayload } from './text.ts'

/**
 * The payload of each message type, with the operator's limits (docs/formats.md section 2). To add a type,
 * add a row.
 */
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
