/** Handles the draft of a booking, and the request body built from it. */
import type { BookingService } from '../../../sdk/api.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import type { NewBookingBody } from '../queries.ts'
import { t } from '../texts.ts'

export type Draft = {
  serviceId: string
  /** Empty: any free person. */
  staffId: string
  day: string
  /** Allows times outside of hours and notice. */
  force: boolean
  startAt: string | undefined
  /** An existing contact; otherwise number and name are typed. */
  contact: { id: string; name: string } | undefined
  phone: string
  name: string
  email: string
  partySize: string
  advance: 'request' | 'waive'
  answers: Record<string, string>
  notes: string
  notify: boolean
}
export type Faults = Record<string, string | undefined>

export const emptyDraft = (day: string): Draft => ({
  serviceId: '',
  staffId: '',
  day,
  force: false,
  startAt: undefined,
  contact: undefined,
  phone: '',
  name: '',
  email: '',
  partySize: '1',
  advance: 'request',
  answers: {},
  notes: '',
  notify: true,
})

export const seatsOf = ({ partySize }: Draft): number => Math.max(1, Math.trunc(Number(partySize)) || 1)

/** Returns the missing fields, before a request is sent. */
export function missingIn({ startAt, contact, phone, name }: Draft): Faults {
  return {
    ...(!startAt && { startAt: t('slots.missing') }),
    ...(!contact && phone.trim() === '' && { phone: t('field.phone.missing') }),
    ...(!contact && name.trim() === '' && { name: t('field.name.missing') }),
  }
}

export function bodyOf(draft: Draft, service: BookingService): NewBookingBody {
  const { staffId, startAt, contact, phone, name, email, notes } = draft
  const answers = Object.entries(draft.answers).filter(
    ([label, answer]) =>
      answer.trim() !== '' && service.questions.some((question) => question.label === label),
  )
  return {
    serviceId: service.id,
    startAt: startAt as string,
    ...(staffId && { staffId }),
    ...(contact ? { contactId: contact.id } : { phone: phone.trim(), name: name.trim() }),
    ...(email.trim() && { email: email.trim() }),
    ...(notes.trim() && { notes: notes.trim() }),
    ...(answers.length > 0 && { answers: Object.fromEntries(answers) }),
    partySize: seatsOf(draft),
    ...(service.advance && { advance: draft.advance }),
    ...(draft.force && { force: true }),
    notify: draft.notify,
  }
}

/** Returns the server's errors by field; other errors are under `root`. */
export function faultsOf(error: unknown): Faults {
  const issues = error instanceof ApiError ? error.issues : []
  const shown = issues.filter(({ path }) => SHOWN.has(path) || path.startsWith('answers.'))
  if (shown.length === 0) return { root: messageOf(error) }
  return Object.fromEntries(shown.map(({ path, message }) => [path, message]))
}
const SHOWN = new Set(['startAt', 'phone', 'name', 'email', 'partySize', 'notes'])
