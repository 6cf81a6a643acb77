/** Who is known by which number, as the specification says it, and how texts name them (docs/decisions/merging-contacts.md). */
import { expect } from 'vitest'
import type { Body, TestParley, TestWorkspace } from '../support/boot.ts'
import type { ConnectedNumber } from '../support/operator-webhooks.ts'
import type { Browser } from '../support/sessions.ts'
import { NUMBERED, type NumberedPerson } from './numbers-people.ts'

/** A contact: after a merge, that of several people. */
export type Known = { contactId: string; stopped: boolean; isLead: boolean; sent: string[] }
/** `shown`: how replies wrote the numbers of each person. */
export type Model = { known: Map<NumberedPerson, Known>; shown: Map<NumberedPerson, string[]> }

/** Everything that a way in goes through. */
export type Sides = {
  parley: TestParley
  shop: TestWorkspace
  browser: Browser
  number: ConnectedNumber
  bookingPath: string
  serviceId: string
  quotationId: string
  flowId: string
  socialChatId: string
}

/**
 * A text that names a person: a full number, or ten digits that mean whoever is stored, else a country that the way in decides.
 * `nth`: in place of the text, one of the numbers that replies showed of the person.
 */
export type Text = { text: string; person: NumberedPerson | undefined; nth: number | undefined }
/** Digits, and the country beside them. */
export type Beside = { digits: string; country: string; person: NumberedPerson }

const [asha, bob] = NUMBERED as [NumberedPerson, NumberedPerson]

/** Who a text means. `sending`: the way in knows the sending number, whose country a new bare number takes. */
export function meant({ known }: Model, { person }: Text, { sending }: { sending: boolean }): NumberedPerson {
  if (person) return person
  if (known.has(asha)) return asha
  if (known.has(bob)) return bob
  return sending ? bob : asha
}

/** The text as it is sent. */
export function textOf({ shown }: Model, { text, person, nth }: Text): string {
  const texts = (person && shown.get(person)) ?? []
  return nth === undefined || texts.length === 0 ? text : texts[nth % texts.length]!
}

const personOf = (phone: string): NumberedPerson | undefined =>
  NUMBERED.find(({ spellings }) => spellings.includes(phone.startsWith('+') ? phone : `+${phone}`))

const NUMBER_FIELDS = ['phone', 'e164', 'to', 'mergedPhone']

/** Remembers every number of a customer that a reply shows. */
export function noteShown(model: Model, body: Body): void {
  if (Array.isArray(body)) for (const one of body) noteShown(model, one)
  else if (typeof body === 'object' && body !== null)
    for (const [field, value] of Object.entries(body)) {
      if (typeof value === 'string' && NUMBER_FIELDS.includes(field)) noteNumber(model, value)
      else noteShown(model, value)
    }
}

function noteNumber({ shown }: Model, text: string): void {
  const person = personOf(text)
  if (!person) return
  const texts = shown.get(person) ?? []
  if (!texts.includes(text)) shown.set(person, [...texts, text])
}

/** Those whose contact it is. */
const peopleOf = ({ known }: Model, contact: Known): NumberedPerson[] =>
  [...known].filter(([, one]) => one === contact).map(([person]) => person)

/** Holds the contact of an answer to the model; a new person takes the id from it. */
export async function compare(
  model: Model,
  { shop }: Sides,
  person: NumberedPerson,
  contactId: string,
): Promise<Known> {
  const before = model.known.get(person)
  if (before) expect([person.name, contactId]).toEqual([person.name, before.contactId])
  const known = before ?? { contactId, stopped: false, isLead: false, sent: [] }
  model.known.set(person, known)
  const { contact } = (await shop.get(`/contacts/${contactId}`)).body
  noteShown(model, contact)
  expect(peopleOf(model, known).flatMap(({ spellings }) => spellings)).toContain(contact.e164)
  return known
}

/** Two people are one from now on: `kept` has the contact. */
export function join(model: Model, kept: NumberedPerson, merged: NumberedPerson): void {
  const [one, other] = [model.known.get(kept)!, model.known.get(merged)!]
  if (one === other) return
  const people = peopleOf(model, other)
  one.stopped ||= other.stopped
  one.isLead ||= other.isLead
  one.sent.push(...other.sent)
  for (const person of people) model.known.set(person, one)
}

/** The contact of a person is erased. */
export function forget(model: Model, person: NumberedPerson): void {
  const contact = model.known.get(person)
  if (contact) for (const one of peopleOf(model, contact)) model.known.delete(one)
}

/** Ids of the contacts that there are. */
export const contactIds = ({ known }: Model): string[] =>
  [...new Set([...known.values()].map(({ contactId }) => contactId))].sort()
