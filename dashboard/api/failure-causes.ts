/** Names the causes of failed messages that have their own texts. */
const FAILURE_CAUSES = [
  'account',
  'auth',
  'billing',
  'media',
  'payment',
  'policy',
  'quality_limit',
  'recipient',
  'registration',
  'request',
  'template',
  'throttle',
  'transient',
  'window',
] as const

export type FailureCause = (typeof FAILURE_CAUSES)[number] | 'other'

/** Returns the cause for the category of a message's error. */
export const causeOf = (category: string | null | undefined): FailureCause =>
  FAILURE_CAUSES.find((cause) => cause === category) ?? 'other'
