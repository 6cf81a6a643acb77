import type { TestWorkspace } from './boot.ts'

/**
 * Returns the third day after the next clock change that makes a day shorter, or longer, in a sandbox's time
 * zone. `goTo` moves the sandbox's clock to a future moment.
 */
export async function afterChange(
  shop: Pick<TestWorkspace, 'get' | 'advance'>,
  kind: 'shorter' | 'longer',
  timezone: string,
): Promise<{ today: Temporal.ZonedDateTime; goTo(time: Temporal.ZonedDateTime): Promise<void> }> {
  const now = async (): Promise<Temporal.ZonedDateTime> => {
    const { body } = await shop.get('/sandbox/clock')
    return Temporal.Instant.from(body.now).toZonedDateTimeISO(timezone)
  }
  const next = (await now()).add({ days: 7 }).getTimeZoneTransition('next')!
  const isWanted = next.hoursInDay < 24 === (kind === 'shorter')
  const change = isWanted ? next : next.getTimeZoneTransition('next')!
  return {
    today: change.add({ days: 3 }),
    goTo: async (time) => {
      await shop.advance(Math.ceil((time.epochMilliseconds - (await now()).epochMilliseconds) / 1_000))
    },
  }
}
