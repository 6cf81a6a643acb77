/** Turns the API's answer into the result of a tool. */
import { blockOf, fenced, inOneLine } from './fence.ts'
import { isPart, type Part } from './json-schemas.ts'
import type { EndpointTool } from './tools.ts'

export type ApiAnswer = { status: number; contentType: string; text: string; retryAfter: string | undefined }

export type ToolResult = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Part
  isError?: true
}

const textOf = (...parts: (string | undefined)[]): ToolResult['content'] => [
  { type: 'text', text: parts.filter((part) => part !== undefined).join('\n') },
]

/** A result whose call made no request, or got no answer that a tool can read. */
export const failedCall = (message: string): ToolResult => ({ isError: true, content: textOf(message) })

/** Returns how to get the next rows of a list. Cursors are ids of Parley. */
function nextPageHint(name: string, { nextCursor, page, pageSize, total }: Part): string | undefined {
  if (typeof nextCursor === 'string' && /^[\w-]{1,100}$/.test(nextCursor))
    return `There are more rows. For the next ones, call ${name} with the same arguments and cursor "${nextCursor}".`
  if (typeof page === 'number' && typeof pageSize === 'number' && typeof total === 'number')
    return page * pageSize < total
      ? `There are ${total} rows. For the next ones, call ${name} with the same arguments and page ${page + 1}.`
      : undefined
  return undefined
}

/** Fields of an error that Parley writes itself. */
const OWN_ERROR_FIELDS = ['error', 'message', 'docUrl', 'required', 'retryAfterSeconds']

/** Returns the refusal in words. Other fields of it may quote stored texts, so they are fenced. */
function refusedResult({ status, retryAfter }: ApiAnswer, body: Part): ToolResult {
  const others = Object.entries(body).filter(([name]) => !OWN_ERROR_FIELDS.includes(name))
  const wait =
    retryAfter !== undefined && /^\d+$/.test(retryAfter) ? `Wait ${retryAfter} seconds.` : undefined
  return {
    isError: true,
    content: textOf(
      `Parley answered ${status} ${inOneLine(String(body.error))}: ${inOneLine(String(body.message))}`,
      typeof body.required === 'string' ? `Required: ${inOneLine(body.required)}.` : undefined,
      wait,
      `Explanation: ${String(body.docUrl)}`,
      others.length === 0 ? undefined : blockOf(fenced(Object.fromEntries(others), undefined)),
    ),
  }
}

function parsed({ contentType, text }: ApiAnswer): unknown {
  if (!contentType.includes('json') || text === '') return undefined
  return JSON.parse(text)
}

/** Returns the result of a tool: the reply as text and as JSON, both with foreign texts fenced. */
export function resultOf(
  { description, plan }: Pick<EndpointTool, 'description' | 'plan'>,
  answer: ApiAnswer,
): ToolResult {
  const body = parsed(answer)
  if (!isPart(body)) return failedCall(`Parley answered ${answer.status} without JSON.`)
  if (answer.status >= 300) return refusedResult(answer, body)
  const shown = fenced(body, plan) as Part
  return {
    content: textOf(blockOf(shown), nextPageHint(description.name, body)),
    structuredContent: shown,
  }
}
