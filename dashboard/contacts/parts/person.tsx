import type { Contact } from '../../../sdk/api.ts'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { t } from '../texts.ts'
import type { Consent } from '../view.ts'

const TONES: Record<Consent, Tone> = { unknown: 'plain', opted_in: 'good', opted_out: 'bad' }

export const ConsentBadge = ({ consent }: { consent: Consent }) => (
  <Badge tone={TONES[consent]}>{t(`consent.${consent}`)}</Badge>
)

export const numberOf = ({ e164, phone }: Contact): string => e164 || phone

/** Returns the name of a contact, otherwise the number. */
export const nameOf = (contact: Contact): string =>
  contact.displayName ?? contact.username ?? numberOf(contact)
