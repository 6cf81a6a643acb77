import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { sha256 } from '../../../core/values/digest.ts'
import type { Director } from '../behavior.ts'
import { invalidParameter } from '../graph-errors.ts'

/** A simulated person whom businesses message. */
export type Customer = {
  /** Digits; null for a customer whose number only the network knows. */
  phone: string | null
  userId: string
  username: string | null
  name: string | null
  /** Shows businesses only the user id (docs/formats.md section 11). */
  hidden: boolean
  /** When they last wrote to a business. */
  wroteAt: Date | null
  /** When they last came through an ad. */
  referredAt: Date | null
  /** They opted out of marketing. */
  marketingStopped: boolean
}

export type Customers = {
  /** Returns the customer by number (with or without +) or user id; creates unknown ones. */
  findOrCreate(key: string): Customer
  /** Returns the customer if known. */
  find(key: string): Customer | undefined
  /** Gives the customer another user id and returns the old one, which no longer reaches them. */
  rotate(customer: Customer): string
  /** Moves the customer to another number, and so to another user id. */
  move(customer: Customer, phone: string): { phone: string | null; userId: string }
  /** Returns a resolver of recipients that uses user ids if `userIds` returns true. */
  resolver(userIds: () => boolean): Director['resolve']
  list(): Customer[]
  clear(): void
}

const userIdForm = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/
const maxCustomers = 100_000

/**
 * Creates the people on the network. A user id is derived from the number until it is rotated, so every run
 * has the same ids.
 */
export function createCustomers(): Customers {
  const byKey = new Map<string, Customer>()
  const retired = new Set<string>()
  let rotations = 0

  const find = (key: string) => byKey.get(/^\+?\d+$/.test(key) ? key.replace(/\D/g, '') : key)

  function add(customer: Customer): Customer {
    if (byKey.size >= maxCustomers) byKey.delete(byKey.keys().next().value as string)
    if (customer.phone !== null) byKey.set(customer.phone, customer)
    byKey.set(customer.userId, customer)
    return customer
  }

  function findOrCreate(key: string): Customer {
    const existing = find(key)
    if (existing) return existing
    const phone = /^\+?\d+$/.test(key) ? key.replace(/\D/g, '') : null
    return add({
      phone,
      userId: phone === null ? key : userIdOf(phone, ''),
      username: null,
      name: null,
      hidden: phone === null,
      wroteAt: null,
      referredAt: null,
      marketingStopped: false,
    })
  }

  function rotate(customer: Customer): string {
    const old = customer.userId
    byKey.delete(old)
    retired.add(old)
    customer.userId = userIdOf(customer.phone ?? old, `${++rotations}`)
    byKey.set(customer.userId, customer)
    return old
  }

  return {
    findOrCreate,
    find,
    rotate,
    move(customer, phone) {
      const before = { phone: customer.phone, userId: customer.userId }
      if (customer.phone !== null) byKey.delete(customer.phone)
      customer.phone = phone.replace(/\D/g, '')
      byKey.set(customer.phone, customer)
      rotate(customer)
      return before
    },
    resolver: (userIds) => (recipient) => {
      if (recipient.waId !== null) {
        const userId = userIds() ? findOrCreate(recipient.waId).userId : null
        return { ok: true, recipient: { ...recipient, userId } }
      }
      const userId = recipient.userId ?? ''
      const customer = find(userId)
      if (retired.has(userId) || (userIds() && !customer) || !userIdForm.test(userId))
        return { ok: false, answer: invalidParameter('Recipient user id does not belong to this business.') }
      return {
        ok: true,
        recipient: { ...recipient, waId: customer && !customer.hidden ? customer.phone : null },
      }
    },
    list: () => [...new Set(byKey.values())],
    clear() {
      byKey.clear()
      retired.clear()
    },
  }
}

function userIdOf(phone: string, salt: string): string {
  const country = parsePhoneNumberFromString(`+${phone}`)?.country ?? 'US'
  const hash = sha256(`${phone} ${salt}`)
  return `${country}.${hash.readBigUInt64BE().toString().padStart(20, '1')}`
}
