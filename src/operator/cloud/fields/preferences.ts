/** The field `user_preferences`: customers' choices about marketing (docs/formats.md section 10). */
import { objectsIn } from '../../../core/values/storable.ts'
import type { Preference, Report } from '../../report.ts'
import {
  contactOf,
  type Json,
  readCustomer,
  readTime,
  unrecognized,
  type ValueSource,
} from './webhook-value.ts'

// A sign-up through a link requests marketing, like a resume.
const wordByValue = new Map<unknown, Preference['word']>([
  ['stop', 'stop'],
  ['resume', 'resume'],
  ['signup', 'resume'],
])

export function readPreferences(value: Json, source: ValueSource): Report[] {
  const preferences = objectsIn(value.user_preferences)
  return preferences.map((preference) => {
    const of = { waId: preference.wa_id, userId: preference.user_id }
    const customer = readCustomer(of, contactOf(value, of, preferences.length))
    const word = wordByValue.get(preference.value)
    const time = readTime(preference.timestamp) ?? source.at
    if (!customer || word === undefined || preference.category !== 'marketing_messages')
      return unrecognized('user_preferences')
    return { kind: 'preference', ...customer, word, at: time }
  })
}
