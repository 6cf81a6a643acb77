/** Access rules as SQL, for statements that check a batch. */
import type { Plan } from '../../../../core/context.ts'
import { PLANS } from '../plans.ts'

/**
 * Returns the SQL condition that the row `key` of `api_keys` is valid at a time of its workspace; `time` is
 * an expression. False without a row. Authentication tells an expired from a revoked key
 * (http/auth/authentication.ts).
 */
export const keyWorksSql = (key: string, time: string): string =>
  `(${key}.id is not null and ${key}.revoked_at is null and (${key}.expires_at is null or ${key}.expires_at > ${time}))`

const withoutApi = Object.entries(PLANS)
  .filter(([, plan]) => !plan.api)
  .map(([name]) => `'${name}'`)

/**
 * Returns the SQL condition that the plan of the row `workspace` of `workspaces` includes the API and
 * webhooks; a sandbox always has them.
 */
export const hasApiSql = (workspace: string): string =>
  `(${workspace}.sandbox or ${workspace}.plan not in (${withoutApi.join(', ')}))`

/** Returns how many sales documents a workspace may issue in a month; null: no limit. */
export const documentAllowanceOf = ({ plan }: { plan: Plan }): number | null => PLANS[plan].documentAllowance
