import { isObject } from '../../../../core/storable.ts'

type Content = Record<string, unknown>

const textIn = (value: unknown, key: string): string | null => {
  const text = isObject(value) ? value[key] : undefined
  return typeof text === 'string' && text !== '' ? text : null
}

/** What the answer to one of our interactive messages says. */
const answers: Record<string, string> = { button_reply: 'title', list_reply: 'title', nfm_reply: 'body' }

function interactiveWords(content: Content): string | null {
  const kind = String(content.type)
  const answer = answers[kind]
  return answer === undefined ? textIn(content.body, 'text') : textIn(content[kind], answer)
}

/**
 * What a message of any kind says in words: the text, the caption, the body of what was sent, the answer that was
 * tapped; null where it says nothing. A template's body was filled when it was sent.
 */
export function messageWords(type: string, content: Content, templateText: string | null): string | null {
  switch (type) {
    case 'text':
      return textIn(content, 'body')
    case 'template':
      return templateText
    case 'interactive':
      return interactiveWords(content)
    case 'reaction':
      return textIn(content, 'emoji')
    case 'button':
    case 'order':
      return textIn(content, 'text')
    case 'location':
      return textIn(content, 'name') ?? textIn(content, 'address')
    default:
      return textIn(content, 'caption')
  }
}
