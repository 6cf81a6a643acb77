/** Tells what a send would do and cost, and when it would leave (messaging/messages/DECISIONS.md "A check without sending"). */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { hasScope } from '../../../../core/scopes.ts'
import { dayOf } from '../../../../core/values/calendar.ts'
import { pricedCountOf, recipientOf } from '../../../messaging/messages/pricing/operations.ts'
import { previewSend } from '../../../messaging/messages/sending/operations/preview-send.ts'
import type { SendBody } from '../../../messaging/messages/sending/send-schema.ts'
import { figuresOf } from '../../billing/operations/cost-figures.ts'
import { readRateCard } from '../../billing/operations/costs.ts'
import type { SendPreview } from '../preview-schema.ts'
import { findPause } from '../queries.ts'
import { pauseOf } from './now-waiting.ts'

type Checked = Awaited<ReturnType<typeof previewSend>>

/** Returns the expected charge of one message at the rates of today. */
async function expectCost(ctx: Context, { category, billable, recipientPhone }: Checked) {
  if (category === null || !hasScope(ctx, 'billing:read')) return { currency: null, cost: null }
  const day = dayOf(ctx.now, ctx.workspace.timezone)
  const card = await readRateCard(ctx, day)
  const recipient = recipientPhone === null ? null : recipientOf(recipientPhone)
  const count = { ...pricedCountOf({ category, billable }, { day, recipient }), messages: 1 }
  return { currency: card?.currency ?? null, cost: figuresOf([count], card) }
}

/** Returns when the message would leave, and why not now. */
async function expectTime(ctx: Context, { wouldSend, phoneNumberId }: Checked) {
  if (!wouldSend || phoneNumberId === null) return { leavesAt: null, waitsFor: null }
  const lane = await findPause(ctx, phoneNumberId)
  const pause = lane && pauseOf(ctx, lane)
  return { leavesAt: pause?.until ?? ctx.now.toISOString(), waitsFor: pause?.text ?? null }
}

/** Returns what `POST /send` would do with this body. Stores nothing. */
export async function previewMessage(ctx: Context, body: SendBody): Promise<z.input<typeof SendPreview>> {
  const checked = await previewSend(ctx, body)
  const [cost, time] = [await expectCost(ctx, checked), await expectTime(ctx, checked)]
  const { refusals, windowExpiresAt, recipientPhone: _, ...preview } = checked
  return {
    ...preview,
    ...cost,
    ...time,
    windowExpiresAt: windowExpiresAt?.toISOString() ?? null,
    refusals: refusals.map(({ code, message, details }) => ({
      error: code,
      message,
      issues: details.issues ?? [],
    })),
  }
}
