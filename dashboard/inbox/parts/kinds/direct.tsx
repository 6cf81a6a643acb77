/** Shows kinds of messages that only the photo network has, such as shared posts and mentions in stories. */
import type { Message } from '../../../../sdk/api.ts'
import { t } from '../../texts.ts'
import { type Content, isWebAddress, objectIn, textIn } from './content.ts'
import { kindName } from './kind-name.ts'
import { Formatted, Kind, WebLink } from './text.tsx'

export function DirectContent({ message }: { message: Message }) {
  const content = message.content as Content
  const address = textIn(objectIn(content, 'payload'), 'url') ?? textIn(content, 'url')
  return (
    <>
      <Kind>{kindName(message.type)}</Kind>
      {message.text && <Formatted text={message.text} />}
      {isWebAddress(address) && <WebLink href={address}>{t('direct.open')}</WebLink>}
    </>
  )
}
