import { CloudOff, RefreshCw } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { connection, onFrame } from '../api/live.ts'
import { notify } from '../kit/toasts.tsx'
import { useOnline } from './online.ts'
import { t } from './texts.ts'

/** An interruption of the stream shorter than this is not shown. */
const PATIENCE_MS = 3_000

/** Shows that the connection is lost, or that a newer version of the pages is available. */
export function ConnectionBar() {
  const isOnline = useOnline()
  const state = useSyncExternalStore(connection.subscribe, connection.get)
  const [isLong, setLong] = useState(false)

  useEffect(() => {
    if (state !== 'lost') {
      setLong(false)
      return
    }
    const timer = setTimeout(() => setLong(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [state])

  useEffect(() => {
    let knownBuild: string | undefined
    return onFrame(({ build }) => {
      if (!build) return
      if (knownBuild !== undefined && knownBuild !== build)
        notify({
          title: t('newBuild'),
          action: { label: t('newBuild.action'), run: () => location.reload() },
        })
      knownBuild = build
    })
  }, [])

  const text = !isOnline ? t('offline') : isLong ? t('lost') : undefined
  const Icon = isOnline ? RefreshCw : CloudOff
  return (
    <div role="status" aria-live="polite">
      {text && (
        <p className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-sm text-warn">
          <Icon aria-hidden size={15} />
          {text}
        </p>
      )}
    </div>
  )
}
