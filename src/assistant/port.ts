/**
 * The assistant as the rest of Parley sees it: something that answers a customer, or leaves them to a person. It can do nothing
 * else, whatever it reads or says. What its HTTP API looks like is known to chat-completions.ts alone.
 */

/** A workspace's assistant. Its key is in the clear only in memory. */
export type AssistantConnection = {
  /** Base address of its API, without a slash at the end. */
  url: string
  /** Null: it asks for none. */
  apiKey: string | null
  model: string
  /** Answers that it may give in a day of the workspace. */
  dailyLimit: number
}

/** What was said in a chat, oldest first. */
export type Utterance = { by: 'customer' | 'business'; text: string }

export type AssistantQuestion = {
  /** The business's own words on what it may say. */
  instructions: string
  utterances: Utterance[]
  /** It may link to these domains, and what lies below them. */
  domains: string[]
}

/** How asking ended. `why` is for the people of the business. */
export type AssistantAnswer =
  | { kind: 'answer'; text: string }
  /** It does not know, or said what may not be passed on. */
  | { kind: 'handover'; why: string }
  /** Nothing came back that could be read. */
  | { kind: 'failed'; why: string }

/** Asks once, and never rejects. */
export type AskAssistant = (
  connection: AssistantConnection,
  question: AssistantQuestion,
) => Promise<AssistantAnswer>

declare module '../core/context.ts' {
  /** What jobs may ask of the assistant. */
  interface Outside {
    askAssistant: AskAssistant
    /** The workspace's assistant; undefined when none is connected. */
    assistantConnection(workspaceId: string): Promise<AssistantConnection | undefined>
  }
}
