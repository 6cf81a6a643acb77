import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { Api, BookingService, BookingStaff, DashboardApi } from '../../sdk/api.ts'
import { call, callDashboard } from '../api/request.ts'

export type Workspace = DashboardApi['GET /workspace']['reply']['workspace']
export type WorkspacePatch = DashboardApi['PATCH /workspace']['body']
export type Security = DashboardApi['GET /security']['reply']['security']
export type ConnectedNumber = DashboardApi['POST /numbers']['reply']
type ActivityPage = Api['GET /activity']['reply']
export type Activity = ActivityPage['activity'][number]
type RowsPage<Row> = { rows: Row[]; nextCursor: string | null }

const PAGE = 50

export const workspaceQuery = queryOptions({
  queryKey: ['workspace', 'one'],
  queryFn: async () => (await callDashboard('GET /workspace')).workspace,
})

/** Reads the business hours; the stream names them by the workspace. */
export const businessHoursQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['businessHours', 'one', workspace],
    queryFn: async () => (await call('GET /business-hours')).businessHours,
  })

export const securityQuery = queryOptions({
  queryKey: ['security', 'one'],
  queryFn: async () => (await callDashboard('GET /security')).security,
})

const nextOf = (page: RowsPage<unknown>): string | undefined => page.nextCursor ?? undefined
const FIRST = undefined as string | undefined

export const activityQuery = infiniteQueryOptions({
  queryKey: ['activity', 'list'],
  queryFn: async ({ pageParam: cursor, signal }): Promise<RowsPage<Activity>> => {
    const { activity, nextCursor } = await call('GET /activity', { query: { limit: PAGE, cursor }, signal })
    return { rows: activity, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
  staleTime: 0,
})

export const signInsQuery = infiniteQueryOptions({
  queryKey: ['activity', 'list', 'sign-ins'],
  queryFn: async ({ pageParam: cursor, signal }): Promise<RowsPage<Activity>> => {
    const { signIns, nextCursor } = await callDashboard('GET /sign-ins', {
      query: { limit: PAGE, cursor },
      signal,
    })
    return { rows: signIns, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
  staleTime: 0,
})

export const repliesQuery = infiniteQueryOptions({
  queryKey: ['quickReply', 'list', 'all'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const { quickReplies, nextCursor } = await call('GET /quick-replies', {
      query: { limit: PAGE, cursor },
      signal,
    })
    return { rows: quickReplies, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

export const macrosQuery = infiniteQueryOptions({
  queryKey: ['macro', 'list', 'all'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const { macros, nextCursor } = await call('GET /macros', { query: { limit: PAGE, cursor }, signal })
    return { rows: macros, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

export const teamsQuery = infiniteQueryOptions({
  queryKey: ['team', 'list', 'all'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const { teams, nextCursor } = await call('GET /teams', { query: { limit: PAGE, cursor }, signal })
    return { rows: teams, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

export const tagsQuery = infiniteQueryOptions({
  queryKey: ['tag', 'list', 'all'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const { tags, nextCursor } = await call('GET /tags', { query: { limit: PAGE, cursor }, signal })
    return { rows: tags, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

export const segmentsQuery = infiniteQueryOptions({
  queryKey: ['segment', 'list', 'pages'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const { segments, nextCursor } = await call('GET /segments', { query: { limit: PAGE, cursor }, signal })
    return { rows: segments, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

export const contactFieldsQuery = infiniteQueryOptions({
  queryKey: ['contactField', 'list', 'all'],
  queryFn: async ({ pageParam: cursor, signal }) => {
    const { contactFields, nextCursor } = await call('GET /contact-fields', {
      query: { limit: PAGE, cursor },
      signal,
    })
    return { rows: contactFields, nextCursor }
  },
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

/** Reads all services, with the paged lists of these pages. */
export const bookingServicesQuery = infiniteQueryOptions({
  queryKey: ['bookingSetup', 'list', 'pages', 'services'],
  queryFn: async ({ signal }): Promise<RowsPage<BookingService>> => ({
    rows: (await call('GET /booking-services', { signal })).services,
    nextCursor: null,
  }),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})

export const bookingStaffQuery = infiniteQueryOptions({
  queryKey: ['bookingSetup', 'list', 'pages', 'staff'],
  queryFn: async ({ signal }): Promise<RowsPage<BookingStaff>> => ({
    rows: (await call('GET /booking-staff', { signal })).staff,
    nextCursor: null,
  }),
  initialPageParam: FIRST,
  getNextPageParam: nextOf,
})
