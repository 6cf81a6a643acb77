import { z } from 'zod'
import { MINUTE_MS, SECOND_MS } from '../../../core/clock.ts'
import { inOrder } from '../webhook-queue.ts'

const Milliseconds = z
  .int()
  .min(0)
  .max(60 * MINUTE_MS)

const Receipts = z.strictObject({
  sentMs: Milliseconds.nullable(),
  deliveredMs: Milliseconds.nullable(),
  readMs: Milliseconds.nullable(),
})

const Webhooks = z.strictObject({
  shuffle: z.boolean(),
  duplicate: z.number().min(0).max(1),
  batch: z.int().min(1).max(1000),
  gatherMs: Milliseconds,
  drop: z.array(z.enum(['sent', 'delivered', 'read', 'failed'])),
  hold: z.boolean(),
})

const Limits = z.strictObject({
  /**
   * 80 messages per second for a number, 1000 if its throughput is HIGH, else 20 (docs/formats.md section
   * 12).
   */
  throughput: z.boolean(),
  /** Replaces the limit of the number's throughput. */
  perSecond: z.int().min(1).nullable(),
  /** A burst of 45 messages to one customer, then one every six seconds. */
  pair: z.boolean(),
})

/** The behavior of a standalone simulator. docs/simulator.md explains each setting. */
export const Settings = z.strictObject({
  callbackUrl: z
    .httpUrl()
    .or(z.url({ protocol: /^https?$/ }))
    .nullable(),
  /** The HTTP status of throttles: the operator documents 400, some edges answer 429. */
  throttleStatus: z.literal([400, 429]),
  /** Free-form messages fail with 131047 outside the 24 hours after the customer's last message. */
  window: z.boolean(),
  /** Templates must exist, be approved, and get exactly their parameters. */
  templates: z.boolean(),
  /** Customers have user ids, which every webhook names (docs/formats.md section 11). */
  userIds: z.boolean(),
  receipts: Receipts,
  limits: Limits,
  webhooks: Webhooks,
})
export type Settings = z.infer<typeof Settings>

/** A part of the settings; omitted fields of a group are unchanged. */
export const SettingsPatch = Settings.extend({
  receipts: Receipts.partial(),
  limits: Limits.partial(),
  webhooks: Webhooks.partial(),
}).partial()
export type SettingsPatch = z.infer<typeof SettingsPatch>

/** No faults and no limits. */
export const defaultSettings: Settings = {
  callbackUrl: null,
  throttleStatus: 400,
  window: false,
  templates: true,
  userIds: false,
  receipts: { sentMs: SECOND_MS, deliveredMs: 2 * SECOND_MS, readMs: 5 * SECOND_MS },
  limits: { throughput: false, perSecond: null, pair: false },
  webhooks: { ...inOrder, drop: [] },
}

export function changedSettings(settings: Settings, patch: SettingsPatch): Settings {
  return {
    ...settings,
    ...patch,
    receipts: { ...settings.receipts, ...patch.receipts },
    limits: { ...settings.limits, ...patch.limits },
    webhooks: { ...settings.webhooks, ...patch.webhooks },
  }
}
