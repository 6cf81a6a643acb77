/** Finds the file that a message of an exported chat names. */
import { plainText } from './line-header.ts'

/**
 * `<attached: 00000012-PHOTO.jpg>` on one kind of phones, in many languages. A document has its name and its number of pages before
 * it on the same line.
 */
const IN_BRACKETS = /^(.{0,1000}?) ?<[^<>:：]{1,40}[:：] ?([^<>]{1,200})>$/
/** `IMG-20231231-WA0001.jpg (file attached)` on the other. */
const BEFORE_WORDS = /^(.{1,200}\.[A-Za-z0-9]{2,5}) ?[(（][^()（）]{1,60}[)）]$/
/** `Bill.pdf • 3 pages`, which repeats the file's name. */
const NAME_AND_PAGES = /^.{1,200}\.[A-Za-z0-9]{2,5} • /

const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  amr: 'audio/amr',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  txt: 'text/plain',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

/** Returns the media type of a file name; undefined for types that chats do not carry. */
export const mediaTypeOf = (filename: string): string | undefined =>
  TYPES[filename.split('.').at(-1)!.toLowerCase()]

/** Returns the name of the file in a message and the text below it, if `has` knows the file. */
export function attachmentIn(
  text: string,
  has: (filename: string) => boolean,
): { filename: string; caption: string } | undefined {
  const lines = text.split('\n')
  for (const [place, line] of [lines[0]!, lines.at(-1)!].entries()) {
    const plain = plainText(line).trim()
    const [, before = '', inBrackets] = IN_BRACKETS.exec(plain) ?? []
    const filename = (inBrackets ?? BEFORE_WORDS.exec(plain)?.[1])?.trim().normalize('NFC')
    if (filename === undefined || !has(filename)) continue
    const written = NAME_AND_PAGES.test(before) ? '' : before
    const others = place === 0 ? [written, ...lines.slice(1)] : [...lines.slice(0, -1), written]
    return { filename, caption: plainText(others.join('\n')).trim() }
  }
  return undefined
}

// cspell:disable
/** Notices of the app that look like messages of the customer on one kind of phones. */
const NOTICE =
  /end-to-end|ende-zu-ende|de extremo a extremo|de bout en bout|de ponta a ponta|end-to-end-versleuteld|end-to-end crittografati|uçtan uca|सिरे-से-सिरे|端到端|端對端|エンドツーエンド|종단간|сквозн/i
// cspell:enable

/**
 * Returns whether a text is a notice of the app. It begins with a mark, and says how the chat is encrypted or names the customer:
 * "Asha Rao changed their phone number." A line with a bullet is about a file, which may have the customer's name.
 */
export function isNotice(text: string, customer: string | null): boolean {
  if (!text.startsWith('\u200e')) return false
  const head = plainText(text.slice(0, 400))
  const names = customer !== null && customer.length > 2 && !/[•<]/.test(head) && head.includes(customer)
  return names || NOTICE.test(head)
}
