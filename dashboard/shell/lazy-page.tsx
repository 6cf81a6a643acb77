/** Loads the code of pages when they are opened. */
import { CloudOff } from 'lucide-react'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/states.tsx'
import { useOnline } from './online.ts'
import { t } from './texts.ts'

type Load = () => Promise<{ default: ComponentType }>

/** Shown in the place of a page whose code didn't load; the rest of the tab stays as it is. */
function PageNotLoaded({ isLoading, onRetry }: { isLoading: boolean; onRetry: () => void }) {
  const isOnline = useOnline()
  return (
    <div className="flex h-full flex-col" role="alert">
      <Empty
        isPage
        icon={CloudOff}
        title={t(isOnline ? 'notLoaded.title' : 'notLoaded.offline.title')}
        action={
          <Button onClick={onRetry} busy={isLoading}>
            {t('notLoaded.action')}
          </Button>
        }
      >
        {t(isOnline ? 'notLoaded.online' : 'notLoaded.offline')}
      </Empty>
    </div>
  )
}

/**
 * Returns a page with its own chunk. If the chunk does not load, the page shows the reason and Retry, and
 * loads when the browser is online again. The router's own lazy component would reload the tab, which offline
 * replaces it by the browser's error page.
 */
export function lazyPage(load: Load) {
  let Loaded: ComponentType | undefined
  const loadOnce = async (): Promise<void> => {
    Loaded ??= (await load()).default
  }
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, next to its import
  function LazyPage() {
    // The router loads the page before it shows it: without the page, that attempt failed.
    const [isLoading, setLoading] = useState(false)
    const retry = useCallback(() => {
      setLoading(true)
      void loadOnce()
        .catch(() => {})
        .then(() => setLoading(false))
    }, [])
    const isMissing = Loaded === undefined
    useEffect(() => {
      if (!isMissing) return
      addEventListener('online', retry)
      return () => removeEventListener('online', retry)
    }, [isMissing, retry])
    return Loaded ? <Loaded /> : <PageNotLoaded isLoading={isLoading} onRetry={retry} />
  }
  return Object.assign(LazyPage, { preload: () => loadOnce().catch(() => {}) })
}
