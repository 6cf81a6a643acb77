/** Shows kinds of messages that only the photo network has, such as shared posts and mentions in stories. */
import type { Message } from '../../../../sdk/api.ts'
import { t } from '../../texts.ts'
import { type Content, isWebAddress, objectIn, textIn } from './content.ts'
import { Formatted, Kind, WebLink } from './text.tsx'

const KINDS = ['share', 'story_mention', 'ig_reel', 'reel'] as const

/** Returns the name of a kind of message. */
export function directKind(type: string): string {
  const known = KINDS.find((kind) => kind === type)
  return known ? t(`direct.kind.${known}`) : t('bubble.other', { kind: type })
}

export function DirectContent({ message }: { message: Message }) {
  const content = message.content as Content
  const address = textIn(objectIn(content, 'payload'), 'url') ?? textIn(content, 'url')
  return (
    <>
      <Kind>{directKind(message.type)}</Kind>
      {message.text && <Formatted text={message.text} />}
      {isWebAddress(address) && <WebLink href={address}>{t('direct.open')}</WebLink>}
    </>
  )
}
