/**
 * The model of contacts by number, from the specification, and of how texts name them
 * (src/modules/messaging/contacts/DECISIONS.md "Merges").
 */
import { expect } from 'vitest'
import type { Body, TestParley, TestWorkspace } from '../support/boot.ts'
import type { ConnectedNumber } from '../support/operator-webhooks.ts'
import type { Browser } from '../support/sessions.ts'
import { NUMBERED, type NumberedPerson } from './numbers-people.ts'

/** A contact; after a merge, of several people. */
export type Known = { contactId: string; stopped: boolean; isLead: boolean; sent: string[] }
/** `shown`: the numbers of each person as replies showed them. */
export type Model = { contacts: Map<NumberedPerson, Known>; shown: Map<NumberedPerson, string[]> }

/** The clients and records that the inputs use. */
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
 * A text that names a person: a full number, or ten digits, which mean the stored person, else depend on the
 * input's country. `nth`: replaces the text with one of the person's numbers from replies.
 */
export type Text = { text: string; person: NumberedPerson | undefined; nth: number | undefined }
/** Digits, and the country in another field. */
export type Beside = { digits: string; country: string; person: NumberedPerson }

const [asha, bob] = NUMBERED as [NumberedPerson, NumberedPerson]

/**
 * Returns the person that a text means. `sending`: the input has a sending number, whose country applies to
 * new bare numbers.
 */
export function personMeant(
  { contacts }: Model,
  { person }: Text,
  { sending }: { sending: boolean },
): NumberedPerson {
  if (person) return person
  if (contacts.has(asha)) return asha
  if (contacts.has(bob)) return bob
  return sending ? bob : asha
}

/** Returns the text to send. */
export function textOf({ shown }: Model, { text, person, nth }: Text): string {
  const texts = (person && shown.get(person)) ?? []
  return nth === undefined || texts.length === 0 ? text : texts[nth % texts.length]!
}

const personOf = (phone: string): NumberedPerson | undefined =>
  NUMBERED.find(({ spellings }) => spellings.includes(phone.startsWith('+') ? phone : `+${phone}`))

const NUMBER_FIELDS = ['phone', 'e164', 'to', 'mergedPhone']

/** Records every customer's number that a reply shows. */
export function noteShown(model: Model, body: Body): void {
  if (Array.isArray(body)) for (const row of body) noteShown(model, row)
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

/** Returns the people of a contact. */
const peopleOf = ({ contacts }: Model, contact: Known): NumberedPerson[] =>
  [...contacts].filter(([, other]) => other === contact).map(([person]) => person)

/** Compares the contact of an answer with the model; a new person gets the ID from the answer. */
export async function compare(
  model: Model,
  { shop }: Sides,
  person: NumberedPerson,
  contactId: string,
): Promise<Known> {
  const before = model.contacts.get(person)
  if (before) expect([person.name, contactId]).toEqual([person.name, before.contactId])
  const contactState = before ?? { contactId, stopped: false, isLead: false, sent: [] }
  model.contacts.set(person, contactState)
  const { contact } = (await shop.get(`/contacts/${contactId}`)).body
  noteShown(model, contact)
  expect(peopleOf(model, contactState).flatMap(({ spellings }) => spellings)).toContain(contact.e164)
  return contactState
}

/** Merges two people: `target` has the contact. */
export function join(model: Model, target: NumberedPerson, merged: NumberedPerson): void {
  const [first, other] = [model.contacts.get(target)!, model.contacts.get(merged)!]
  if (first === other) return
  const people = peopleOf(model, other)
  first.stopped ||= other.stopped
  first.isLead ||= other.isLead
  first.sent.push(...other.sent)
  for (const person of people) model.contacts.set(person, first)
}

/** Erases a person's contact. */
export function forget(model: Model, person: NumberedPerson): void {
  const contact = model.contacts.get(person)
  if (contact) for (const other of peopleOf(model, contact)) model.contacts.delete(other)
}

/** Returns the IDs of all contacts. */
export const contactIds = ({ contacts }: Model): string[] =>
  [...new Set([...contacts.values()].map(({ contactId }) => contactId))].sort()
