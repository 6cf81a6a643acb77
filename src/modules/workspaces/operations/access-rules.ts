/** Who has access, as SQL for statements that judge a batch. */
import type { Plan } from '../../../core/context.ts'
import { PLANS } from '../plans.ts'

/**
 * Whether the row `key` of `api_keys` works at a moment of its workspace's time; `at` is an expression. False where there is
 * no such row. Authentication says which of the two it was (http/authentication.ts).
 */
export const keyWorksSql = (key: string, at: string): string =>
  `(${key}.id is not null and ${key}.revoked_at is null and (${key}.expires_at is null or ${key}.expires_at > ${at}))`

const withoutApi = Object.entries(PLANS)
  .filter(([, plan]) => !plan.api)
  .map(([name]) => `'${name}'`)

/** Whether the plan of the row `workspace` of `workspaces` has the API and webhooks; a sandbox always does. */
export const hasApiSql = (workspace: string): string =>
  `(${workspace}.sandbox or ${workspace}.plan not in (${withoutApi.join(', ')}))`

/** How many sales documents a workspace may issue in a month; null: no limit. */
export const documentAllowanceOf = ({ plan }: { plan: Plan }): number | null => PLANS[plan].documentAllowance
