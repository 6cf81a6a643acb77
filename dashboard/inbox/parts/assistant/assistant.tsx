/** Shows the help of the workspace's assistant above the messages: a draft of a reply, and a summary. */
import type { RefObject } from 'react'
import type { Conversation } from '../../../../sdk/api.ts'
import { useNow } from '../../../kit/time.tsx'
import { useCommands } from '../../../shell/commands-store.ts'
import { ASSISTANT_COMMANDS } from './commands.ts'
import { DraftCard, type DraftStore } from './draft-card.tsx'
import { openHelp, useOpened } from './opened.ts'
import { SummaryCard } from './summary-card.tsx'
import { t } from './texts.ts'
import { useAssistant } from './use-assistant.ts'

type Props = DraftStore & {
  conversation: Conversation
  workspace: string
  field: RefObject<HTMLTextAreaElement | null>
}

export function Assistant({ conversation, workspace, field, draftOf, setDraft }: Props) {
  const { id, windowOpen, windowExpiresAt } = conversation
  const isOn = useAssistant(workspace)
  const { draft, summary } = useOpened(id)
  // Outside the window, there is no message field.
  const now = useNow()
  const isOpen = windowOpen && windowExpiresAt !== null && Date.parse(windowExpiresAt) > now
  useCommands(
    ASSISTANT_COMMANDS,
    {
      mayDraft: isOn && isOpen,
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
      {draft > 0 && isOpen && (
        <DraftCard
          key={`draft ${draft}`}
          conversationId={id}
          field={field}
          draftOf={draftOf}
          setDraft={setDraft}
        />
      )}
    </>
  )
}
