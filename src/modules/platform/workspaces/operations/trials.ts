/**
 * Trials of a higher plan: seven days, once for each workspace (spec 5.2;
 * src/modules/reporting/billing/DECISIONS.md).
 */
import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Plan, Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { PLANS } from '../plans.ts'
import { beginTrial } from '../queries/trials.ts'
import { getWorkspace } from './get-workspace.ts'

const TRIAL_MS = 7 * DAY_MS

const rankOf = (plan: Plan): number => Object.keys(PLANS).indexOf(plan)

/** Gives a workspace a plan for seven days; then its earlier plan returns. */
export async function startTrial(tx: Tx, id: string, plan: Plan, now: Date): Promise<void> {
  const workspace = await getWorkspace(tx, id)
  if (workspace.sandbox)
    refuse('conflict', 'A sandbox already has everything that a trial includes. Nothing was changed.')
  if (workspace.trialUsed)
    refuse('conflict', 'The workspace already had its trial. Set a plan without --trial.')
  if (rankOf(plan) <= rankOf(workspace.plan as Plan))
    refuse('conflict', `The workspace is already on ${workspace.plan}. Choose a higher plan with --plan.`)
  const hasBegun = await beginTrial(tx, id, { plan, endsAt: later(now, TRIAL_MS) })
  if (!hasBegun) refuse('conflict', 'Another trial has just started. Nothing was changed.')
}

/**
 * Records the trial of a first upgrade (spec 5.2): a free workspace that gets a paid plan has it on trial for
 * seven days, and keeps it afterwards. Call it after setting the plan.
 */
export async function recordFirstUpgrade(
  tx: Tx,
  id: string,
  { from, to }: { from: Plan; to: Plan },
  now: Date,
): Promise<void> {
  const { sandbox, trialUsed } = await getWorkspace(tx, id)
  if (sandbox || trialUsed || from !== 'free' || !PAID.includes(to)) return
  await beginTrial(tx, id, { plan: to, fallsTo: to, endsAt: later(now, TRIAL_MS) })
}

const PAID: Plan[] = ['pro', 'enterprise']
