/** Decides about an assistant's text: an answer to send, or a hand-over to a person. Pure. */
import { isLonger } from '../core/values/cut-text.ts'
import { ANSWER_MAX } from './frame.ts'
import type { AssistantAnswer } from './port.ts'

const handOver = (reason: string): AssistantAnswer => ({ kind: 'handover', why: reason })
const FENCE = '```'

/** Returns the content of a code fence, which models often add. */
const stripCodeFence = (text: string): string =>
  text.startsWith(FENCE) && text.endsWith(FENCE) && text.includes('\n')
    ? text.slice(text.indexOf('\n'), -FENCE.length)
    : text

/** Returns the JSON object in an assistant's text, if there is one. */
export function parsed(text: string): { action?: unknown; text?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(stripCodeFence(text.trim()))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Characters that no host name contains: they separate possible hosts. Marks are vowels in many scripts. */
const NOT_OF_HOST = /[^\p{L}\p{M}\p{N}.-]/u
/** Matches a top-level domain at the start of a text. */
const TOP = /^(\p{L}[\p{L}\p{M}]{1,62})(?:-|$)/u

/** Returns everything that looks like a host: in an address, in a mail address, or alone. */
export function hostsIn(text: string): string[] {
  return text.split(NOT_OF_HOST).flatMap((part) => {
    const labels = part.split('.')
    const index = labels.findLastIndex((label, i) => i > 0 && labels[i - 1] !== '' && TOP.test(label))
    return index < 0
      ? []
      : [[...labels.slice(0, index).filter(Boolean), TOP.exec(labels[index]!)![1]].join('.')]
  })
}

const ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s]*/giu

const isBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)

/** Returns the text as a browser reads its addresses. */
export const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[。．｡]/g, '.')
    .toLowerCase()

/**
 * Returns whether every host in the text is a listed domain or its subdomain; false for an address without a
 * listed host.
 */
export function linksOnlyTo(text: string, domains: readonly string[]): boolean {
  const plain = plainText(text)
  const isListed = (host: string) => domains.some((domain) => isBelow(host, domain))
  const addresses = plain.match(ADDRESS) ?? []
  // The text after the host of a listed address is a path.
  const rest = plain.replace(ADDRESS, ' ')
  return addresses.every((address) => isListedAddress(address, isListed)) && hostsIn(rest).every(isListed)
}

function isListedAddress(address: string, isListed: (host: string) => boolean): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username } = new URL(address)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && isListed(hostname)
}

/** Reads the assistant's text. Anything that is not clearly an answer is left to a person. */
export function readAnswer(answerText: string, domains: readonly string[]): AssistantAnswer {
  const answer = parsed(answerText)
  if (answer?.action === 'handover') return handOver('The assistant handed the chat over.')
  if (answer?.action !== 'answer' || typeof answer.text !== 'string')
    return handOver("The assistant's answer isn't valid.")
  const text = answer.text.trim()
  if (text === '') return handOver("The assistant's answer was empty.")
  if (isLonger(text, ANSWER_MAX))
    return handOver(`The assistant's answer was longer than ${ANSWER_MAX} characters.`)
  if (!linksOnlyTo(text, domains))
    return handOver("The assistant's answer had a web address that isn't in the list.")
  return { kind: 'answer', text }
}
