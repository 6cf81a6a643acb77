/**
 * The port to the assistant, which either answers a customer or leaves them to a person. It can do nothing
 * else, even if the chat tells it to. Only chat-completions.ts knows its HTTP API.
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

/** Sends one request, and never rejects. */
export type AskAssistant = (
  connection: AssistantConnection,
  question: AssistantQuestion,
) => Promise<AssistantAnswer>

declare module '../core/context.ts' {
  /** The assistant calls available to jobs. */
  interface Outside {
    askAssistant: AskAssistant
    /** Returns the workspace's assistant; undefined if none is connected. */
    assistantConnection(workspaceId: string): Promise<AssistantConnection | undefined>
  }
}
