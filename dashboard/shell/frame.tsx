/** The frame of every page of a workspace: the menu, the palette, the connection, and the sandbox phone. */
import { useIsFetching } from '@tanstack/react-query'
import { Outlet, useMatches, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { siteBase } from '../api/address.ts'
import { ApiError, messageOf } from '../api/errors.ts'
import { listen } from '../api/live.ts'
import { resumeOutbox } from '../api/outbox.ts'
import { callDashboard } from '../api/request.ts'
import { hasRole, useWorkspaceSession } from '../api/session.ts'
import { recordSignOut } from '../api/shown-account.ts'
import { forgetStored } from '../api/storage.ts'
import { type Command, FRAME_COMMANDS } from '../commands.ts'
import { classes } from '../kit/classes.ts'
import { onPrefetch, prefetch, untilLoaded } from '../kit/lazy.tsx'
import { notify } from '../kit/toasts.tsx'
import { setPhoneBeside } from '../kit/width.ts'
import { PAGES, type PageValue, plainPath } from '../pages.ts'
import { BottomTabs } from './bottom-tabs.tsx'
import { setPopupOpening, useCommands, useKeyListener } from './commands-store.ts'
import { useIdentityQuestion } from './confirm.ts'
import { ConnectionBar } from './connection-bar.tsx'
import { FactorRefused, RoleRefused } from './error-pages.tsx'
import { keepLostFocus } from './lost-focus.ts'
import { SideMenu } from './menu.tsx'
import { isInMenu, togglePin } from './menu-layout.ts'
import { PageFocus } from './page-focus.tsx'
import { setPreferences, usePreferences } from './preferences.ts'
import { useStartAction } from './start-action.ts'
import { t } from './texts.ts'
import { useTabTitle } from './unread.ts'
import { useSandboxClock } from './use-sandbox-clock.ts'

const PhoneDrawer = lazy(() => untilLoaded(() => import('../sandbox/drawer.tsx')))
const Palette = lazy(() => untilLoaded(() => import('./palette.tsx')))
const ConfirmIdentity = lazy(() => untilLoaded(() => import('./confirm-identity.tsx')))
const KeysSheet = lazy(() => untilLoaded(() => import('./keys-sheet.tsx')))

/** Loaded after the page. */
const installedApp = () => import('./installed-app.ts')

/** Ends the session and deletes its data in this browser. Shows an error if the sign-out failed. */
async function signOut(): Promise<void> {
  try {
    await callDashboard('DELETE /session')
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401
    if (!isOver) return notify({ title: t('signOut.failed'), description: messageOf(error), kind: 'bad' })
  }
  forgetStored()
  await installedApp()
    .then((app) => app.removeWorker())
    .catch(() => {})
  recordSignOut()
  location.assign(`${siteBase()}sign-in`)
}

/** Returns the member's pages in the menu. */
function usePages(workspace: string): PageValue[] {
  const session = useWorkspaceSession(workspace)
  return PAGES.filter(
    (page) =>
      hasRole(session.member.role, page.role) &&
      (!page.sandboxOnly || session.workspace.sandbox) &&
      (!page.socialOnly || session.workspace.socialAddon) &&
      (!page.module || session.workspace.modules.includes(page.module)),
  )
}

/** For pages that read nothing, or never stop reading. */
const AHEAD_AFTER_MS = 5_000

type Popup = 'palette' | 'keys'

/**
 * Loads parts that open later once the page has its data, because on a slow connection they would delay it.
 */
function LoadAhead() {
  const isReading = useIsFetching() > 0
  const hasRead = useRef(false)
  hasRead.current ||= isReading
  useEffect(() => {
    if (hasRead.current && !isReading) prefetch()
  }, [isReading])
  useEffect(() => {
    const timer = setTimeout(prefetch, AHEAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return null
}

export function Frame() {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const session = useWorkspaceSession(workspace)
  const pages = usePages(workspace)
  const preferences = usePreferences()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Popup | null>(null)
  // A popup that was opened once stays loaded, so that its closing animation runs.
  const openedPopups = useRef(new Set<Popup>()).current
  if (open) openedPopups.add(open)
  useLayoutEffect(() => {
    setPopupOpening(open !== null)
    return () => setPopupOpening(false)
  }, [open])
  const confirming = useIdentityQuestion()
  const wasAsked = useRef(false)
  wasAsked.current ||= confirming !== undefined
  const [phone, setPhone] = useState(false)
  const matches = useMatches()
  const currentPage = PAGES.find((page) => page.id === matches.at(-1)?.staticData.page)

  const pageId = currentPage?.id

  // A viewer, who can't write, can't act as the customer either.
  const mayPlay = session.workspace.sandbox && hasRole(session.member.role, 'agent')

  useEffect(() => {
    setPhoneBeside(phone)
    return () => setPhoneBeside(false)
  }, [phone])
  useSandboxClock(session)
  useStartAction()
  useEffect(() => listen(workspace), [workspace])
  useEffect(resumeOutbox, [])
  useEffect(keepLostFocus, [])
  useEffect(
    () =>
      onPrefetch(async () => {
        const app = await installedApp()
        app.followNotifications((to) => void navigate({ to }))
        await app.startWorker()
        await (await import('./push.ts')).renewPush(workspace)
      }),
    [workspace, navigate],
  )
  useTabTitle(currentPage ? `${t(currentPage.title)} · ${session.workspace.name}` : session.workspace.name, {
    workspace,
    memberId: session.member.id,
  })

  useCommands(
    FRAME_COMMANDS,
    {
      mayPlay,
      preferences,
      openPalette: () => setOpen('palette'),
      openKeys: () => setOpen('keys'),
      togglePhone: () => setPhone((before) => !before),
      setPreferences,
      togglePin: isInMenu(pageId) ? () => togglePin(workspace, pageId) : undefined,
      signOut: () => void signOut(),
    },
    { scope: 'frame', title: t },
  )
  const goCommands = useMemo(
    () =>
      pages.map(
        (page): Command<(to: PageValue) => void, PageValue['title']> => ({
          id: `go-${page.id}`,
          title: page.title,
          ...(page.go ? { keys: `g ${page.go}` } : {}),
          run: (go) => go(page),
        }),
      ),
    [pages],
  )
  useCommands(goCommands, (page: PageValue) => void navigate({ to: `/w/${workspace}/${plainPath(page)}` }), {
    scope: 'go',
    title: t,
  })
  useKeyListener()

  const menu = {
    session,
    pages,
    onSearch: () => setOpen('palette'),
    onSignOut: () => void signOut(),
    onPhone: mayPlay ? () => setPhone((before) => !before) : undefined,
  }
  return (
    <div className="flex h-full flex-col">
      <button
        type="button"
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:start-2 focus-visible:top-2 focus-visible:z-60 focus-visible:rounded-md focus-visible:bg-surface-1 focus-visible:px-3 focus-visible:py-2"
        onClick={() => document.getElementById('page')?.focus()}
      >
        {t('menu.skip')}
      </button>
      <LoadAhead />
      <PageFocus />
      <ConnectionBar />
      <div className="flex min-h-0 flex-1">
        <SideMenu {...menu} />
        <main
          id="page"
          tabIndex={-1}
          // The phone is next to the page if there is room for both.
          data-beside={phone || undefined}
          className={classes('flex min-h-0 min-w-0 flex-1 flex-col outline-none', phone && 'md:me-100')}
        >
          {currentPage && !hasRole(session.member.role, currentPage.role) ? (
            <RoleRefused
              page={t(currentPage.title)}
              role={currentPage.role}
              workspace={session.workspace.name}
            />
          ) : session.secondFactorRequired && currentPage?.id !== 'profile' ? (
            <FactorRefused profile={`/w/${workspace}/profile`} />
          ) : (
            <Outlet />
          )}
        </main>
      </div>
      <BottomTabs {...menu} />
      <Suspense>
        {openedPopups.has('palette') && <Palette open={open === 'palette'} onClose={() => setOpen(null)} />}
        {openedPopups.has('keys') && <KeysSheet open={open === 'keys'} onClose={() => setOpen(null)} />}
        {wasAsked.current && (
          <ConfirmIdentity question={confirming} account={session.account} member={session.member} />
        )}
        {phone && <PhoneDrawer onClose={() => setPhone(false)} />}
      </Suspense>
    </div>
  )
}
