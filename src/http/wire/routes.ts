import type { Endpoint } from '../../core/endpoint.ts'

export const BASE_PATH = '/api/v1'
export const DASHBOARD_PATH = '/api/dashboard'
export const BODY_LIMIT_BYTES = 64 * 1024

/** Returns Fastify's path of an endpoint. */
export const routeOf = (value: Endpoint): string =>
  (value.auth === 'session' ? DASHBOARD_PATH : BASE_PATH) + value.path
