import { Badge, type Tone } from '../../kit/badge.tsx'
import type { Webhook } from '../queries.ts'
import { t } from '../texts.ts'

const TONES: Record<Webhook['state'], Tone> = {
  active: 'good',
  paused: 'plain',
  disabled: 'bad',
  stopped: 'bad',
}

export const StateBadge = ({ state }: { state: Webhook['state'] }) => (
  <Badge tone={TONES[state]}>{t(`webhook.${state}`)}</Badge>
)
