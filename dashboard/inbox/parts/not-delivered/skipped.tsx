/** Shows why Parley did not send a message. */
import { t } from './texts.ts'

/** Reasons with their own texts. */
const REASONS = [
  'opted_out',
  'blocked',
  'cancelled',
  'expired',
  'paid',
  'window_closed',
  'number_removed',
  'restored',
  'duplicate',
] as const

export function Skipped({ reason }: { reason: string }) {
  const knownReason = REASONS.find((candidate) => candidate === reason) ?? 'other'
  return (
    <p role="status" className="mt-1 max-w-full text-end text-sm text-ink-2">
      <span className="font-medium">{t('skipped.title')}:</span> {t(`skipped.${knownReason}`)}
    </p>
  )
}
