import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { siteBase } from './api/address.ts'
import { onChange, queryClient } from './api/cache.ts'
import { connection } from './api/live.ts'
import { onRightsChange, onSessionEnd } from './api/request.ts'
import type { Session } from './api/session.ts'
import { syncTabs } from './api/shown-account.ts'
import { importAgain, partOf } from './kit/import-again.ts'
import { KitProvider } from './kit/provider.tsx'
import { isAnythingTyped } from './kit/unsent-forms.ts'
import { applyPreferences } from './shell/preferences.ts'
import { reloadOnce } from './shell/reload.ts'
import { router } from './shell/router.tsx'
import { notifySessionEnded } from './shell/session-ended.ts'
import { loadTexts } from './texts.ts'
import './styles.css'

// Built pages call this function by name (vite.config.ts).
Object.assign(globalThis, { importAgain })
applyPreferences()
// A chunk missing on the server belongs to an older build: the page is reloaded, once.
addEventListener('vite:preloadError', ({ payload }) => void reloadOnce(partOf(payload)))
const readSession = () => void queryClient.invalidateQueries({ queryKey: ['session'] })
onRightsChange(readSession)
syncTabs(readSession)
// The server ends the stream of a member who lost access: the session contains the reason.
connection.subscribe(() => {
  if (connection.get() === 'lost' && document.visibilityState === 'visible') readSession()
})
// The session contains the workspace's name and rules, and so do its settings.
onChange('workspace', () => {
  readSession()
  for (const kind of ['workspace', 'security']) void queryClient.invalidateQueries({ queryKey: [kind] })
})
// A member's own role decides which pages and buttons they have.
onChange('member', (ids) => {
  const sessions = queryClient.getQueriesData<Session | null>({ queryKey: ['session'] })
  if (sessions.some(([, session]) => session?.member && (ids === 'many' || ids.includes(session.member.id))))
    readSession()
})
onSessionEnd(() => {
  const currentPath = location.pathname + location.search
  if (location.pathname.endsWith('/sign-in')) return
  if (isAnythingTyped()) notifySessionEnded()
  else location.assign(`${siteBase()}sign-in?ended&next=${encodeURIComponent(currentPath)}`)
})

await loadTexts()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <KitProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </KitProvider>
  </StrictMode>,
)
