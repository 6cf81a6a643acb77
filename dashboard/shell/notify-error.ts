import { messageOf } from '../api/errors.ts'
import { notify } from '../kit/toasts.tsx'

/** Shows a notice for a failed action. */
export const notifyError = (error: unknown): void => notify({ title: messageOf(error), kind: 'bad' })
