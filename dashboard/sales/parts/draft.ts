/** Converts between the form of a document and the API's document. */
import type { Contact } from '../../../sdk/api.ts'
import type { DraftBody, NewDocument, SalesDocument } from '../queries.ts'
import { isHidden } from './hidden.ts'
import { minorOf, numberOf, typedMinor } from './money.ts'

type Line = NonNullable<DraftBody['lines']>[number]

export type LineDraft = {
  description: string
  hsn: string
  quantity: string
  unit: string
  price: string
  discount: string
  taxRate: string
  /** Fields that the form does not contain stay as they were. */
  kept: Pick<Line, 'cessRate' | 'discountMinor'>
}

export type Draft = {
  contactId: string
  name: string
  phone: string
  email: string
  gstin: string
  line1: string
  city: string
  state: string
  postalCode: string
  placeOfSupply: string
  issueDate: string
  /** The due date, or the last day a quotation is valid. */
  until: string
  reference: string
  notes: string
  terms: string
  lines: LineDraft[]
}

export const emptyLine = (): LineDraft => ({
  description: '',
  hsn: '',
  quantity: '1',
  unit: '',
  price: '',
  discount: '',
  taxRate: '',
  kept: {},
})

export const emptyDraft = (terms: string | null = null): Draft => ({
  contactId: '',
  name: '',
  phone: '',
  email: '',
  gstin: '',
  line1: '',
  city: '',
  state: '',
  postalCode: '',
  placeOfSupply: '',
  issueDate: '',
  until: '',
  reference: '',
  notes: '',
  terms: terms ?? '',
  lines: [emptyLine()],
})

/** Returns the fields of a contact. */
export const customerFields = ({ id, displayName, phone }: Contact) => ({
  contactId: id,
  ...(displayName && { name: displayName }),
  ...(phone && !isHidden(phone) && { phone }),
})

/** A hidden number or address stays out of the form, so that it isn't sent back. */
const shownText = (value: string | null): string => (isHidden(value) ? '' : toText(value))

const toText = (value: string | number | null | undefined): string => (value ? String(value) : '')

export const draftOf = (document: SalesDocument): Draft => {
  const { customer, currency } = document
  const address = customer.billingAddress
  return {
    contactId: toText(document.contactId),
    name: toText(customer.name),
    phone: shownText(customer.phone),
    email: shownText(customer.email),
    gstin: toText(customer.gstin),
    line1: toText(address?.line1),
    city: toText(address?.city),
    state: toText(address?.state),
    postalCode: toText(address?.postalCode),
    placeOfSupply: '',
    issueDate: toText(document.issueDate),
    until: toText('dueDate' in document ? document.dueDate : document.validUntil),
    reference: toText(document.reference),
    notes: toText(document.notes),
    terms: toText(document.terms),
    lines: document.lines.map((line) => ({
      description: line.description,
      hsn: toText(line.hsn),
      quantity: String(line.quantity),
      unit: line.unit,
      price: typedMinor(line.unitMinor, currency),
      discount: toText(line.discountPercent),
      taxRate: toText(line.taxRate),
      kept: {
        ...(line.cessRate !== undefined && { cessRate: line.cessRate }),
        ...(line.discountMinor !== undefined && { discountMinor: line.discountMinor }),
      },
    })),
  }
}

/** Returns a line for the API; undefined while it is incomplete. */
export function lineOf(line: LineDraft, currency: string): Line | undefined {
  const [quantity, unitMinor] = [numberOf(line.quantity), minorOf(line.price, currency)]
  const discount = line.discount.trim() === '' ? undefined : numberOf(line.discount)
  const { discountMinor, ...otherFields } = line.kept
  if (line.description.trim() === '' || !quantity || unitMinor === undefined) return undefined
  return {
    description: line.description.trim(),
    quantity,
    unitMinor,
    ...(line.hsn.trim() && { hsn: line.hsn.trim() }),
    ...(line.unit.trim() && { unit: line.unit.trim() }),
    taxRate: numberOf(line.taxRate) ?? 0,
    ...otherFields,
    ...(discount !== undefined
      ? { discountPercent: discount }
      : discountMinor !== undefined && { discountMinor }),
  }
}

const orNull = (value: string): string | null => value.trim() || null

/** Returns a customer's number or address for the API. Without a new value, a hidden one is left out, and stays. */
const sentText = (name: 'phone' | 'email', draft: Draft, before: SalesDocument | undefined) => {
  const value = orNull(draft[name])
  return value === null && isHidden(before?.customer[name]) ? {} : { [name]: value }
}

/** Returns all fields except the lines. `before` has the fields that the form does not contain. */
function fieldsOf(draft: Draft, kind: string, before: SalesDocument | undefined) {
  const { line1, city, state, postalCode } = draft
  const isAddressed = [line1, city, state, postalCode].some((part) => part.trim() !== '')
  const storedAddress = before?.customer.billingAddress
  return {
    customer: {
      name: orNull(draft.name),
      ...sentText('phone', draft, before),
      ...sentText('email', draft, before),
      gstin: orNull(draft.gstin),
      billingAddress: isAddressed
        ? {
            line1: line1.trim(),
            ...(storedAddress?.line2 && { line2: storedAddress.line2 }),
            city: city.trim(),
            state: state.trim(),
            postalCode: postalCode.trim(),
            country: storedAddress?.country ?? 'IN',
          }
        : null,
      shippingAddress: before?.customer.shippingAddress ?? null,
    },
    ...(draft.placeOfSupply.trim() && { placeOfSupply: draft.placeOfSupply.trim() }),
    [kind === 'quotation' ? 'validUntil' : 'dueDate']: orNull(draft.until),
    reference: orNull(draft.reference),
    notes: orNull(draft.notes),
    terms: orNull(draft.terms),
  }
}

type Kind = 'invoice' | 'proforma' | 'quotation'
type About = { kind: Kind; currency: string; before?: SalesDocument | undefined }

/**
 * Returns the draft for the API; incomplete lines are left out, so that totals can be computed during
 * editing.
 */
export function bodyOf(draft: Draft, { kind, currency, before }: About): NewDocument {
  const lines = draft.lines.flatMap((line) => lineOf(line, currency) ?? [])
  return {
    ...fieldsOf(draft, kind, before),
    contactId: draft.contactId || null,
    ...(draft.issueDate && { issueDate: draft.issueDate }),
    lines,
  }
}

/** Returns the draft for the next version of an issued document, whose contact and date stay. */
export function revisionOf(draft: Draft, about: About): DraftBody {
  const { contactId: _, issueDate: __, ...body } = bodyOf(draft, about)
  return body
}
