import { siteBase } from '../api/address.ts'
import { notify } from '../kit/toasts.tsx'
import { t } from './texts.ts'

/** The time for which the notice is shown. */
const AGAIN_MS = 10_000
let shownAt = Number.NEGATIVE_INFINITY

/** Shows a notice on a page with unsent text: after signing in in another tab, the user can continue here. */
export function notifySessionEnded(): void {
  const now = performance.now()
  if (now - shownAt < AGAIN_MS) return
  shownAt = now
  notify({
    title: t('ended.title'),
    description: t('ended.text'),
    kind: 'bad',
    action: { label: t('ended.action'), run: () => void window.open(`${siteBase()}sign-in`, '_blank') },
  })
}
