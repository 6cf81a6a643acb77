/** Takes a move back after a fault. */
import { setTimeout as wait } from 'node:timers/promises'
import { SECOND_MS, systemClock } from '../../core/clock.ts'
import { setPhase } from './move-rows.ts'
import type { MoveOptions, Moving } from './moving.ts'
import { openSide, type Side } from './sides.ts'
import { resume } from './switch.ts'

/**
 * After a fault: lets the workspace continue at the source, unless it may already live in the new cell. Then only the command,
 * run again, can tell. Uses new connections, because the fault may have ended the others.
 */
export async function undoMove(moving: Moving, error: unknown): Promise<void> {
  const { move, options } = moving
  if (move.phase === 'moved') return
  try {
    await withFreshSide(options.source, (source) =>
      move.phase === 'switching' && !moving.destination.local
        ? withFreshSide(options.target, (target) => takeSwitchBack(moving, source, target))
        : resumeAfterFault(moving, source),
    )
  } catch (fault) {
    options.say(
      `The workspace may still be paused (${messageOf(fault)}). Run the same command again when this is repaired: ${messageOf(error)}`,
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A database may need this long to restart. */
const RECONNECT_MS = 30 * SECOND_MS
const RECONNECT_EVERY_MS = SECOND_MS

/** Runs `work` with a new connection, which the database may first need to restart for. */
export async function withFreshSide(
  { url, secretKey }: MoveOptions['source'],
  work: (side: Side) => Promise<void>,
): Promise<void> {
  const untilMs = systemClock.monotonicMs() + RECONNECT_MS
  for (;;) {
    const side = await openSide(url, secretKey).catch((error: unknown) => {
      if (systemClock.monotonicMs() > untilMs) throw error
      return undefined
    })
    if (side)
      try {
        return await work(side)
      } finally {
        await side.close()
      }
    await wait(RECONNECT_EVERY_MS)
  }
}

/** The switch in one database did both or nothing: in the second case, the phase is still the one before it. */
const resumeAfterFault = ({ move, clock }: Moving, source: Side): Promise<void> =>
  resume(source.client, move, {
    from: ['copying', 'paused', 'fenced', 'switching'],
    to: 'copying',
    now: clock.now(),
  })

/** Takes the switch back if the new cell has not received the workspace, and makes sure that it will not. */
async function takeSwitchBack({ move, clock }: Moving, source: Side, target: Side): Promise<void> {
  const now = clock.now()
  await setPhase(target.client, { id: move.id, direction: 'in' }, { from: ['loading'], to: 'canceled', now })
  await resume(source.client, move, { from: ['switching'], to: 'canceled', now })
}
