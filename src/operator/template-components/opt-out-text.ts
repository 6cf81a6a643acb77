import { isObject } from '../../core/values/storable.ts'

/** Phrases for "stop these messages" in the languages that most senders write. */
const optOut = new RegExp(
  [
    String.raw`\b(?:stop|unsubscribe|opt[\s-]?out|not interested|no longer (?:wish|want)|remove me|manage your (?:\w+ )?(?:subscriptions?|preferences))\b`,
    String.raw`\b(?:cancelar|darse de baja|baja|sair|parar|desinscrever|no recibir|não receber)\b`,
    String.raw`\b(?:abmelden|abbestellen|stopp|désabonner|désinscrire|disiscriviti|berhenti)\b`,
    'बंद करें|रोकें|सदस्यता समाप्त|إلغاء الاشتراك|توقف|отписаться|стоп',
  ].join('|'),
  'iu',
)

/**
 * Returns whether a template explains how to stop its messages: in a text or on a button (spec 4.2 marketing
 * rules).
 */
export const hasOptOutText = (components: readonly unknown[]): boolean =>
  textsOf(components).some((text) => optOut.test(text))

/** Returns all texts of a template that the customer reads. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === 'example') return []
    return key === 'text' && typeof inner === 'string' ? [inner] : textsOf(inner)
  })
}
