/** The automation builder of the dashboard has a phrase for every event. */
import { expect, test } from 'vitest'
import texts from '../../dashboard/automations/en.json' with { type: 'json' }
import { EVENTS } from '../../src/catalog.ts'

const hasPhrase = (name: string): boolean => Object.hasOwn(texts, `event.${name}`)

test('every event has a phrase', () => {
  expect(EVENTS.map(({ name }) => name).filter((name) => !hasPhrase(name))).toEqual([])
  expect(hasPhrase('lead.unheard_of')).toBe(false)
})
