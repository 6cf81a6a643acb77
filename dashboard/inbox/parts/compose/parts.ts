/** Checks messages that are built from parts, and writes them in the operator's format. */
import type { SendInteractive, SendLocation } from '../../../../sdk/api.ts'
import { payloadLimits } from '../../../../sdk/payload-limits.ts'
import type { ButtonsPart, ListPart, ListRow, LocationPart, Part, ProductPart } from './part-shape.ts'

const { button, list, location, product } = payloadLimits

/** The operator's limits, by field. */
export const LIMITS = {
  buttons: {
    header: button.header.text.maxLength,
    text: button.body.text.maxLength,
    footer: button.footer.text.maxLength,
    button: button.action.buttons.items.reply.title.maxLength,
    count: button.action.buttons.maxItems,
  },
  list: {
    header: list.header.text.maxLength,
    text: list.body.text.maxLength,
    footer: list.footer.text.maxLength,
    button: list.action.button.maxLength,
    section: list.action.sections.items.title.maxLength,
    sections: list.action.sections.maxItems,
    row: list.action.sections.items.rows.items.title.maxLength,
    description: list.action.sections.items.rows.items.description.maxLength,
    /** The maximum of all sections together. */
    rows: list.action.sections.items.rows.maxItems,
  },
  location: { name: location.name.maxLength, address: location.address.maxLength },
  product: {
    catalogId: product.action.catalog_id.maxLength,
    productId: product.action.product_retailer_id.maxLength,
    text: product.body.text.maxLength,
    footer: product.footer.text.maxLength,
  },
} as const

export const rowsOf = ({ sections }: ListPart): ListRow[] => sections.flatMap(({ rows }) => rows)

/** Returns the length of a text as the operator counts it: an emoji of two units is one character. */
export const lengthOf = (text: string): number => Array.from(text).length

/** A fault of a field: `missing`, `tooLong`, `repeated`, or `range`. */
export type Fault = 'missing' | 'tooLong' | 'repeated' | 'range'
/** The faults of the fields, by path, such as `sections.0.rows.1.title`. */
export type Faults = Record<string, Fault>

const faultOf = (text: string, max: number, isRequired: boolean): Fault | undefined =>
  isRequired && text.trim() === '' ? 'missing' : lengthOf(text.trim()) > max ? 'tooLong' : undefined

type Field = [path: string, text: string, max: number, isRequired?: boolean]
const faultsOfFields = (fields: Field[]): Faults =>
  Object.fromEntries(
    fields.flatMap(([path, text, max, isRequired = false]) => {
      const fault = faultOf(text, max, isRequired)
      return fault ? [[path, fault]] : []
    }),
  )

/** Returns the paths whose text appears at an earlier path. */
function repeatedIn(fields: [path: string, text: string][]): Faults {
  const seen = new Set<string>()
  const faults: Faults = {}
  for (const [path, text] of fields) {
    const typed = text.trim()
    if (typed !== '' && seen.has(typed)) faults[path] = 'repeated'
    seen.add(typed)
  }
  return faults
}

function buttonsFaults({ header, text, footer, buttons }: ButtonsPart): Faults {
  const max = LIMITS.buttons
  const titles = buttons.map((title, index): [string, string] => [`buttons.${index}`, title])
  return {
    ...repeatedIn(titles),
    ...faultsOfFields([
      ['header', header, max.header],
      ['text', text, max.text, true],
      ['footer', footer, max.footer],
      ...titles.map(([path, title]): Field => [path, title, max.button, true]),
    ]),
  }
}

function listFaults({ header, text, footer, button, sections }: ListPart): Faults {
  const max = LIMITS.list
  return {
    ...faultsOfFields([
      ['header', header, max.header],
      ['text', text, max.text, true],
      ['footer', footer, max.footer],
      ['button', button, max.button, true],
      ...sections.flatMap(({ title, rows }, index): Field[] => [
        [`sections.${index}.title`, title, max.section, sections.length > 1],
        ...rows.flatMap((row, place): Field[] => [
          [`sections.${index}.rows.${place}.title`, row.title, max.row, true],
          [`sections.${index}.rows.${place}.description`, row.description, max.description],
        ]),
      ]),
    ]),
  }
}

