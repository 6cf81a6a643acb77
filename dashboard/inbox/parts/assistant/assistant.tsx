/** Shows the help of the workspace's assistant above the messages: a draft of a reply, and a summary. */
import type { RefObject } from 'react'
import type { Conversation } from '../../../../sdk/api.ts'
import { useNow } from '../../../kit/time.tsx'
import { useCommands } from '../../../shell/commands-store.ts'
import { windowStateAt } from '../../window.ts'
import { ASSISTANT_COMMANDS } from './commands.ts'
import { DraftCard } from './draft-card.tsx'
import { openHelp, useOpened } from './opened.ts'
import { SummaryCard } from './summary-card.tsx'
import { t } from './texts.ts'
import { useAssistant } from './use-assistant.ts'

type Props = {
  conversation: Conversation
  workspace: string
  field: RefObject<HTMLTextAreaElement | null>
}

export function Assistant({ conversation, workspace, field }: Props) {
  const { id } = conversation
  const isOn = useAssistant(workspace)
  const { draft, summary } = useOpened(id)
  const { open } = windowStateAt(conversation, useNow())
  useCommands(
    ASSISTANT_COMMANDS,
    {
      mayDraft: isOn && open,
      maySummarize: isOn,
      draft: () => openHelp(id, 'draft'),
      summarize: () => openHelp(id, 'summary'),
    },
    { title: t },
  )
  if (!isOn) return null
  return (
    <>
      {summary > 0 && <SummaryCard key={`summary ${summary}`} conversationId={id} />}
      {draft > 0 && open && <DraftCard key={`draft ${draft}`} conversationId={id} field={field} />}
    </>
  )
}
