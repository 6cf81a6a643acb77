/** Decides about an assistant's text for a member: a text to show, or a failure. Pure. */
import { isLonger } from '../core/values/cut-text.ts'
import type { WritingTask, WrittenText } from './port.ts'
import { linksOnlyTo, parsed } from './read-answer.ts'
import { domainsOf } from './task-domains.ts'
import { TEXT_MAX } from './write-frame.ts'

const failed = (reason: string): WrittenText => ({ kind: 'failed', why: reason })

/** Control characters except tabs and line breaks, and the marks that change the direction of later text. */
const UNSEEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const KEPT = ['\n', '\t']

const cleaned = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (mark) => (KEPT.includes(mark) ? mark : ''))
    .trim()

/** Returns the text with a mark in place of each address that isn't in `domains`. */
const withoutLinks = (text: string, domains: readonly string[]): string =>
  text.replace(/\S+/gu, (part) => (linksOnlyTo(part, domains) ? part : '[link]'))

/** Reads the assistant's text for `task`. */
export function readText(answerText: string, task: WritingTask): WrittenText {
  const answer = parsed(answerText)
  if (answer?.text === null) return failed('The assistant has no text for this chat.')
  if (typeof answer?.text !== 'string') return failed("The assistant's answer isn't valid.")
  const text = cleaned(answer.text)
  if (text === '') return failed("The assistant's answer was empty.")
  if (isLonger(text, TEXT_MAX))
    return failed(`The assistant's answer was longer than ${TEXT_MAX} characters.`)
  const domains = domainsOf(task)
  if (task.kind === 'summary') return { kind: 'text', text: withoutLinks(text, domains) }
  return linksOnlyTo(text, domains)
    ? { kind: 'text', text }
    : failed("The assistant's draft had a web address that your business hasn't used.")
}
