import type { DashboardApi } from '../../sdk/api.ts'

/** A checked request of an app, for an admin to allow. */
export type AppRequest = Extract<DashboardApi['POST /app-requests']['reply'], { state: 'asked' }>
