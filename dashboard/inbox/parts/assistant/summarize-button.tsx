import { Bot } from 'lucide-react'
import { Button } from '../../../kit/button.tsx'
import { openHelp } from './opened.ts'
import { t } from './texts.ts'
import { useAssistant } from './use-assistant.ts'

type Props = {
  conversationId: string
  workspace: string
  /** Shows the messages, above which the summary appears. */
  onSummarize: () => void
}

/** Offers a summary next to the chat, also after its window has closed. */
export const SummarizeButton = ({ conversationId, workspace, onSummarize }: Props) =>
  useAssistant(workspace) && (
    <Button
      size="sm"
      icon={Bot}
      className="mt-2"
      onClick={() => {
        openHelp(conversationId, 'summary')
        onSummarize()
      }}
    >
      {t('action.summary')}
    </Button>
  )
