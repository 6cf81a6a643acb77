import { outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { draftReply, summarizeChat } from './operations.ts'
import { AssistantText, DraftRequest, SummaryRequest } from './schema.ts'

const shared = {
  tag: 'Conversations',
  section: '4.10',
  // The text reveals what the chat contains, and nothing in the chat changes.
  scope: 'conversations:read',
  role: 'agent',
  bucket: 'assistant',
  subject: 'conversation',
  bodyOptional: true,
  replies: { 200: AssistantText },
} as const

export const postConversationDraft = outsideEndpoint({
  ...shared,
  name: 'draftConversationReply',
  method: 'POST',
  path: '/conversations/:id/draft',
  summary: 'Let the assistant draft a reply. Nothing is sent.',
  description:
    "The assistant receives the chat's last 30 messages with text, the customer's first name, fitting saved replies, and the instructions of active bots. It never receives the customer's number. An admin turns it on with `forAgents` of the integration `ai`. Each draft counts toward `dailyLimit`.",
  action: { title: 'Draft a reply' },
  body: DraftRequest,
  example: { instruction: 'shorter' },
  refuses: ['not_found', 'conflict', 'assistant_off', 'assistant_failed'],
  handle: (request, { params, body }) =>
    request.answering(
      (text: string) => reply(200, { text }),
      (ctx) => draftReply(ctx, params.id, body),
    ),
})

export const postConversationSummary = outsideEndpoint({
  ...shared,
  name: 'summarizeConversation',
  method: 'POST',
  path: '/conversations/:id/summary',
  summary: 'Let the assistant summarize a conversation in 3 to 5 lines.',
  description:
    "The assistant receives the chat's last 30 messages with text, and never the customer's number. An admin turns it on with `forAgents` of the integration `ai`. Each summary counts toward `dailyLimit`.",
  body: SummaryRequest,
  example: { language: 'en' },
  refuses: ['not_found', 'conflict', 'assistant_off', 'assistant_failed'],
  handle: (request, { params, body }) =>
    request.answering(
      (text: string) => reply(200, { text }),
      (ctx) => summarizeChat(ctx, params.id, body),
    ),
})
