/** Names bots and nodes for lists. */
import type { Bot } from '../../../sdk/api.ts'
import { language } from '../../texts.ts'
import { type Node, OPTION } from '../script.ts'
import { t } from '../texts.ts'

const NAME_MAX = 48
const shorten = (text: string): string => {
  const [line = ''] = text.trim().split('\n')
  return line.length > NAME_MAX ? `${line.slice(0, NAME_MAX)}…` : line
}

/** The kinds of values for a condition or an answer; some also have a name. */
export const PLACES = [
  'answers',
  'contact.name',
  'contact.attributes',
  'contact.tags',
  'contact.phone',
  'message.text',
  'now.open',
] as const
export type Place = (typeof PLACES)[number]
export const parseTarget = (path: string): { place: Place; key: string } => {
  const place = PLACES.find((prefix) => path === prefix || path.startsWith(`${prefix}.`)) ?? 'answers'
  return { place, key: path.slice(place.length + 1) }
}
/** Returns whether a kind has several values, each with a name. */
export const isNamed = (place: Place): boolean => place === 'answers' || place === 'contact.attributes'

const formatPlace = (path: string): string => {
  const { place, key } = parseTarget(path)
  return isNamed(place) ? `“${key}”` : t(`place.${place}`)
}

/** Describes a node briefly. */
export function formatNode(node: Node): string {
  switch (node.type) {
    case 'message':
    case 'buttons':
    case 'list':
    case 'ask':
      return shorten(node.text)
    case 'condition': {
      const value = node.field === 'now.open' ? t(`open.${node.value === 'true'}`) : node.value
      return shorten(
        `${formatPlace(node.field)} ${t(`is.${node.is}`)} ${node.is.endsWith('empty') ? '' : value}`,
      )
    }
    case 'action': {
      const { action } = node
      const about = 'tags' in action ? action.tags.join(', ') : 'note' in action ? (action.note ?? '') : ''
      return shorten(about ? `${t(`do.${action.type}`)}: ${about}` : t(`do.${action.type}`))
    }
    case 'request':
      return shorten(`${node.method} ${node.url}`)
    case 'ai':
      return shorten(node.instructions)
    case 'handover':
      return node.note ? shorten(node.note) : t('about.handover')
    case 'end':
      return t('about.end')
  }
}

/** Returns the label of an exit of a node. */
export function exitLabel(node: Node, key: string): string {
  if ('options' in node) return node.options.find(({ id }) => `${OPTION}${id}` === key)?.title ?? ''
  if (node.type === 'ai') return t('exit.handed')
  if (node.type === 'request') return t(key === 'next' ? 'exit.answered' : 'exit.failed')
  return t(key === 'next' ? 'exit.yes' : 'exit.no')
}

/** Describes how a bot starts. */
export function formatStart({
  keywords,
  patterns,
  newConversation,
  default: isDefault,
}: Bot['entry']): string {
  const starts = [
    ...(keywords.length > 0
      ? [t('begins.keywords', { keywords: keywords.map((keyword) => `“${keyword}”`).join(t('begins.or')) })]
      : []),
    ...(patterns.length > 0
      ? [t('begins.patterns', { patterns: patterns.map((pattern) => `“${pattern}”`).join(t('begins.or')) })]
      : []),
    ...(newConversation ? [t('begins.newConversation')] : []),
    ...(isDefault ? [t('begins.default')] : []),
  ]
  const text = starts.length > 0 ? starts.join(', ') : t('begins.never')
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}
