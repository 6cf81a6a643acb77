/** Explains why records of an import were left out. */
import type en from './en.json'
import { t } from './texts.ts'

type Cause =
  Exclude<Extract<keyof typeof en, `cause.${string}`>, 'cause.other'> extends `cause.${infer Name}`
    ? Name
    : never

/** Causes with their own text. */
export const CAUSES = [
  'activity',
  'ambiguous_date',
  'attributes_not_fitting',
  'contact_limit',
  'deleted',
  'deleted_conversation',
  'empty',
  'erased',
  'file_damaged',
  'file_gone',
  'file_too_large',
  'file_type',
  'future',
  'id_too_long',
  'invalid',
  'invalid_phone',
  'limit',
  'name_clash',
  'no_chat',
  'no_date',
  'no_direction',
  'no_member',
  'no_phone',
  'no_text',
  'not_before',
  'other_channel',
  'other_number',
  'past_retention',
  'row_unreadable',
  'system_line',
  'text_too_long',
  'unreadable',
  'unsupported',
] as const satisfies Cause[]

/** Returns the text of a cause; of an unknown one, its name. */
export function causeName(cause: string): string {
  const known = CAUSES.find((candidate) => candidate === cause)
  return known ? t(`cause.${known}`) : t('cause.other', { cause })
}
