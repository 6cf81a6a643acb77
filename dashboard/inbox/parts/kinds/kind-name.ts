/** Names the kind of a message that has no text, in the list of chats and in replies to it. */
import { t } from '../../texts.ts'

const KINDS = [
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'order',
  'unsupported',
  'media_placeholder',
] as const
/** Kinds that only the photo network has. */
const DIRECT_KINDS = ['share', 'story_mention', 'ig_reel', 'reel'] as const

/** Returns the name of a kind of message. */
export function kindName(type: string): string {
  const kind = KINDS.find((known) => known === type)
  if (kind) return t(`row.kind.${kind}`)
  const direct = DIRECT_KINDS.find((known) => known === type)
  return direct ? t(`direct.kind.${direct}`) : t('bubble.other', { kind: type })
}
