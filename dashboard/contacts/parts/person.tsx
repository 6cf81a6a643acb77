import type { Contact } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'
import type { Consent } from '../view.ts'

const TONES: Record<Consent, Tone> = { unknown: 'plain', opted_in: 'good', opted_out: 'bad' }

export const ConsentBadge = ({ consent }: { consent: Consent }) => (
  <Badge tone={TONES[consent]}>{t(`consent.${consent}`)}</Badge>
)

/** Returns the name of a contact, otherwise the number. */
export const nameOf = ({ displayName, username, e164, phone }: Contact): string =>
  displayName ?? username ?? (e164 || phone)
