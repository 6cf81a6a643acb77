import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError, messageOf } from './errors.ts'

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
 * server's names to the form's fields if they differ.
 */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  fields: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
  places: Readonly<Record<string, Path<Values>>> = {},
): void {
  let isShown = false
  for (const { path, message } of error instanceof ApiError ? error.issues : []) {
    const field =
      places[path] ??
      fields.find((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    if (field) setError(field, { message }, { shouldFocus: !isShown })
    else setError('root', { message: path ? `${path}: ${message}` : message })
    isShown = true
  }
  if (!isShown) setError('root', { message: messageOf(error) })
}
