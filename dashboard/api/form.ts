import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { language } from '../texts.ts'
import { ApiError, type Issue, messageOf } from './errors.ts'

/**
 * Returns the number in a field. An empty field is sent as no number, never as 0, so that the server reports
 * the field.
 */
export const parseCount = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

/** Returns the number in a field that may be empty; undefined if it is. */
export const parseOptionalNumber = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number(text)

/** Returns the lines of a field, without empty ones. */
export const parseLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/**
 * Shows the server's errors at the fields that they name, and other errors above the form. `places` maps the
 * server's names to the form's fields if they differ. In other languages than English, the texts are translated first.
 */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  fields: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
  places: Readonly<Record<string, Path<Values>>> = {},
): void {
  const show = ({ message, issues }: Shown) => place(message, issues, fields, setError, places)
  const shown: Shown = { message: messageOf(error), issues: error instanceof ApiError ? error.issues : [] }
  if (language === 'en' || !(error instanceof ApiError)) show(shown)
  // Without the texts, the messages stay in English.
  else
    void import('./server-texts/translate.ts').then(
      ({ translateError }) => show(translateError({ ...shown, error: error.code })),
      () => show(shown),
    )
}

type Shown = { message: string; issues: Issue[] }

function place<Values extends FieldValues>(
  fault: string,
  issues: readonly Issue[],
  fields: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
  places: Readonly<Record<string, Path<Values>>>,
): void {
  let isShown = false
  for (const { path, message } of issues) {
    const field =
      places[path] ??
      fields.find((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    if (field) setError(field, { message }, { shouldFocus: !isShown })
    else setError('root', { message: path ? `${path}: ${message}` : message })
    isShown = true
  }
  if (!isShown) setError('root', { message: fault })
}
