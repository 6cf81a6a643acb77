import { siteBase } from '../api/address.ts'
import { notify } from '../kit/toasts.tsx'
import { t } from './words.ts'

/** As long as the notice stands. */
const AGAIN_MS = 10_000
let saidAt = Number.NEGATIVE_INFINITY

/** Says so on a page where something was typed: whoever signs in in another tab goes on here. */
export function saySessionEnded(): void {
  const now = performance.now()
  if (now - saidAt < AGAIN_MS) return
  saidAt = now
  notify({
    title: t('ended.title'),
    description: t('ended.text'),
    kind: 'bad',
    action: { label: t('ended.action'), run: () => void window.open(`${siteBase()}sign-in`, '_blank') },
  })
}