/** Returns a typed coordinate; undefined unless it is a number in its range. */
export function coordinateOf(text: string, max: number): number | undefined {
  const typed = text.trim().replace(',', '.')
  const value = Number(typed)
  return typed !== '' && Number.isFinite(value) && Math.abs(value) <= max ? value : undefined
}
export const LATITUDE_MAX = 90
export const LONGITUDE_MAX = 180

function locationFaults({ name, address, latitude, longitude }: LocationPart): Faults {
  const faults = faultsOfFields([
    ['name', name, LIMITS.location.name],
    ['address', address, LIMITS.location.address],
  ])
  for (const [path, text, max] of [
    ['latitude', latitude, LATITUDE_MAX],
    ['longitude', longitude, LONGITUDE_MAX],
  ] as const)
    if (text.trim() === '') faults[path] = 'missing'
    else if (coordinateOf(text, max) === undefined) faults[path] = 'range'
  return faults
}

function productFaults({ catalogId, productId, text, footer }: ProductPart): Faults {
  const max = LIMITS.product
  return faultsOfFields([
    ['catalogId', catalogId, max.catalogId, true],
    ['productId', productId, max.productId, true],
    ['text', text, max.text],
    ['footer', footer, max.footer],
  ])
}

/** Returns the faults of a message; without any, the operator accepts it. */
export function faultsIn({ kind, values }: Part): Faults {
  if (kind === 'buttons') return buttonsFaults(values)
  if (kind === 'list') return listFaults(values)
  return kind === 'location' ? locationFaults(values) : productFaults(values)
}

const shown = (text: string) => (text.trim() ? { text: text.trim() } : undefined)
const around = ({ header, footer }: { header?: string; footer: string }) => ({
  ...(header?.trim() && { header: { type: 'text' as const, text: header.trim() } }),
  ...(footer.trim() && { footer: shown(footer) }),
})

/**
 * Returns an id for each title: the title itself, because it comes back with the tap and should be readable.
 */
function idsOf(titles: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return titles.map((title) => {
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    return count === 1 ? title : `${title} (${count})`
  })
}

function buttonsContent({ text, buttons, ...rest }: ButtonsPart) {
  const titles = buttons.map((title) => title.trim())
  const ids = idsOf(titles)
  return {
    type: 'button',
    ...around(rest),
    body: { text: text.trim() },
    action: {
      buttons: titles.map((title, index) => ({ type: 'reply', reply: { id: ids[index], title } })),
    },
  }
}

function listContent(part: ListPart) {
  const ids = idsOf(rowsOf(part).map(({ title }) => title.trim()))
  let place = 0
  return {
    type: 'list',
    ...around(part),
    body: { text: part.text.trim() },
    action: {
      button: part.button.trim(),
      sections: part.sections.map(({ title, rows }) => ({
        ...(title.trim() && { title: title.trim() }),
        rows: rows.map((row) => ({
          id: ids[place++],
          title: row.title.trim(),
          ...(row.description.trim() && { description: row.description.trim() }),
        })),
      })),
    },
  }
}

function locationContent({ name, address, latitude, longitude }: LocationPart) {
  return {
    latitude: coordinateOf(latitude, LATITUDE_MAX) ?? 0,
    longitude: coordinateOf(longitude, LONGITUDE_MAX) ?? 0,
    ...(name.trim() && { name: name.trim() }),
    ...(address.trim() && { address: address.trim() }),
  }
}

const productContent = ({ catalogId, productId, text, footer }: ProductPart) => ({
  type: 'product',
  ...(text.trim() && { body: shown(text) }),
  ...around({ footer }),
  action: { catalog_id: catalogId.trim(), product_retailer_id: productId.trim() },
})

/** Returns the content of a message in the operator's format. */
export function contentOfPart({ kind, values }: Part): Record<string, unknown> {
  if (kind === 'buttons') return buttonsContent(values)
  if (kind === 'list') return listContent(values)
  return kind === 'location' ? locationContent(values) : productContent(values)
}

/** Returns the type and payload of `POST /send`. */
export function sendOfPart(part: Part): Pick<SendInteractive | SendLocation, 'type' | 'payload'> {
  const type = part.kind === 'location' ? 'location' : 'interactive'
  return { type, payload: { type, [type]: contentOfPart(part) } } as Pick<
    SendInteractive | SendLocation,
    'type' | 'payload'
  >
}
