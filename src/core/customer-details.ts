/**
 * Marks the fields of schemas that contain a customer's phone number or email address, and masks them for the callers from
 * whom an owner hides them (src/modules/platform/access/DECISIONS.md "Hidden numbers and email addresses"). A mark belongs
 * to a schema, so every endpoint that uses the schema is covered.
 */
import { z } from 'zod'
import type { Actor, Role, Workspace } from './context.ts'
import { refuse } from './errors.ts'
import { hideEmail, hideInside, hidePhone, hideWhole } from './values/hidden-texts.ts'

/**
 * - `phone`, `email`: the text is a number or an address.
 * - `name`: masked if the text as a whole is a number or an address, as names of unknown customers are.
 * - `text`: every number and address inside the text is masked.
 * - `data`: any JSON; texts are masked as names are, and by the names of their keys.
 * - `page`: the address of a page that shows a customer's details to them; hidden callers receive null.
 */
type DetailKind = 'phone' | 'email' | 'name' | 'text' | 'data' | 'page'

const marks = z.registry<{ kind: DetailKind }>()

const marked =
  (kind: DetailKind) =>
  <Schema extends z.ZodType>(schema: Schema): Schema => {
    // A copy, because others may use the same schema for other values.
    const copy = schema.clone() as Schema
    marks.add(copy, { kind })
    return copy
  }

/** Marks a customer's phone number. */
export const customerPhone = marked('phone')
/** Marks a customer's email address. */
export const customerEmail = marked('email')
/** Marks a customer's name, which may be a number. */
export const customerName = marked('name')
/** Marks a text that Parley or a form writes around numbers and addresses. */
export const customerText = marked('text')
/** Marks the address of a page that shows a customer's details. The schema must accept null. */
export const customerPage = marked('page')
/** Marks any JSON about customers. */
export const customerData = marked('data')

/** Returns a masked copy of a value. */
type Mask = (value: unknown) => unknown

const forTexts =
  (mask: (text: string) => string): Mask =>
  (value) =>
    typeof value === 'string' ? mask(value) : value

const PHONE_KEYS = new Set(['phone', 'e164', 'to', 'from', 'recipient', 'wa_id', 'sentTo'])
/** Keys of members, whose addresses stay. */
const TEAM_KEYS = new Set(['owner', 'assignee', 'actor', 'author', 'member'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function maskData(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return PHONE_KEYS.has(key) ? hideWhole(hidePhone(value)) : hideWhole(value)
  if (Array.isArray(value)) return value.map((element) => maskData(element, key))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      TEAM_KEYS.has(name) && isObject(field) ? field : maskData(field, name),
    ]),
  )
}

const MASKS: Record<DetailKind, Mask> = {
  phone: forTexts(hidePhone),
  email: forTexts(hideEmail),
  name: forTexts(hideWhole),
  text: forTexts(hideInside),
  data: (value) => maskData(value),
  page: () => null,
}

const inTurn = (masks: (Mask | undefined)[]): Mask | undefined => {
  const [first, ...others] = masks.filter((mask) => mask !== undefined)
  return first && others.reduce<Mask>((before, mask) => (value) => mask(before(value)), first)
}

const inFields = (fields: [string, Mask][]): Mask => {
  return (value) => {
    if (!isObject(value)) return value
    const copy = { ...value }
    for (const [name, mask] of fields) if (name in copy) copy[name] = mask(copy[name])
    return copy
  }
}

const inElements =
  (mask: Mask): Mask =>
  (value) =>
    Array.isArray(value) ? value.map(mask) : value

const inValues =
  (mask: Mask): Mask =>
  (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mask(field)]))
      : value

const known = new WeakMap<z.ZodType, Mask | null>()

/** Returns the mask of a schema; undefined if it contains no marked field. It is built once. */
export function maskOf(schema: z.ZodType): Mask | undefined {
  const built = known.get(schema)
  if (built !== undefined) return built ?? undefined
  // A schema that contains itself is masked by the outer walk.
  known.set(schema, (value) => known.get(schema)?.(value) ?? value)
  const mask = buildMask(schema)
  known.set(schema, mask ?? null)
  return mask
}

function buildMask(schema: z.ZodType): Mask | undefined {
  const mark = marks.get(schema)
  if (mark) return MASKS[mark.kind]
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.def.shape).flatMap(([name, field]): [string, Mask][] => {
      const mask = maskOf(field as z.ZodType)
      return mask ? [[name, mask]] : []
    })
    return fields.length === 0 ? undefined : inFields(fields)
  }
  if (schema instanceof z.ZodArray) {
    const mask = maskOf(schema.element as z.ZodType)
    return mask && inElements(mask)
  }
  if (schema instanceof z.ZodRecord) {
    const mask = maskOf(schema.valueType as z.ZodType)
    return mask && inValues(mask)
  }
  if (schema instanceof z.ZodUnion) return inTurn(schema.options.map((option) => maskOf(option as z.ZodType)))
  if (schema instanceof z.ZodIntersection)
    return inTurn([schema.def.left, schema.def.right].map((part) => maskOf(part as z.ZodType)))
  if (schema instanceof z.ZodPipe)
    return inTurn([schema.def.in, schema.def.out].map((part) => maskOf(part as z.ZodType)))
  if (schema instanceof z.ZodLazy) return maskOf(schema.unwrap() as z.ZodType)
  const inner = (schema.def as { innerType?: z.ZodType }).innerType
  return inner && maskOf(inner)
}

/** A caller, or another reader with a role. The platform has none. */
type Reader = { workspace: Pick<Workspace, 'detailsHiddenFrom'>; actor: Actor | { role: Role } }

/** Whether customers' numbers and addresses are hidden from the reader. */
export const hidesDetails = ({ workspace: { detailsHiddenFrom }, actor }: Reader): boolean =>
  detailsHiddenFrom.length > 0 && 'role' in actor && detailsHiddenFrom.includes(actor.role)

/** Returns a value of `schema` as the reader may see it, for files and pushes, which no reply's schema describes. */
export function shownTo<Value>(reader: Reader, schema: z.ZodType, value: Value): Value {
  if (!hidesDetails(reader)) return value
  return (maskOf(schema)?.(value) ?? value) as Value
}

/**
 * Refuses `forbidden` to replace or remove a number or an address that the caller can't see. A missing one may be added.
 * `after`: undefined if it does not change.
 */
export function refuseHiddenChange(
  reader: Reader,
  field: string,
  before: string | null,
  after: string | null | undefined,
): void {
  if (after === undefined || after === before || before === null || !hidesDetails(reader)) return
  refuse(
    'forbidden',
    `${field}: Customers' phone numbers and email addresses are hidden from your role, so you can't change a stored one. Leave the field out, or ask an admin.`,
    { required: 'admin' },
  )
}

const MASKED = /^\+?\d{0,3}•{2,}\d{2}$|^.•{3}@/u

/** Returns the path of the first masked text in a request, which would replace the real one; undefined without one. */
export function findMasked(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return MASKED.test(value) ? path : undefined
  if (Array.isArray(value))
    return value
      .map((element, i) => findMasked(element, `${path}[${i}]`))
      .find((found) => found !== undefined)
  if (!isObject(value)) return undefined
  for (const [name, field] of Object.entries(value)) {
    const found = findMasked(field, path === '' ? name : `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
