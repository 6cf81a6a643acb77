/** Defines the shapes of messages that are built from parts: reply buttons, lists, locations, and products. */

export type ButtonsPart = { header: string; text: string; footer: string; buttons: string[] }
export type ListRow = { title: string; description: string }
export type ListSection = { title: string; rows: ListRow[] }
export type ListPart = {
  header: string
  text: string
  footer: string
  button: string
  sections: ListSection[]
}
export type LocationPart = { name: string; address: string; latitude: string; longitude: string }
export type ProductPart = { catalogId: string; productId: string; text: string; footer: string }

/** The typed values of each kind of message. */
export type Parts = { buttons: ButtonsPart; list: ListPart; location: LocationPart; product: ProductPart }
export type PartKind = keyof Parts
export type Part = { [Kind in PartKind]: { kind: Kind; values: Parts[Kind] } }[PartKind]

export const emptyRow = (): ListRow => ({ title: '', description: '' })
export const emptySection = (): ListSection => ({ title: '', rows: [emptyRow()] })

const EMPTY: { [Kind in PartKind]: () => Parts[Kind] } = {
  buttons: () => ({ header: '', text: '', footer: '', buttons: [''] }),
  list: () => ({ header: '', text: '', footer: '', button: '', sections: [emptySection()] }),
  location: () => ({ name: '', address: '', latitude: '', longitude: '' }),
  product: () => ({ catalogId: '', productId: '', text: '', footer: '' }),
}
export const emptyPart = <Kind extends PartKind>(kind: Kind): Parts[Kind] => EMPTY[kind]()

/** Returns whether a message has content that should be kept. */
export const isEmptyPart = ({ kind, values }: Part): boolean =>
  JSON.stringify(values) === JSON.stringify(emptyPart(kind))
