/**
 * The port to the assistant. It answers a customer or leaves them to a person, and writes text for members. It
 * can do nothing else, even if the chat tells it to. Only chat-completions.ts knows its HTTP API.
 */

/** A workspace's assistant. Its key is in plain text only in memory. */
export type AssistantConnection = {
  /** Base address of its API, without a final slash. */
  url: string
  /** Null: the API requires no key. */
  apiKey: string | null
  model: string
  /** The maximum number of answers in a day of the workspace. */
  dailyLimit: number
  /** Members may ask it for drafts and summaries. */
  forAgents?: boolean
}

/** A message of the chat, oldest first. */
export type Utterance = { by: 'customer' | 'business'; text: string }

export type AssistantQuestion = {
  /** The business's instructions for the assistant. */
  instructions: string
  utterances: Utterance[]
  /** It may link to these domains and their subdomains. */
  domains: string[]
}

/** The outcome of a request. `why` is for members of the workspace. */
export type AssistantAnswer =
  | { kind: 'answer'; text: string }
  /** It does not know the answer, or its answer must not be sent. */
  | { kind: 'handover'; why: string }
  /** There was no readable answer. */
  | { kind: 'failed'; why: string }

/** Text for a member. The member reads it; nothing is sent to the customer. */
export type WritingTask =
  | {
      kind: 'draft'
      /** Null: unknown. */
      firstName: string | null
      /** The member's wish, such as "shorter"; null for none. */
      request: string | null
      /** The business's information from its bots. */
      instructions: string[]
      savedReplies: string[]
      utterances: Utterance[]
      /** Besides the domains in the business's own texts, the draft may link to these and their subdomains. */
      domains: string[]
    }
  | {
      kind: 'summary'
      /** Name of the summary's language. */
      language: string
      utterances: Utterance[]
    }

/** The outcome of a task. `why` is for members of the workspace. */
export type WrittenText = { kind: 'text'; text: string } | { kind: 'failed'; why: string }

/** Sends one request, and never rejects. */
export type WriteText = (connection: AssistantConnection, task: WritingTask) => Promise<WrittenText>

/** Sends one request, and never rejects. */
export type AskAssistant = (
  connection: AssistantConnection,
  question: AssistantQuestion,
) => Promise<AssistantAnswer>

declare module '../core/context.ts' {
  /** The assistant calls available to operations and jobs. */
  interface Outside {
    askAssistant: AskAssistant
    writeText: WriteText
    /** Returns the workspace's assistant; undefined if none is connected. */
    assistantConnection(workspaceId: string): Promise<AssistantConnection | undefined>
  }
}
