import type { Command } from '../../../commands.ts'

export type AssistantContext = {
  mayDraft: boolean
  maySummarize: boolean
  draft: () => void
  summarize: () => void
}

/** Without keys: each costs a request at the assistant. */
export const ASSISTANT_COMMANDS: readonly Command<AssistantContext, 'action.draft' | 'action.summary'>[] = [
  {
    id: 'inbox-draft',
    title: 'action.draft',
    when: (context) => context.mayDraft,
    run: (context) => context.draft(),
  },
  {
    id: 'inbox-summary',
    title: 'action.summary',
    when: (context) => context.maySummarize,
    run: (context) => context.summarize(),
  },
]
