import type { FieldValues, Path, UseFormSetError } from 'react-hook-form'
import { ApiError, messageOf } from './errors.ts'

/** The number of a field. One that is empty is sent as none, never as 0: the server says so at its field. */
export const countOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))

/**
 * Shows what the server does not take at the fields that it names; what belongs to none stands above them. `places` says which field is
 * meant where the form calls it otherwise.
 */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  fields: readonly Path<Values>[],
  setError: UseFormSetError<Values>,
  places: Readonly<Record<string, Path<Values>>> = {},
): void {
  const issues = error instanceof ApiError ? error.issues : []
  let isShown = false
  for (const { path, message } of issues) {
    const field =
      places[path] ??
      fields.find((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    if (field) setError(field, { message }, { shouldFocus: !isShown })
    else setError('root', { message: path ? `${path}: ${message}` : message })
    isShown = true
  }
  if (!isShown) setError('root', { message: messageOf(error) })
}
