import { z } from 'zod'
import { MINUTE_MS } from '../../../core/clock.ts'
import { inOrder } from '../../../operator/simulator/webhook-queue.ts'

const Webhooks = z.strictObject({
  /** Reports of the same moment arrive in any order. */
  shuffle: z.boolean(),
  /** The share of reports that arrive twice, 0 to 1. */
  duplicate: z.number().min(0).max(1),
  /** The maximum number of reports in one POST. */
  batch: z.int().min(1).max(1000),
  /** The milliseconds for which reports are collected before they are shuffled or batched. */
  gatherMs: z
    .int()
    .min(0)
    .max(60 * MINUTE_MS),
  /** No reports are sent while this is true. */
  hold: z.boolean(),
})

/** The behavior of a standalone simulated photo network (docs/simulator.md). */
export const Settings = z.strictObject({
  callbackUrl: z
    .httpUrl()
    .or(z.url({ protocol: /^https?$/ }))
    .nullable(),
  webhooks: Webhooks,
  /** Fetches photos and videos when a post is created, and rejects a post with an unreachable file. */
  fetchMedia: z.boolean(),
})
export type Settings = z.infer<typeof Settings>

/** A part of the settings; omitted fields of a group are unchanged. */
export const SettingsPatch = Settings.extend({ webhooks: Webhooks.partial() }).partial()
export type SettingsPatch = z.infer<typeof SettingsPatch>

const { drop: _, ...calm } = inOrder

/** No faults. */
export const defaultSettings: Settings = { callbackUrl: null, webhooks: calm, fetchMedia: true }

export const changedSettings = (settings: Settings, patch: SettingsPatch): Settings => ({
  ...settings,
  ...patch,
  webhooks: { ...settings.webhooks, ...patch.webhooks },
})
