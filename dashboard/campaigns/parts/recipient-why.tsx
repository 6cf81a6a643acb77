/** The button that shows why a recipient got no message, or what happened to the message. */
import type { Broadcast, BroadcastRecipient } from '../../../sdk/api.ts'
import { WhyButton } from '../../trace/parts/why-button.tsx'
import { t as trace } from '../../trace/texts.ts'
import { reasonOf } from './state.tsx'

type Props = { campaign: Broadcast; recipient: BroadcastRecipient }

export function RecipientWhy({ campaign, recipient }: Props) {
  const { messageId, name, phone, status, reason } = recipient
  const label = name ?? phone
  if (messageId) return <WhyButton name={label} messageId={messageId} />
  if (status !== 'skipped') return null
  const started = {
    at: campaign.startedAt,
    text: trace('recipient.started'),
    details: [],
    tone: 'plain' as const,
  }
  const skipped = {
    at: null,
    text: trace('recipient.skipped'),
    details: reason ? [reasonOf(reason)] : [],
    tone: 'warn' as const,
  }
  return <WhyButton name={label} title={trace('why.recipient')} lines={[started, skipped]} />
}
