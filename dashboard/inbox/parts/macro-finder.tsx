/** Runs a macro on the open chat. */
import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import type { Conversation } from '../../../sdk/api.ts'
import { Finder } from '../../kit/finder.tsx'
import { macrosQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { runMacro } from '../use-actions.ts'

type Props = { open: boolean; onClose: () => void; conversation: Conversation | undefined }

export function MacroFinder({ open, onClose, conversation }: Props) {
  const { data: macros = [] } = useQuery({ ...macrosQuery, enabled: open })
  const title = t('action.macro')
  const items = macros.map((macro) => ({
    id: macro.id,
    title: macro.name,
    icon: Zap,
    run: () => {
      if (conversation) void runMacro(conversation, macro)
    },
  }))
  return (
    <Finder
      open={open}
      onClose={onClose}
      title={title}
      placeholder={t('macro.placeholder')}
      empty={t('macro.empty')}
      groups={items.length > 0 ? [{ value: title, items }] : []}
    />
  )
}
