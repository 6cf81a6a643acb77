import { booleanOrText, object, words } from './fields.ts'

/** Maximum length of a text (docs/formats.md section 2). */
export const TEXT_MAX = 4096

/** `text`: its body, and whether its first link is shown with a preview. */
export const TextPayload = object({ body: words(TEXT_MAX), preview_url: booleanOrText.optional() }).meta({
  id: 'TextPayload',
  description: 'A text message.',
  fields: { body: 'The text.', preview_url: 'Whether the first link is shown with a preview.' },
})
