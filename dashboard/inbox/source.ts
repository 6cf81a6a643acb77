/** Names the sources of messages and of changes. */
import type { Message, Source } from '../../sdk/api.ts'
import { t } from './texts.ts'

type Named = { id: string; name: string }

/** Returns the name of a source, as one phrase. `me`: the member who reads. `team`: names members of old messages. */
export function sourceName({ kind, id, name }: Source, me: string, team: readonly Named[]): string {
  if (kind !== 'member') return name ? t(`source.${kind}.named`, { name }) : t(`source.${kind}`)
  if (id === me) return t('bubble.you')
  return name ?? team.find((member) => member.id === id)?.name ?? t('source.member')
}

/** Returns the source of a message; undefined for a customer's, and for an old one without a known source. */
export const sourceOf = ({ source, direction }: Message): Source | undefined =>
  direction === 'outbound' && source ? source : undefined
