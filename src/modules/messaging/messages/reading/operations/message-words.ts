import { isObject } from '../../../../../core/values/storable.ts'

type Content = Record<string, unknown>

const textIn = (value: unknown, key: string): string | null => {
  const text = isObject(value) ? value[key] : undefined
  return typeof text === 'string' && text !== '' ? text : null
}

/** The field with the text in the answer to one of our interactive messages. */
const answers: Record<string, string> = { button_reply: 'title', list_reply: 'title', nfm_reply: 'body' }

function interactiveWords(content: Content): string | null {
  const kind = String(content.type)
  const answer = answers[kind]
  return answer === undefined ? textIn(content.body, 'text') : textIn(content[kind], answer)
}

/**
 * Returns the text of a message of any type: text, caption, body, or tapped answer; null without text.
 * `templateText` is the template's body as filled when it was sent.
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
