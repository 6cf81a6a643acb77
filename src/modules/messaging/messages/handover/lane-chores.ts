/** Work for the held lanes besides calls: renewing leases, releasing lanes, and fetching more messages. */
import type { Dispatcher } from './dispatcher.ts'
import { fetchAhead, fetchAheadOfCampaigns } from './fetch-ahead.ts'
import { fetchEveryMs, isRunningLow, type Lane, runsLowOnCampaigns } from './lane.ts'
import { RENEW_EVERY_MS, release, renewLeases, sweepPairs } from './lane-leases.ts'

const SWEEP_EVERY_MS = 2_000
/**
 * A lane without messages is released after this time. Until then it is checked often, because any process
 * may accept its messages.
 */
const IDLE_AFTER_MS = 10_000
/** For a longer pause than this, the lane is released. */
const SHORT_PAUSE_MS = 5_000

const isFinished = (lane: Lane, nowMs: number, nowMonotonicMs: number): boolean =>
  lane.inFlight === 0 &&
  (lane.pausedUntilMs > nowMs + SHORT_PAUSE_MS ||
    (lane.known.size === 0 && nowMonotonicMs - lane.busyAtMs > IDLE_AFTER_MS))

async function fetchMore(dispatcher: Dispatcher, nowMs: number, nowMonotonicMs: number): Promise<void> {
  const open = () => [...dispatcher.lanes.values()].filter((lane) => lane.pausedUntilMs <= nowMs)
  const isDue = (lane: Lane, hasMore: boolean, lookedAtMs: number): boolean =>
    hasMore || nowMonotonicMs - lookedAtMs > fetchEveryMs(lane)
  await fetchAhead(
    dispatcher,
    open().filter((lane) => isRunningLow(lane) && isDue(lane, lane.more, lane.lookedAtMs)),
  )
  await fetchAheadOfCampaigns(
    dispatcher,
    open().filter(
      (lane) => runsLowOnCampaigns(lane) && isDue(lane, lane.hasMoreCampaign, lane.campaignLookedAtMs),
    ),
  )
}

/** Builds the function that does this work; runs never overlap. */
export function laneChores(): (dispatcher: Dispatcher) => Promise<void> {
  let renewedAtMs = 0
  let sweptAtMs = 0
  return async (dispatcher) => {
    const nowMs = dispatcher.clock.now().getTime()
    const nowMonotonicMs = dispatcher.clock.monotonicMs()
    const lanes = [...dispatcher.lanes.values()]
    if (nowMonotonicMs - renewedAtMs > RENEW_EVERY_MS) {
      renewedAtMs = nowMonotonicMs
      await renewLeases(dispatcher)
    }
    if (nowMonotonicMs - sweptAtMs > SWEEP_EVERY_MS) {
      sweptAtMs = nowMonotonicMs
      for (const lane of lanes) sweepPairs(lane, nowMs)
    }
    await release(
      dispatcher,
      lanes.filter((lane) => isFinished(lane, nowMs, nowMonotonicMs)),
    )
    await fetchMore(dispatcher, nowMs, nowMonotonicMs)
  }
}
