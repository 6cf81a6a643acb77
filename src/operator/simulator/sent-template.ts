import { isObject } from '../storable.ts'
import type { SimulatedCall } from './call.ts'
import { listTemplates } from './kept-templates.ts'
import { objectParameter } from './request-body.ts'
import type { SimulatedObject } from './store.ts'

/** The account's template that a template message names, by name and language; undefined when there is none. */
export async function findSentTemplate(
  { store, number }: SimulatedCall,
  content: unknown,
): Promise<SimulatedObject | undefined> {
  const { name, language } = objectParameter(content) ?? {}
  const code = isObject(language) ? language.code : undefined
  if (typeof name !== 'string' || typeof code !== 'string') return undefined
  const templates = await listTemplates(store, number)
  return templates.find(({ value }) => value.name === name && sameLanguage(String(value.language), code))
}

// Webhooks say en-US, calls say en_US (docs/formats.md section 10).
const sameLanguage = (one: string, other: string): boolean =>
  one.replaceAll('-', '_') === other.replaceAll('-', '_')
