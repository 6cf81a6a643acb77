/** Shows another version of a draft, which another device of the same member wrote. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MonitorSmartphone, X } from 'lucide-react'
import { Button, IconButton } from '../../kit/button.tsx'
import type { DraftContent } from '../draft-shape.ts'
import { isSent } from '../held-answer.ts'
import { messagesQuery } from '../queries.ts'
import { t } from '../texts.ts'

type Props = { conversationId: string; other: DraftContent; onUse: () => void; onDismiss: () => void }

export function OtherDraft({ conversationId, other, onUse, onDismiss }: Props) {
  const { data } = useInfiniteQuery({ ...messagesQuery(conversationId), enabled: false })
  // A version that was sent is no longer a draft.
  if (isSent(data?.pages[0]?.messages ?? [], other)) return null
  return (
    <div className="mx-3 mt-2 flex items-center gap-2 rounded-md bg-surface-3 ps-3 pe-1 text-sm text-ink-2">
      <MonitorSmartphone aria-hidden size={15} className="shrink-0" />
      <p role="status" className="min-w-0 flex-1 truncate py-1.5">
        {t('draft.other')} <q>{other.text || other.files?.[0]?.filename}</q>
      </p>
      <Button size="sm" variant="ghost" onClick={onUse}>
        {t('draft.other.use')}
      </Button>
      <IconButton icon={X} size="sm" label={t('draft.other.dismiss')} onClick={onDismiss} />
    </div>
  )
}
