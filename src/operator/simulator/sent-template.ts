import { isObject, objectsIn } from '../../core/values/storable.ts'
import type { SimulatedCall } from './call.ts'
import { type GraphAnswer, graphError } from './graph-errors.ts'
import { messageTypeOf } from './message-types.ts'
import type { Recipient } from './recipients.ts'
import { objectParameter } from './request-body.ts'
import type { SimulatedObject } from './store.ts'
import { listTemplates } from './stored-templates.ts'

/**
 * Returns the account's template that a template message names, by name and language; undefined if there is
 * none.
 */
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

/**
 * Returns the refusal of a one-time password for a user id: one-time passwords go only to numbers
 * (docs/formats.md section 11).
 */
export async function refusePassword(
  call: SimulatedCall,
  { waId }: Recipient,
): Promise<GraphAnswer | undefined> {
  if (waId !== null || messageTypeOf(call.values) !== 'template') return undefined
  const template = await findSentTemplate(call, call.values.template)
  const buttons = objectsIn(template?.value.components).flatMap(({ buttons: own }) => objectsIn(own))
  return buttons.some(({ type }) => type === 'OTP')
    ? graphError(131062, '(#131062) Business-scoped user ID recipient not supported', {
        details: 'One-time passwords are sent to phone numbers only.',
      })
    : undefined
}

// Webhooks write en-US, calls en_US (docs/formats.md section 10).
const sameLanguage = (first: string, other: string): boolean =>
  first.replaceAll('-', '_') === other.replaceAll('-', '_')
