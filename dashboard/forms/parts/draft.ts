/** The design of a form while it is being edited. */
import { newId } from '../../api/new-id.ts'
import type { FlowDetails, NewFlow } from '../queries.ts'

type Screen = NewFlow['screens'][number]
export type Kind = Screen['fields'][number]['kind']
export type Category = NonNullable<NewFlow['categories']>[number]

export const KINDS: readonly Kind[] = [
  'text',
  'paragraph',
  'number',
  'email',
  'phone',
  'choice',
  'choices',
  'dropdown',
  'date',
  'consent',
]
export const CATEGORIES: readonly Category[] = [
  'APPOINTMENT_BOOKING',
  'LEAD_GENERATION',
  'SURVEY',
  'CONTACT_US',
  'CUSTOMER_SUPPORT',
  'SHOPPING',
  'SIGN_UP',
  'SIGN_IN',
  'OTHER',
]

/** A field with the texts of its inputs; `options` has one option on each line. */
export type DraftField = {
  key: string
  kind: Kind
  label: string
  /** Empty: made from the label. */
  name: string
  help: string
  options: string
  isRequired: boolean
}
export type DraftScreen = { key: string; title: string; text: string; button: string; fields: DraftField[] }
export type Draft = { name: string; category: Category; account: string | null; screens: DraftScreen[] }

export const hasOptions = (kind: Kind): boolean =>
  kind === 'choice' || kind === 'choices' || kind === 'dropdown'
export const hasHelp = (kind: Kind): boolean => !hasOptions(kind) && kind !== 'consent'

export const newField = (): DraftField => ({
  key: newId(),
  kind: 'text',
  label: '',
  name: '',
  help: '',
  options: '',
  isRequired: true,
})
export const newScreen = (button: string): DraftScreen => ({
  key: newId(),
  title: '',
  text: '',
  button,
  fields: [newField()],
})

export const optionsOf = ({ options }: Pick<DraftField, 'options'>): string[] =>
  options
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const NAME_MAX = 40

/** Returns a name for answers made from a label: `Day of your visit` is `day_of_your_visit`. */
function nameFrom(label: string): string {
  const letters = label
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, NAME_MAX - 3)
  return /^[a-z]/.test(letters) ? letters : letters === '' ? 'field' : `f_${letters}`
}

/** Returns the names of all fields by their keys: typed ones, and others made from labels, each once. */
export function namesOf(screens: readonly DraftScreen[]): Map<string, string> {
  const fields = screens.flatMap((screen) => screen.fields)
  const used = new Set(fields.map(({ name }) => name.trim()).filter((name) => name !== ''))
  return new Map(
    fields.map(({ key, name, label }) => {
      if (name.trim() !== '') return [key, name.trim()]
      const base = nameFrom(label)
      let own = base
      for (let i = 2; used.has(own); i++) own = `${base}_${i}`
      used.add(own)
      return [key, own]
    }),
  )
}

/** Returns the body of the request that stores the draft. */
export function bodyOf({ name, category, account, screens }: Draft): NewFlow {
  const names = namesOf(screens)
  return {
    name: name.trim(),
    categories: [category],
    screens: screens.map(({ title, text, button, fields }) => ({
      title: title.trim(),
      ...(text.trim() === '' ? {} : { text: text.trim() }),
      fields: fields.map((field) => ({
        name: names.get(field.key)!,
        kind: field.kind,
        label: field.label.trim(),
        required: field.isRequired,
        ...(hasHelp(field.kind) && field.help.trim() !== '' ? { help: field.help.trim() } : {}),
        ...(hasOptions(field.kind) ? { options: optionsOf(field) } : {}),
      })),
      button: button.trim(),
    })),
    ...(account === null ? {} : { wabaConnectionId: account }),
  }
}

/** Returns the draft of a stored form. */
export const draftOf = ({ name, categories, screens }: FlowDetails): Draft => ({
  name,
  category: CATEGORIES.find((category) => category === categories[0]) ?? 'OTHER',
  account: null,
  screens: (screens ?? []).map(({ title, text = '', button, fields }) => ({
    key: newId(),
    title,
    text,
    button,
    fields: fields.map(({ kind, label, name: fieldName, help = '', options = [], required = false }) => ({
      key: newId(),
      kind,
      label,
      name: fieldName,
      help,
      options: options.join('\n'),
      isRequired: required,
    })),
  })),
})

/** Moves the item at `index` by `by` places. */
export function moved<Item>(items: readonly Item[], index: number, by: number): Item[] {
  const order = [...items]
  const [item] = order.splice(index, 1)
  order.splice(index + by, 0, item!)
  return order
}
