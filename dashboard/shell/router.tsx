/** Builds the routes from the table of pages. */
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { siteBase } from '../api/address.ts'
import { onChange, patchLists, queryClient } from '../api/cache.ts'
import { ApiError } from '../api/errors.ts'
import { hasRole, type Session, sessionQuery } from '../api/session.ts'
import { FRAME_PATHS, PAGES, type PageModule, type PageValue, plainPath } from '../pages.ts'
import { NotFound, NoWorkspace, RouteFailed } from './error-pages.tsx'
import { Frame } from './frame.tsx'
import { followLanguage } from './language.ts'
import { lazyPage } from './lazy-page.tsx'

const toSignIn = (href: string): never =>
  redirect({ href: `${siteBase()}sign-in?next=${encodeURIComponent(href)}`, throw: true }) as never

/** Returns the session in `workspace`, or redirects to the sign-in. */
async function requireSession(workspace: string | undefined, href: string): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery(workspace)).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  })
  if (session) followLanguage(session)
  return session ?? toSignIn(href)
}

/** True if a page was opened already: from then on, pages read their data themselves. */
let hasOpened = false

/** Loads a page, and updates its data from then on. */
async function loadPage({ load }: PageValue): Promise<PageModule> {
  const page = await load()
  patchLists(page.lists ?? [])
  for (const [kind, rule] of Object.entries(page.changeRules ?? {})) onChange(kind, rule)
  return page
}

const root = createRootRoute({ component: Outlet, errorComponent: RouteFailed, notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => root,
  path: FRAME_PATHS.home,
  beforeLoad: async ({ location }) => {
    const { workspaces } = await requireSession(undefined, location.href)
    const first = workspaces[0]
    const { do: action } = location.search as { do?: string }
    if (first && action !== undefined)
      redirect({
        to: `/w/${first.id}/inbox`,
        search: action === 'inbox' ? {} : { do: action },
        replace: true,
        throw: true,
      } as never)
    if (first) redirect({ to: `/w/${first.id}`, replace: true, throw: true })
  },
  component: NoWorkspace,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: FRAME_PATHS.signIn,
  component: lazyPage(() => import('../sign-in/page.tsx')),
})

const billing = createRoute({
  getParentRoute: () => root,
  path: FRAME_PATHS.billing,
  beforeLoad: async ({ location }) => {
    const { workspaces } = await requireSession(undefined, location.href)
    const first = workspaces[0]
    redirect({ to: first ? `/w/${first.id}/settings/usage` : '/', replace: true, throw: true })
  },
})

const connectApp = createRoute({
  getParentRoute: () => root,
  path: FRAME_PATHS.connectApp,
  beforeLoad: async () => {
    // The router would write some values of the query in another way.
    await requireSession(undefined, location.pathname + location.search)
  },
  component: lazyPage(() => import('../connect-app/page.tsx')),
})

const workspace = createRoute({
  getParentRoute: () => root,
  path: FRAME_PATHS.workspace,
  beforeLoad: async ({ params, location }) => {
    // The page is fetched while the session is being read.
    const [first] = location.pathname.split(`/w/${params.workspace}/`)[1]?.split('/') ?? []
    const page = PAGES.find(({ path }) => path.split('/')[0] === first)
    if (page)
      void loadPage(page)
        .then(({ readAhead }) => {
          if (!hasOpened) readAhead?.(location.search)
          hasOpened = true
        })
        .catch(() => {})
    await requireSession(params.workspace, location.href)
  },
  component: Frame,
  errorComponent: RouteFailed,
})

/** Returns whether an admin came by a link, and has no other way to sign in: First steps then comes first. */
const needsOwnSignIn = ({ account, member }: Session): boolean =>
  member !== null && hasRole(member.role, 'admin') && !account.hasPassword && account.passkeys.length === 0

const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    const session = queryClient.getQueryData(sessionQuery(params.workspace).queryKey)
    const first = session && needsOwnSignIn(session) ? 'settings/start' : plainPath(PAGES[0]!)
    redirect({ to: `/w/${params.workspace}/${first}`, replace: true, throw: true })
  },
})

const pages = PAGES.map((page) =>
  createRoute({
    getParentRoute: () => workspace,
    path: page.path,
    component: lazyPage(() => loadPage(page)),
    staticData: { page: page.id },
  }),
)

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    signIn,
    billing,
    connectApp,
    workspace.addChildren([workspaceHome, ...pages]),
  ]),
  basepath: siteBase(),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: false,
})

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** The page's name in `PAGES`. */
    page?: string
  }
}
