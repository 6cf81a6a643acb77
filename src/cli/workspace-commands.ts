import type { Plan } from '../core/context.ts'
import type { Destination } from '../core/moving.ts'
import { isTimeZone } from '../core/values/calendar.ts'
import { isCallingCode } from '../core/values/country.ts'
import { LANGUAGES } from '../core/values/languages.ts'
import { getWorkspace } from '../modules/platform/workspaces/operations/get-workspace.ts'
import { recordFirstUpgrade, startTrial } from '../modules/platform/workspaces/operations/trials.ts'
import {
  createWorkspace,
  listWorkspaces,
  setWorkspace,
} from '../modules/platform/workspaces/operations/workspaces.ts'
import { PLANS } from '../modules/platform/workspaces/plans.ts'
import { MODULES } from '../modules/platform/workspaces/schema.ts'
import { command, UsageError } from './command.ts'
import {
  between,
  count,
  email,
  id,
  name,
  oneOf,
  onOrOff,
  parseCount,
  required,
  someOf,
  switchFlag,
} from './flags.ts'
import { inInstallation } from './installation.ts'

const plan = oneOf(Object.keys(PLANS) as Plan[])
/** The plan of a trial, unless another is named. */
const TRIAL_PLAN: Plan = 'pro'

export const workspaceCommands = [
  command({
    name: 'workspace create',
    summary:
      'Create a workspace with its owner. A sandbox also gets a simulated number. Its default name is Sandbox.',
    flags: {
      name,
      plan,
      sandbox: switchFlag,
      countryCode: { placeholder: '91', parse: parseCountryCode },
      timezone: { placeholder: 'Asia/Kolkata', parse: parseTimezone },
      language: oneOf(LANGUAGES),
      ownerEmail: email,
      ownerName: name,
    },
    run: (flags, context) => {
      const input = { ...flags, name: flags.name ?? nameless(flags.sandbox) }
      return inInstallation(context, ({ tx, now, sealer }) => createWorkspace(tx, input, now, sealer))
    },
  }),
  command({
    name: 'workspace list',
    summary: 'List all workspaces, and the new address of those that moved away.',
    flags: {},
    run: (_, context) =>
      inInstallation(context, async ({ tx }) => {
        const workspaces = await listWorkspaces(tx)
        const haveMoved = workspaces.some(({ movedTo }) => movedTo)
        return {
          workspaces: workspaces.map(({ id, name, plan, sandbox, createdAt, movedTo }) => ({
            id,
            name,
            plan,
            sandbox,
            createdAt,
            ...(haveMoved ? { movedTo: movedTo && nameOf(movedTo as Destination) } : {}),
          })),
        }
      }),
  }),
  command({
    name: 'workspace set',
    summary: "Change a workspace's plan, add-ons, and limits, and show the result.",
    flags: {
      workspace: required(id()),
      plan,
      language: oneOf(LANGUAGES),
      leadCapture: onOrOff,
      socialAddon: onOrOff,
      social: onOrOff,
      modules: someOf(MODULES),
      contactLimit: count,
      messageAllowance: count,
      marketingCap: between(1, 8),
      coolOffDays: between(0, 365),
      followUpHours: between(0, 8_760),
      messageDays: { placeholder: '0|90…', parse: parseMessageDays },
      trial: switchFlag,
    },
    run: ({ workspace, social, trial, plan, ...patch }, context) =>
      inInstallation(context, async ({ tx, now }) => {
        if (trial) await startTrial(tx, workspace, plan ?? TRIAL_PLAN, now)
        const before = await getWorkspace(tx, workspace)
        const settings = { ...patch, plan: trial ? undefined : plan, socialEnabled: social }
        const after = await setWorkspace(tx, workspace, omitUndefined(settings))
        if (plan && !trial)
          await recordFirstUpgrade(tx, workspace, { from: before.plan as Plan, to: plan }, now)
        return after
      }),
  }),
]

const nameOf = ({ address, cell }: Destination): string => address ?? `cell ${cell}`

/** Returns the default name of a sandbox. Other workspaces are permanent, so their name is required. */
function nameless(sandbox: boolean | undefined): string {
  if (!sandbox) throw new UsageError('--name: Required.')
  return 'Sandbox'
}

// Omits settings that were not given, so that they stay unchanged.
const omitUndefined = <T extends object>(patch: T): Partial<T> =>
  Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<T>

function parseCountryCode(code: string): string {
  const digits = code.replace(/^\+/, '')
  if (!isCallingCode(digits)) throw new UsageError(`Must be a calling code, such as 91, not "${code}".`)
  return digits
}

function parseTimezone(zone: string): string {
  if (isTimeZone(zone)) return zone
  throw new UsageError(`Must be a time zone, such as Asia/Kolkata, not "${zone}".`)
}

function parseMessageDays(text: string): number {
  const days = parseCount(text)
  if (days !== 0 && days < 90) throw new UsageError('Must be 0 (no limit) or at least 90.')
  return days
}
