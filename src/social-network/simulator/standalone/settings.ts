import { z } from 'zod'
import { MINUTE_MS } from '../../../core/clock.ts'
import { inOrder } from '../../../operator/simulator/postbox.ts'

const Webhooks = z.strictObject({
  /** Those of the same moment come in any order. */
  shuffle: z.boolean(),
  /** The share that comes twice, 0 to 1. */
  duplicate: z.number().min(0).max(1),
  /** At most so many in one POST. */
  batch: z.int().min(1).max(1000),
  /** How long they are gathered to be shuffled or batched, in milliseconds. */
  gatherMs: z
    .int()
    .min(0)
    .max(60 * MINUTE_MS),
  /** Nothing comes until this ends. */
  hold: z.boolean(),
})

/** How a simulated photo network that stands alone behaves (docs/simulator.md). */
export const Settings = z.strictObject({
  callbackUrl: z
    .httpUrl()
    .or(z.url({ protocol: /^https?$/ }))
    .nullable(),
  webhooks: Webhooks,
  /** Photos and videos are fetched at their addresses when a post is made; what does not come is refused. */
  fetchMedia: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

/** Some of the settings; what a group does not name stays as it is. */
export const SettingsPatch = Settings.extend({ webhooks: Webhooks.partial() }).partial()
export type SettingsPatch = z.infer<typeof SettingsPatch>

const { drop: _, ...calm } = inOrder

/** Everything goes well. */
export const calmSettings: Settings = { callbackUrl: null, webhooks: calm, fetchMedia: true }

export const changedSettings = (settings: Settings, patch: SettingsPatch): Settings => ({
  ...settings,
  ...patch,
  webhooks: { ...settings.webhooks, ...patch.webhooks },
})
