import { language } from '../texts.ts'
import { t } from './texts.ts'

/** A field that the server rejected, and the reason. */
export type Issue = { path: string; message: string }

/** An error of the server, or the reason why a request failed. `status` 0: no response arrived. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | undefined
  readonly issues: Issue[]
  readonly details: Record<string, unknown>
  constructor(
    message: string,
    details: { code: string; status: number; requestId?: string; body?: Record<string, unknown> },
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId
    this.details = details.body ?? {}
    this.issues = (details.body?.issues as Issue[] | undefined) ?? []
  }
}

export const unreachableError = (): ApiError => new ApiError(t('offline'), { code: 'unreachable', status: 0 })
export const timeoutError = (): ApiError => new ApiError(t('timeout'), { code: 'timeout', status: 0 })

/** Returns whether the same request may succeed soon, because the server did not decide it. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 ||
    error.status >= 502 ||
    error.status === 429 ||
    error.code === 'internal_error' ||
    error.code === 'idempotency_key_in_progress')

/** Returns the text of an error. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Reads an error in the language of the pages. Without the texts of the language, it stays in English. */
async function readError(response: Response): Promise<Record<string, unknown>> {
  const body = await response.json().catch(() => ({}))
  return language === 'en'
    ? body
    : import('./server-texts/translate.ts').then(
        (texts) => texts.translateError(body),
        () => body,
      )
}

export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = await readError(response)
  const message =
    typeof body.message === 'string' ? body.message : t('unexpected', { status: response.status })
  const code = typeof body.error === 'string' ? body.error : 'unexpected'
  return new ApiError(message, { code, status: response.status, requestId, body })
}
