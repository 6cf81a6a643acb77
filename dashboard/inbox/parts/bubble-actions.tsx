/** The actions of a message, which appear beside it: reply, and its history. */
import { CircleHelp, Reply } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '../../../sdk/api.ts'
import { directOf } from '../../api/direct-messages.ts'
import { IconButton } from '../../kit/button.tsx'
import { classes } from '../../kit/classes.ts'
import { LaterMessageHistory } from '../../trace/parts/later.ts'
import { t as trace } from '../../trace/texts.ts'
import { t } from '../texts.ts'
import { useSourceNames } from '../use-source-names.ts'

type Props = {
  message: Message
  workspace: string
  onReply: ((message: Message) => void) | undefined
}

export function BubbleActions({ message, workspace, onReply }: Props) {
  const [isOpen, setOpen] = useState(false)
  const nameOf = useSourceNames(workspace)
  return (
    <div
      className={classes(
        'flex opacity-0 group-focus-within:opacity-100 group-hover:opacity-100',
        message.direction === 'outbound' && '-order-1',
      )}
    >
      {!directOf(message) && (
        <>
          <IconButton icon={CircleHelp} size="sm" label={trace('why')} onClick={() => setOpen(true)} />
          <LaterMessageHistory id={message.id} open={isOpen} onClose={() => setOpen(false)} nameOf={nameOf} />
        </>
      )}
      {onReply && message.chanmid && (
        <IconButton icon={Reply} size="sm" label={t('bubble.replyTo')} onClick={() => onReply(message)} />
      )}
    </div>
  )
}
