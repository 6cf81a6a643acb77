/** The table of contents: every endpoint, event and job of the service. */
import type { Endpoint } from './core/endpoint.ts'
import type { EventKind } from './core/event.ts'
import type { JobKind } from './core/job.ts'
import { getMe, getPhoneNumbers } from './modules/workspaces/endpoints.ts'

/** In the order of the specification. */
export const EVENTS: EventKind[] = []

export const ENDPOINTS: Endpoint[] = [getMe, getPhoneNumbers]

export const JOB_KINDS: JobKind[] = []
