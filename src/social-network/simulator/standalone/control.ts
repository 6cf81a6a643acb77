import { z } from 'zod'
import { comment, type Reported, writeDm } from '../customers.ts'
import type { MemoryStore } from '../memory-store.ts'
import { FAULT_KINDS, type SimulatedAccount } from '../store.ts'
import { changedSettings, type Settings, SettingsPatch } from './settings.ts'

/** The parts of a standalone simulated photo network. */
export type SimulatorState = {
  store: MemoryStore
  settings: { current: Settings; first: Settings }
  posted(): { posted: number; givenUp: number; waiting: number }
  /** Sends the held reports. */
  release(): void
}

const Name = z.string().min(1).max(100)
const AtNetwork = z.string().regex(/^\d{1,30}$/)

/** A customer writes in a direct chat. */
const Writing = z.strictObject({
  from: Name,
  text: z.string().min(1).optional(),
  photos: z.int().min(0).max(10).optional(),
  agoSeconds: z.int().min(0).optional(),
  mid: z.string().min(1).max(500).optional(),
})

/** A customer comments, replies in a thread, or mentions the account. */
const Commenting = z.strictObject({
  from: Name,
  text: z.string().min(1),
  mediaId: AtNetwork.optional(),
  replyTo: AtNetwork.optional(),
  mention: z.boolean().optional(),
  live: z.boolean().optional(),
})

const Arming = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  times: z.int().min(1).max(1_000_000).default(1),
})

/** Any report in the network's format. */
const Reporting = z.union([
  z.strictObject({ messaging: z.record(z.string(), z.unknown()) }),
  z.strictObject({ field: Name, value: z.record(z.string(), z.unknown()) }),
])

type Control = (state: SimulatorState, account: SimulatedAccount, body: unknown) => unknown

const shown = ({ networkId: id, customerId }: Reported) => ({ id, customerId })

// Removes fields that were not given.
const parseGiven = <T extends object>(shape: z.ZodType<T>, body: unknown) =>
  shape.parse(body) as { [K in keyof T]: Exclude<T[K], undefined> }

/** The control calls, by method and path under `/_simulator`. To add a call, add a row. */
export const controls: Record<string, Control> = {
  'GET /state': ({ settings, store, posted }) => ({
    settings: settings.current,
    accounts: store.accounts.map(({ networkId, username }) => ({ networkId, username })),
    faults: store.faults(),
    webhooks: posted(),
  }),
  'POST /reset': (state) => {
    state.store.clearFaults()
    return change(state, state.settings.first)
  },
  'POST /settings': (state, _, body) => change(state, SettingsPatch.parse(body)),
  'POST /faults': ({ store }, _, body) => {
    const { kind, times } = Arming.parse(body)
    store.armFault(kind, times)
  },
  'DELETE /faults': ({ store }) => store.clearFaults(),
  'POST /dm': async ({ store }, account, body) =>
    shown(await writeDm(store, account, parseGiven(Writing, body))),
  'POST /comments': async ({ store }, account, body) =>
    shown(await comment(store, account, parseGiven(Commenting, body))),
  'POST /reports': async ({ store }, account, body) => {
    await store.report(account, Reporting.parse(body))
  },
}

function change({ settings, release }: SimulatorState, patch: SettingsPatch): Settings {
  settings.current = changedSettings(settings.current, patch)
  if (!settings.current.webhooks.hold) release()
  return settings.current
}
