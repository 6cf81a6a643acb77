/**
 * Splits a submission of any shape into answers (DECISIONS.md "The lead-capture link"). Forms, portals, and
 * ad networks post flat fields, nested objects, lists of names with values, names with brackets, and JSON
 * inside a field. All become one list.
 */

import { storableJson } from '../../../../core/values/storable.ts'

/** One answer of a submission. */
export type Answer = {
  /** The path without positions in lists: `user_column_data.PHONE_NUMBER`. Mappings use it. */
  path: string
  /** The path of the object or list that contains it. */
  within: string
  /** The label for people. */
  label: string
  /** The names for recognizing the answer, most specific first. */
  names: string[]
  /** The names of the containing objects, nearest first. */
  inside: string[]
  text: string
  /** The place in the submission, with positions. */
  place: string
}

export type Fields = Record<string, unknown>

const MAX_DEPTH = 10
const MAX_ANSWERS = 400

/** The keys that forms use for the name and the value in a list of answers, without case and signs. */
const NAME_KEYS =
  `label title columnname question questiontext questiontitle fieldlabel fieldtitle displayname name fieldname
  key field columnid slug ref customid questionid fieldid id`.split(/\s+/)
const VALUE_KEYS =
  `value stringvalue fieldvalue values answer answers uservalue response answerdetails val rawvalue content`.split(
    /\s+/,
  )
/** Keys that describe a form and are not answers. */
const DESCRIPTIONS = new Set(['definition', 'schema', 'versions', 'options', 'validation'])
/** Keys that add no information to their container. */
const EMPTY_KEYS = new Set(
  `value full text raw rawvalue formatted label answer stringvalue number international e164 data val default
  national email phone first last middle prefix suffix`.split(/\s+/),
)

export const plainKey = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Places are compared as text. No field name contains this character. */
export const BETWEEN = '\u001f'
export const under = (place: string, key: string | number): string =>
  place === '' ? String(key) : place + BETWEEN + String(key)

/** The position of the walk. */
type Position = { path: string; place: string; inside: string[]; depth: number }
type Titles = Map<string, string>

/**
 * Returns the answers of a submission, in order: at most 400, and ten levels deep. Empty values are left out.
 */
export function answersOf(values: Fields): Answer[] {
  const answers: Answer[] = []
  walkObject(opened(values), { path: '', place: '', inside: [], depth: 0 }, new Map(), answers)
  nameParts(answers)
  return answers
}

/**
 * Marks `1.3` and `1.6` as the first and the last name of a numbered name field. An address also has `1.1`
 * and `1.5`.
 */
function nameParts(answers: Answer[]): void {
  const partsByField = Map.groupBy(
    answers.filter(({ label }) => /^\d+\.\d$/.test(label)),
    ({ within, label }) => `${within} ${label.slice(0, -2)}`,
  )
  for (const parts of partsByField.values()) {
    const byPart = new Map(parts.map((part) => [part.label.at(-1), part]))
    if (byPart.has('1') || byPart.has('5')) continue
    byPart.get('3')?.names.unshift('first name')
    byPart.get('6')?.names.unshift('last name')
  }
}

/**
 * Returns the submission with names in brackets as objects, and with parsed JSON instead of JSON inside a
 * field.
 */
export const opened = (values: Fields): Fields => unfoldTexts(unfoldNames(values), 0) as Fields

/** Turns `fields[name][value]` into a field in a field. `interest[]` stays a name. */
function unfoldNames(values: Fields): Fields {
  const names = Object.keys(values)
  if (!names.some((name) => name.includes('['))) return values
  const unfolded: Fields = Object.create(null)
  for (const name of names) if (segmentsOf(name).length === 1) unfolded[name] = values[name]
  for (const name of names) {
    const segments = segmentsOf(name)
    if (segments.length > 1 && !setNested(unfolded, segments, values[name])) unfolded[name] = values[name]
  }
  return unfolded
}

/** Returns the parts of a field's name, or the whole name if it has no parts. */
export function segmentsOf(name: string): string[] {
  const [, root, rest] = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name) ?? []
  if (root === undefined) return [name]
  const inner = rest!.slice(1, -1).split('][')
  if (inner.at(-1) === '') inner.pop()
  if (inner.length === 0 || inner.includes('') || inner.length > MAX_DEPTH) return [name]
  const segments = [root, ...inner]
  return segments.includes('__proto__') ? [name] : segments
}

