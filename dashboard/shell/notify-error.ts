import { messageOf } from '../api/errors.ts'
import { notify } from '../kit/toasts.tsx'

/** Says what went wrong with something that was tried. */
export const notifyError = (error: unknown): void => notify({ title: messageOf(error), kind: 'bad' })