function setNested(fields: Fields, segments: string[], value: unknown): boolean {
  let node = fields
  for (const segment of segments.slice(0, -1)) {
    const next = node[segment] ?? Object.create(null)
    if (!isObject(next)) return false
    node[segment] = next
    node = next
  }
  const last = segments.at(-1)!
  if (node[last] !== undefined) return false
  node[last] = value
  return true
}

function unfoldTexts(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value
  if (typeof value === 'string') {
    const inner = fieldsIn(value)
    return inner === undefined ? value : unfoldTexts(inner, depth + 1)
  }
  if (Array.isArray(value)) return value.map((item) => unfoldTexts(item, depth + 1))
  if (!isObject(value)) return value
  const unfolded: Fields = Object.create(null)
  for (const [key, item] of Object.entries(value))
    if (key !== '__proto__') unfolded[key] = unfoldTexts(item, depth + 1)
  return unfolded
}

/** Parses JSON, or lines of `first = Asha`, inside a field. */
function fieldsIn(text: string): Fields | unknown[] | undefined {
  const trimmed = text.trim()
  if (/^(?:\{[\s\S]*\}|\[[\s\S]*\])$/.test(trimmed)) {
    try {
      return storableJson(JSON.parse(trimmed, withoutPrototype)) as Fields | unknown[]
    } catch {
      return undefined
    }
  }
  const lines = trimmed.split(/\r?\n/)
  const pairs = lines.map((line) => /^(\w{1,40}) = (.*)$/.exec(line))
  if (lines.length < 2 || pairs.includes(null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]))
}

const withoutPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value)

function walkObject(object: Fields, position: Position, titles: Titles, answers: Answer[]): void {
  if (position.depth > MAX_DEPTH) return
  const allTitles = new Map([...titles, ...titlesIn(object)])
  for (const [key, value] of Object.entries(object)) {
    const plainName = plainKey(key)
    if (DESCRIPTIONS.has(plainName) && hasObjects(value)) {
      const title = isObject(value) ? (value.title ?? value.name) : undefined
      if (isScalar(title))
        add(
          answers,
          { ...position, path: joined(position.path, key), place: under(position.place, key) },
          ['form title'],
          'Form',
          title,
        )
      continue
    }
    walk(value, key, { ...position, place: under(position.place, key) }, allTitles, answers)
  }
}

const hasObjects = (value: unknown): boolean =>
  isObject(value) || (Array.isArray(value) && value.some(isObject))

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`)

function walk(value: unknown, key: string, position: Position, titles: Titles, answers: Answer[]): void {
  if (answers.length >= MAX_ANSWERS || value === null || value === undefined) return
  const path = joined(position.path, key)
  if (isScalar(value))
    add(answers, { ...position, path }, namesOf(key, position.inside), key.replace(/\[\]$/, ''), value)
  else if (Array.isArray(value)) walkList(value, key, position, titles, answers)
  else walkFields(value as Fields, key, position, titles, answers)
}

function walkList(
  items: unknown[],
  key: string,
  position: Position,
  titles: Titles,
  answers: Answer[],
): void {
  for (const [i, item] of items.entries()) {
    const itemPosition = { ...position, place: under(position.place, i) }
    if (isScalar(item)) walk(item, key, itemPosition, titles, answers)
    else if (Array.isArray(item))
      walkList(item, key, { ...itemPosition, depth: position.depth + 1 }, titles, answers)
    else if (isObject(item)) walkFields(item, key, itemPosition, titles, answers)
  }
}

function walkFields(
  object: Fields,
  key: string,
  position: Position,
  titles: Titles,
  answers: Answer[],
): void {
  const fieldPosition = {
    ...position,
    path: joined(position.path, key),
    inside: [key, ...position.inside],
    depth: position.depth + 1,
  }
  const pair = pairOf(object, key, titles)
  if (pair) {
    const path = joined(
      Object.hasOwn(object, 'value') && pair.id === key ? position.path : fieldPosition.path,
      pair.id,
    )
    for (const text of textsIn(pair.value))
      add(answers, { ...fieldPosition, path }, pair.names, pair.label, text)
    for (const [part, value] of partsIn(pair.value))
      walk(
        value,
        part,
        { ...fieldPosition, path, inside: [...pair.names, ...fieldPosition.inside] },
        titles,
        answers,
      )
    return
  }
  const number = numberInParts(object)
  if (number !== undefined) {
    add(answers, fieldPosition, ['phone', ...namesOf(key, position.inside)], key, number)
    return
  }
  walkObject(object, fieldPosition, titles, answers)
}

/** Joins `{area: "981", phone: "2345678"}`: one number in two fields. */
function numberInParts(object: Fields): string | undefined {
  const { area, phone } = object
  const otherKeys = Object.keys(object).filter((key) => !['area', 'phone', 'country'].includes(key))
  if (otherKeys.length > 0 || !isScalar(area) || !isScalar(phone)) return undefined
  return [isScalar(object.country) ? `+${String(object.country).replace(/^\+/, '')}` : '', area, phone]
    .filter((part) => part !== '')
    .join(' ')
}

type Pair = { id: string; label: string; names: string[]; value: unknown }

/** Reads a name and its value from one object, in a list of answers or under the answer's id. */
function pairOf(object: Fields, key: string, titles: Titles): Pair | undefined {
  const entries = new Map(Object.entries(object).map(([name, value]) => [plainKey(name), value]))
  const typed = typedAnswer(object)
  const valueKey = VALUE_KEYS.find((name) => entries.has(name))
  if (typed === undefined) {
    // A person who has a value is not an answer: `{name, phone, value}`.
    const isPerson = [...entries.keys()].some((name) => /phone|mobile|whatsapp|e?mail/.test(name))
    if (valueKey === undefined || isPerson) return undefined
  }
  const value = typed ?? choiceIn(entries.get(valueKey!), entries.get('options'))
  const { ids, called, types } = namesIn(entries, valueKey, titles)
  if (called.length === 0 && typed === undefined) {
    if (valueKey !== 'value' || !isPair(entries)) return undefined
    return { id: key, label: key, names: [key, ...types], value }
  }
  return { id: ids[0] ?? called[0] ?? key, label: called[0] ?? key, names: [...called, ...types, key], value }
}

/** Returns the names and the value in an object of a name and its value; undefined if it has no value. */
export function nameInPair(object: Fields): { names: string[]; value: unknown } | undefined {
  const entries = new Map(Object.entries(object).map(([name, value]) => [plainKey(name), value]))
  const valueKey = VALUE_KEYS.find((name) => entries.has(name))
  if (valueKey === undefined) return undefined
  const labels = NAME_KEYS.filter((name) => name !== valueKey).map((name) => entries.get(name))
  return { names: labels.filter(isScalar).map(String), value: entries.get(valueKey) }
}

/** Returns the names of an answer, most specific first, and the ids of its question. */
function namesIn(entries: Map<string, unknown>, valueKey: string | undefined, titles: Titles) {
  const field = isObject(entries.get('field')) ? (entries.get('field') as Fields) : {}
  const texts = (values: unknown[]): string[] =>
    values.filter(isScalar).flatMap((text) => (String(text).trim() === '' ? [] : [String(text).trim()]))
  const valuesOf = (...keys: string[]): unknown[] =>
    keys.map((name) => (name === valueKey ? undefined : entries.get(name)))
  const ids = texts([
    field.ref,
    ...valuesOf('columnid', 'key', 'name', 'field'),
    field.id,
    ...valuesOf('questionid', 'id'),
  ])
  const title = ids.map((id) => titles.get(id)).find((text) => text !== undefined)
  // If the value is an answer, a text is its question.
  const questions = valueKey === 'answer' ? valuesOf('text') : []
  const labels = texts([title, ...questions, ...valuesOf(...NAME_KEYS)])
  const types = texts([...valuesOf('type'), field.type, ...valuesOf('fieldtype')]).flatMap(typeName)
  return { ids, called: labels, types }
}

/** Returns whether an object is an answer with metadata under its name: `{value: "…", timestamp: …}`. */
const isPair = (entries: Map<string, unknown>): boolean => [...entries.keys()].every((key) => NOTES.has(key))

const NOTES = new Set(
  'value versions timestamp source sourceid type fieldtype rawvalue required sourcetype'.split(' '),
)

/**
 * Returns the meaning of an answer's type if it is one of these: `INPUT_PHONE_NUMBER`, `tel`,
 * `control_email`.
 */
const typeName = (type: string): string[] =>
  /phone|tel\b|mobile/i.test(type) ? ['phone'] : /e-?mail/i.test(type) ? ['email'] : []

/** Reads `{type: "phone_number", phone_number: "+91…", field: {…}}`. */
function typedAnswer(object: Fields): unknown {
  const { type, field } = object
  if (typeof type !== 'string' || !isObject(field)) return undefined
  return Object.hasOwn(object, type) ? (object[type] ?? undefined) : undefined
}

/** Returns the texts of chosen options if the answer has their ids. */
function choiceIn(value: unknown, options: unknown): unknown {
  if (!Array.isArray(options) || !Array.isArray(value)) return value
  const texts = new Map(options.filter(isObject).map((option) => [option.id, option.text ?? option.label]))
  return value.map((id) => texts.get(id) ?? id)
}

/** Yields the titles of questions by id, if the form describes them next to the answers. */
function* titlesIn(object: Fields): Generator<[string, string]> {
  for (const description of [object.definition, object]) {
    if (!isObject(description)) continue
    for (const list of [description.fields, description.questions])
      for (const field of Array.isArray(list) ? list : []) {
        if (!isObject(field) || field.value !== undefined) continue
        const title = [field.title, field.label, field.question, field.text].find(
          (text) => typeof text === 'string',
        )
        for (const id of [field.ref, field.id, field.questionId])
          if (typeof title === 'string' && isScalar(id)) yield [String(id), title]
      }
  }
}

/** Returns the texts of an answer: a value, a list, or a choice (`{label}`, `{labels}`). */
function textsIn(value: unknown): (string | number | boolean)[] {
  if (isScalar(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  const chosen = value.label ?? value.labels
  return chosen === undefined ? [] : textsIn(chosen)
}

/** Returns the named parts of an answer: `{first, last}`. */
const partsIn = (value: unknown): [string, unknown][] =>
  isObject(value) && value.label === undefined && value.labels === undefined ? Object.entries(value) : []

/**
 * Returns a key, and its container's key if the key alone is ambiguous: `name` and `first`, `phone` and
 * `full`.
 */
function namesOf(key: string, enclosing: string[]): string[] {
  const parent = enclosing[0]
  if (parent === undefined) return [key]
  const joint = `${parent} ${key}`
  return EMPTY_KEYS.has(plainKey(key)) ? [key, joint, parent] : [key, joint]
}

function add(
  answers: Answer[],
  position: Position,
  names: string[],
  label: string,
  value: string | number | boolean,
): void {
  const text = String(value).trim()
  if (text === '' || answers.length >= MAX_ANSWERS) return
  const cut = position.path.lastIndexOf('.')
  answers.push({
    path: position.path,
    within: cut < 0 ? '' : position.path.slice(0, cut),
    label,
    names,
    inside: position.inside,
    text,
    place: position.place,
  })
}

/** Returns the submission without these places; undefined if nothing is left. */
export function withoutPlaces(value: unknown, takenPlaces: ReadonlySet<string>, place: string): unknown {
  if (takenPlaces.has(place) || value === '') return undefined
  if (Array.isArray(value)) {
    const left = value
      .map((item, i) => withoutPlaces(item, takenPlaces, under(place, i)))
      .filter((item) => item !== undefined)
    if (left.length === value.length) return left
    return left.length === 1 && isScalar(left[0]) ? left[0] : left.length === 0 ? undefined : left
  }
  if (!isObject(value)) return value
  const left = Object.entries(value).flatMap(([key, item]) => {
    const remaining = withoutPlaces(item, takenPlaces, under(place, key))
    return remaining === undefined ? [] : [[key, remaining]]
  })
  return left.length === 0 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(left)
}

/** Returns the place of a top-level field, as in answers. */
export const placeOf = (name: string): string => segmentsOf(name).join(BETWEEN)
